// The credit accounts of all clients.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
import { ACCOUNT_COLUMNS, accountRow } from "./account-rows.ts";
import { listAccounts } from "./queries.ts";

/** One round trip. */
export const creditList = list({
  name: "credit list",
  title: "Credit accounts",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    currency: kinds.optional(kinds.currency("Currency")),
    low: kinds.optional(kinds.flag("Only balances below their alert")),
  },
  columns: { client: kinds.client("Client"), ...ACCOUNT_COLUMNS },
  empty: "No account matches.",
  actions: ["credit show", "credit ledger", "credit add", "credit alert"],
  examples: ["--low yes"],
  page: async ({ DB }, { client, currency, low = false }, { after, limit }) => {
    const [clientId = "", ofCurrency = ""] = textsOf(after, 2) ?? [];
    const found = await listAccounts(DB, client, {
      currency,
      isLow: low,
      after: { clientId, currency: ofCurrency },
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, (each) => [each.clientId, each.currency]);
    return {
      rows: shown.map((account) => ({ client: account.clientId, ...accountRow(account) })),
      next,
    };
  },
});
