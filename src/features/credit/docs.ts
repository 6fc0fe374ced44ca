// Describes the endpoint of a client's credit.
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { CreditBalanceResponse, getCreditBalance } from "./contract.ts";
import { creditBalanceResponse } from "./response.ts";

export const creditDocs: FeatureDocs = {
  tag: { name: "Credit", description: "Your prepaid credit." },

  responses: {
    CreditBalance: described(CreditBalanceResponse(), {
      _: "A credit balance.",
      credit_balance: "The balance. 0 if there is no account in this currency.",
      currency: "ISO 4217 code of the balance's currency.",
      credit_balance_formatted: "The balance formatted for people, with the currency's symbol.",
    }),
  },

  operations: [
    operation(getCreditBalance, CreditBalanceResponse(), {
      summary: "Get the credit balance",
      description: "Returns your current credit in one currency.",
      query: {
        currency: {
          description:
            "ISO 4217 code. If it is left out, the currency is the default currency of your client.",
          example: "AUD",
        },
      },
      sample: ["currency"],
      returns: "The balance.",
      responses: { balance: creditBalanceResponse(99_064_44, "AUD") },
    }),
  ],

  trials: {
    "A currency without credit": [
      { shows: "a balance of 0", json: { credit_balance: 0 } },
      "GET /api/credit-balance?currency=JPY",
    ],
  },
};
