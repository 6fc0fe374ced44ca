// The endpoints of a client's credit.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { countField, currencyCode, positive, queryInteger } from "../../core/validation/fields.ts";

export const BalanceQuery = parameters(() => ({
  currency: parameter`${z.optional(currencyCode())} ISO 4217 code. If it is left out, the currency is the default currency of your client. ${"AUD"}`,
}));

export const CreditBalanceResponse = component("CreditBalance", () => ({
  _: "A credit balance.",
  credit_balance: field`${z.number()} The balance. 0 if there is no account in this currency.`,
  currency: field`${currencyCode()} ISO 4217 code of the balance's currency.`,
  credit_balance_formatted: field`${z.string()} The balance formatted for people, with the currency's symbol.`,
}));
export type CreditBalanceResponse = z.infer<ReturnType<typeof CreditBalanceResponse>>;

export const getCreditBalance = endpoint({
  operationId: "getCreditBalance",
  method: "GET",
  forOwn: true,
  path: "/api/credit-balance",
  query: BalanceQuery,
  near: true,
  response: CreditBalanceResponse,
  errors: ["validation_error"],
});

export const CreditBalanceListResponse = component("CreditBalanceList", () => ({
  _: "The balances of all your accounts.",
  status: z.literal("success"),
  credit_balances: field`${z.array(CreditBalanceResponse())} By currency. Empty if you have no credit account.`,
}));
export type CreditBalanceListResponse = z.infer<ReturnType<typeof CreditBalanceListResponse>>;

export const listCreditBalances = endpoint({
  operationId: "listCreditBalances",
  method: "GET",
  forOwn: true,
  path: "/api/credit-balances",
  near: true,
  response: CreditBalanceListResponse,
  errors: [],
});

const CreditEntriesQuery = parameters(() => ({
  currency: parameter`${z.optional(currencyCode())} ISO 4217 code. If it is left out, the currency is the default currency of your client. ${"AUD"}`,
  after: parameter`${z._default(queryInteger(0, MAX_ID), 0)} Returns the entries after this \`sequence\`. ${0}`,
  limit: parameter`${z._default(queryInteger(1, 500), 100)} The maximum number of entries, at most 500. ${100}`,
}));

const signedAmount = () => z.string().check(z.regex(/^-?\d+(\.\d{2,4})?$/));

export const CreditEntryResponse = component("CreditEntry", () => ({
  _: "A change of your credit. An entry never changes.",
  sequence: field`${positive()} The number of the entry in its account, from 1 and without gaps.`,
  kind: field`${z.enum(["order", "refund", "top_up", "correction"])} \`order\`: an order was paid. \`refund\`: gifts of an order were cancelled or expired. \`top_up\`: we added credit. \`correction\`: we took credit back.`,
  amount: field`${signedAmount()} What was added to the credit. Negative if credit was used.`,
  balance: field`${signedAmount()} The balance after the entry.`,
  order_id: field`${z.nullable(positive())} The order. Null for \`top_up\` and \`correction\`.`,
  order_ref_id: field`${z.nullable(z.string())} Your reference of the order. Null if there is none.`,
  reference: field`${z.nullable(z.string())} Our reference, such as an invoice. Null for \`order\` and \`refund\`.`,
  created_at: field`${z.iso.datetime()} When the entry was made, in UTC.`,
}));
export type CreditEntryResponse = z.infer<ReturnType<typeof CreditEntryResponse>>;

export const CreditEntryListResponse = component("CreditEntryList", () => ({
  _: "Entries of one account in ascending order of `sequence`.",
  status: z.literal("success"),
  currency: field`${currencyCode()} ISO 4217 code of the account's currency.`,
  credit_entries: field`${z.array(CreditEntryResponse())} The entries. Empty if there are none after \`after\`.`,
  next_after: field`${countField()} The \`sequence\` of the last of these entries. Send it as \`after\` in the next request. If the list is empty, it is the \`after\` of this request.`,
  has_more: field`${z.boolean()} True if there are more entries after these.`,
}));
export type CreditEntryListResponse = z.infer<ReturnType<typeof CreditEntryListResponse>>;

export const listCreditEntries = endpoint({
  operationId: "listCreditEntries",
  method: "GET",
  path: "/api/credit-entries",
  query: CreditEntriesQuery,
  near: true,
  response: CreditEntryListResponse,
  errors: ["validation_error"],
});
