// Describes the endpoints of a client's credit.
import { SAMPLE_ORDER } from "../events/docs.ts";
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import {
  CreditBalanceListResponse,
  CreditBalanceResponse,
  CreditEntryListResponse,
  CreditEntryResponse,
  getCreditBalance,
  listCreditBalances,
  listCreditEntries,
  MAX_PAGE_ENTRIES,
} from "./contract.ts";
import {
  creditBalanceListResponse,
  creditBalanceResponse,
  creditEntryListResponse,
} from "./response.ts";

const CURRENCY = {
  description:
    "ISO 4217 code. If it is left out, the currency is the default currency of your client.",
  example: "AUD",
};

export const creditDocs: FeatureDocs = {
  tag: { name: "Credit", description: "Your prepaid credit." },

  responses: {
    CreditBalance: described(CreditBalanceResponse(), {
      _: "A credit balance.",
      credit_balance: "The balance. 0 if there is no account in this currency.",
      currency: "ISO 4217 code of the balance's currency.",
      credit_balance_formatted: "The balance formatted for people, with the currency's symbol.",
    }),
    CreditBalanceList: described(CreditBalanceListResponse(), {
      _: "The balances of all your accounts.",
      credit_balances: "By currency. Empty if you have no credit account.",
    }),
    CreditEntry: described(CreditEntryResponse(), {
      _: "A change of your credit. An entry never changes.",
      sequence: "The number of the entry in its account, from 1 and without gaps.",
      kind: "`order`: an order was paid. `refund`: gifts of an order were cancelled or expired. `top_up`: we added credit. `correction`: we took credit back.",
      amount: "What was added to the credit. Negative if credit was used.",
      balance: "The balance after the entry.",
      order_id: "The order. Null for `top_up` and `correction`.",
      order_ref_id: "Your reference of the order. Null if there is none.",
      reference: "Our reference, such as an invoice. Null for `order` and `refund`.",
      created_at: "When the entry was made, in UTC.",
    }),
    CreditEntryList: described(CreditEntryListResponse(), {
      _: "Entries of one account in ascending order of `sequence`.",
      currency: "ISO 4217 code of the account's currency.",
      credit_entries: "The entries. Empty if there are none after `after`.",
      next_after:
        "The `sequence` of the last of these entries. Send it as `after` in the next request. If the list is empty, it is the `after` of this request.",
      has_more: "True if there are more entries after these.",
    }),
  },

  operations: [
    operation(getCreditBalance, CreditBalanceResponse(), {
      summary: "Get the credit balance",
      description: "Returns your current credit in one currency.",
      query: {
        currency: CURRENCY,
      },
      sample: ["currency"],
      returns: "The balance.",
      responses: { balance: creditBalanceResponse(99_064_44, "AUD") },
    }),
    operation(listCreditBalances, CreditBalanceListResponse(), {
      summary: "List the credit balances",
      description: "Returns your present credit in all currencies.",
      returns: "The balances.",
      responses: {
        balances: creditBalanceListResponse([
          { currency: "AUD", balanceMinor: 4_847_12 },
          { currency: "NZD", balanceMinor: 250_00 },
        ]),
      },
    }),
    operation(listCreditEntries, CreditEntryListResponse(), {
      summary: "List the credit entries",
      description:
        "Returns the changes of your credit in one currency, oldest first. To keep a copy, save the entries of a page together with `next_after`, and send it as `after` in the next request. The sum of all amounts is the balance. Orders on invoice are not paid with credit and have no entries.",
      query: {
        currency: CURRENCY,
        after: { description: "Returns the entries after this `sequence`.", example: 0 },
        limit: {
          description: `The maximum number of entries, at most ${String(MAX_PAGE_ENTRIES)}.`,
          example: 100,
        },
      },
      sample: ["currency", "after"],
      returns: "A page of entries.",
      responses: {
        entries: creditEntryListResponse(
          [
            {
              sequence: 1,
              kind: "adjustment",
              amountMinor: 5_000_00,
              balanceMinor: 5_000_00,
              orderId: null,
              orderRefId: null,
              reference: "INV-1",
              createdAtMs: Date.parse("2026-09-01T00:12:00Z"),
            },
            {
              sequence: 2,
              kind: "order",
              amountMinor: -SAMPLE_ORDER.orderTotalMinor,
              balanceMinor: 4_847_12,
              orderId: SAMPLE_ORDER.id,
              reference: null,
              orderRefId: SAMPLE_ORDER.orderRefId,
              createdAtMs: SAMPLE_ORDER.createdAtMs,
            },
          ],
          { currency: "AUD", after: 0, last: 2 },
        ),
      },
    }),
  ],
};
