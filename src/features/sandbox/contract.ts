// The endpoints of the sandbox controls, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { BODY_ERRORS, type ErrorCode } from "../../core/api-error.ts";
import { TrackingInput } from "../fulfilment/tracking.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { displayName } from "../../core/validation/name.ts";
import { CreditBalanceResponse } from "../credit/contract.ts";
import { PRODUCT_EVENT_TYPES } from "../events/event.ts";
import { AddressInput } from "../../core/address/address.ts";
import { EmailResponse } from "../orders/contract.ts";
import { orderSelectors } from "../orders/selection.ts";
import { MAX_LENGTHS } from "../redeem/form.ts";
import {
  atMostOne,
  countField,
  currencyCode,
  dayField,
  idField,
  line,
  optionalField,
  positive,
  queryId,
  textField,
} from "../../core/validation/fields.ts";

/** The events of orders, gifts, e-mails and products that partners can cause. */
export const SANDBOX_EVENTS = [
  ...(["order.paid", "order.failed", "order.cancelled", "order.extended"] as const),
  ...(["gift.redeemed", "gift.thanked", "gift.declined", "gift.reinstated"] as const),
  ...(["gift.opened", "gift.extended", "gift.expired"] as const),
  ...(["gift.shipped", "gift.delivered", "gift.sent", "gift.reopened"] as const),
  ...(["gift.returned", "gift.failed"] as const),
  ...(["email.delivered", "email.deferred", "email.bounced"] as const),
  ...(["email.rejected", "email.complained"] as const),
  ...PRODUCT_EVENT_TYPES,
];
export type SandboxEvent = (typeof SANDBOX_EVENTS)[number];

export const GiftSelection = lazy(() => z.object({ suborder_id: idField() }));
export type GiftSelection = z.infer<ReturnType<typeof GiftSelection>>;
export const ProductSelection = lazy(() => z.object({ product_id: idField() }));

export const SandboxEventRequest = component(
  "SandboxEventRequest",
  () => ({
    _: "An event to cause, and the one order, gift or product that it is about.",
    event: field`${z.enum(SANDBOX_EVENTS)} What happens.`,
    order_id: field`${orderSelectors().order_id} The id of the order, for \`order.…\`.`,
    order_number: field`${orderSelectors().order_number} The number of the order.`,
    order_ref_id: field`${orderSelectors().order_ref_id} Your own reference for the order.`,
    suborder_id: field`${optionalField(idField())} The id of the gift, for \`gift.…\` and \`email.…\`.`,
    product_id: field`${optionalField(idField())} A product of your catalogue, for \`product.…\`.`,
    redeem_by: field`${optionalField(dayField())} The new last day, for \`order.extended\` and \`gift.extended\`.`,
    delivery_address: field`${optionalField(AddressInput())} Delivery address of a physical gift, for \`gift.redeemed\`, with \`address_line_1\` and \`country\`, and with \`suburb\` and \`postcode_zipcode\` where addresses in the country need them. If it is left out, it is the order's address, completed with sample values.`,
    delivery_notes: field`${optionalField(textField(MAX_LENGTHS.delivery_notes))} Notes for the delivery of a physical gift, for \`gift.redeemed\`.`,
    carrier: field`${TrackingInput().shape.carrier} The company that carries the parcel, for \`gift.shipped\`.`,
    tracking_number: field`${TrackingInput().shape.tracking_number} The carrier's number of the parcel.`,
    tracking_url: field`${TrackingInput().shape.tracking_url} The carrier's page about the parcel. It begins with \`https://\`.`,
  }),
  atMostOne("suborder_id", "product_id", "order_id", "order_number", "order_ref_id"),
);
export type SandboxEventRequest = z.infer<ReturnType<typeof SandboxEventRequest>>;

export const SandboxEventResponse = component("SandboxEvent", () => ({
  _: "An event that was caused.",
  status: z.literal("success"),
  event: field`${z.enum(SANDBOX_EVENTS)} The event of the request.`,
}));

/** `P1D` to `P365D`. A last day moves by whole days, so the clock does too. */
const DAYS = /^P(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])D$/;

export const SandboxClockRequest = component("SandboxClockRequest", () => ({
  _: "By how much to advance your clock.",
  advance: field`${z.string().check(z.regex(DAYS, "must be a number of days from P1D to P365D, such as P30D"))} ISO 8601 duration in days, from \`P1D\` to \`P365D\`.`,
}));

export const SandboxClockResponse = component("SandboxClock", () => ({
  _: "Your clock after an advance.",
  status: z.literal("success"),
  advanced_days: field`${positive()} By how many days you have advanced it in total.`,
  due_orders: field`${countField()} The number of orders whose expiry or reminder was due, and was done.`,
}));
export type SandboxClockResponse = z.infer<ReturnType<typeof SandboxClockResponse>>;

const amount = () =>
  z.string().check(z.regex(/^\d{1,15}(?:\.\d{1,4})?$/, "must be an amount such as 150.00"));

export const SandboxCreditRequest = component("SandboxCreditRequest", () => ({
  _: "Credit to add.",
  currency: field`${optionalField(currencyCode())} ISO 4217 code. If it is left out, the currency is the default currency of your client.`,
  amount: field`${amount()} The amount to add, which may be 0.`,
  reference: field`${line(100)} Your own reference of the addition. Each reference is booked once.`,
  alert_below: field`${optionalField(amount())} The amount below which \`credit.low\` reports the balance.`,
}));
export type SandboxCreditRequest = z.infer<ReturnType<typeof SandboxCreditRequest>>;

const BILLINGS = ["credit", "invoice"] as const;

export const SandboxClientRequest = component("SandboxClientRequest", () => ({
  _: "A new test client.",
  name: field`${optionalField(displayName(200))} Its name, which recipients see as the sender. If it is left out, it is yours.`,
  billing: field`${optionalField(z.enum(BILLINGS))} \`credit\`: its orders are paid with its credit. \`invoice\`: they are \`created\` until you pay them. The default is \`credit\`.`,
}));
export type SandboxClientRequest = z.infer<ReturnType<typeof SandboxClientRequest>>;

export const SandboxClientResponse = component("SandboxClient", () => ({
  _: "A new test client.",
  status: z.literal("success"),
  client_id: field`${z.string()} The value of the header \`CLIENT-ID\`.`,
  api_key: field`${z.string()} The value of the header \`API-KEY\`.`,
  api_password: field`${z.string()} The value of the header \`API-PASSWORD\`.`,
  billing: field`${z.enum(BILLINGS)} \`credit\`: its orders are paid with its credit. \`invoice\`: they are \`created\` until you pay them.`,
  ...CreditBalanceResponse().shape,
  remaining_clients: field`${countField()} How many further test clients you can create.`,
}));
export type SandboxClientResponse = z.infer<ReturnType<typeof SandboxClientResponse>>;

export const SandboxClientSelection = component("SandboxClientSelection", () => ({
  _: "A test client.",
  client_id: field`${line(64)} The client's \`client_id\`.`,
}));

export const SandboxListedClient = component("SandboxListedClient", () => ({
  _: "A test client.",
  client_id: field`${z.string()} The value of the header \`CLIENT-ID\`.`,
  name: field`${z.string()} Its name.`,
  billing: field`${z.enum(BILLINGS)} \`credit\`: its orders are paid with its credit. \`invoice\`: they are \`created\` until you pay them.`,
  created_at: field`${z.iso.datetime()} When it was created.`,
}));

export const SandboxClientListResponse = component("SandboxClientList", () => ({
  _: "Your test clients.",
  status: z.literal("success"),
  clients: field`${z.array(SandboxListedClient())} The test clients that are not removed, oldest first.`,
}));
export type SandboxClientListResponse = z.infer<ReturnType<typeof SandboxClientListResponse>>;

export const SandboxEmailsQuery = parameters(() => ({
  suborder_id: parameter`${queryId()} The gift. ${6003}`,
}));

const SandboxSender = component("SandboxSender", () => ({
  _: "The sender of an e-mail.",
  name: field`${z.string()} The sender's name.`,
  email: field`${z.string()} The sender's address.`,
}));

export const SandboxMessage = component("SandboxMessage", () => ({
  _: "The content of an e-mail.",
  to: field`${z.string()} The recipient's address.`,
  from: field`${SandboxSender()} The name and the address of the sender.`,
  reply_to: field`${z.string()} The address that a reply goes to.`,
  subject: field`${z.string()} The subject.`,
  text: field`${z.string()} The content as plain text.`,
  html: field`${z.string()} The content as HTML.`,
  headers: field`${z.record(z.string(), z.string())} Further headers.`,
}));

export const SandboxEmail = component("SandboxEmail", () => ({
  _: "An e-mail that was not sent, because the sandbox sends none.",
  ...EmailResponse().shape,
  message: field`${z.nullable(SandboxMessage())} What would have been sent. Null after the erasure of the recipient. Tools of the MCP server get null if it contains a code.`,
}));

export const SandboxEmailsResponse = component("SandboxEmails", () => ({
  _: "The e-mails about a gift.",
  status: z.literal("success"),
  emails: field`${z.array(SandboxEmail())} The e-mails, oldest first.`,
}));
export type SandboxEmailsResponse = z.infer<ReturnType<typeof SandboxEmailsResponse>>;

const ERRORS: ErrorCode[] = [...BODY_ERRORS, "not_found", "not_allowed_in_state"];

export const causeSandboxEvent = endpoint({
  operationId: "causeSandboxEvent",
  method: "POST",
  path: "/api/sandbox/event",
  body: SandboxEventRequest,
  response: SandboxEventResponse,
  errors: [...ERRORS, "not_cancellable"],
});

export const listSandboxEmails = endpoint({
  operationId: "listSandboxEmails",
  method: "GET",
  // The messages contain gift links.
  scope: "order",
  path: "/api/sandbox/emails",
  query: SandboxEmailsQuery,
  response: SandboxEmailsResponse,
  errors: ["validation_error", "not_found"],
});

export const addSandboxCredit = endpoint({
  operationId: "addSandboxCredit",
  method: "POST",
  path: "/api/sandbox/credit",
  body: SandboxCreditRequest,
  response: CreditBalanceResponse,
  errors: ERRORS,
});

export const advanceSandboxClock = endpoint({
  operationId: "advanceSandboxClock",
  method: "POST",
  path: "/api/sandbox/clock",
  body: SandboxClockRequest,
  response: SandboxClockResponse,
  errors: ERRORS,
});

export const createSandboxClient = endpoint({
  operationId: "createSandboxClient",
  method: "POST",
  scope: "admin",
  path: "/api/sandbox/client",
  body: SandboxClientRequest,
  response: SandboxClientResponse,
  errors: ERRORS,
});

export const listSandboxClients = endpoint({
  operationId: "listSandboxClients",
  method: "GET",
  path: "/api/sandbox/clients",
  response: SandboxClientListResponse,
  errors: ["not_found"],
});

export const removeSandboxClient = endpoint({
  operationId: "removeSandboxClient",
  method: "POST",
  scope: "admin",
  path: "/api/sandbox/client/remove",
  body: SandboxClientSelection,
  response: SandboxClientListResponse,
  errors: [...BODY_ERRORS, "not_found"],
});
