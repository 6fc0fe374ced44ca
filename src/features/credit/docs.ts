// Describes the endpoints of a client's credit.
import { SAMPLE_ORDER } from "../events/docs.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { getCreditBalance, listCreditBalances, listCreditEntries } from "./contract.ts";
import {
  creditBalanceListResponse,
  creditBalanceResponse,
  creditEntryListResponse,
} from "./response.ts";

export const creditDocs: FeatureDocs = {
  tag: { name: "Credit", description: "Your prepaid credit." },

  operations: [
    operation(getCreditBalance, {
      summary: "Get the credit balance",
      description: "Returns your current credit in one currency.",
      sample: ["currency"],
      returns: "The balance.",
      responses: { balance: creditBalanceResponse(99_064_44, "AUD") },
    }),
    operation(listCreditBalances, {
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
    operation(listCreditEntries, {
      summary: "List the credit entries",
      description:
        "Returns the changes of your credit in one currency, oldest first. To keep a copy, save the entries of a page together with `next_after`, and send it as `after` in the next request. The sum of all amounts is the balance. Orders on invoice are not paid with credit and have no entries.",
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
