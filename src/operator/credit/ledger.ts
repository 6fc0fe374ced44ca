// The entries of a credit account.
import { requireClient } from "../clients/require-client.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionOf } from "../declaration/pages.ts";
import { accountCurrency } from "./account-input.ts";
import { ENTRY_COLUMNS, entryRow } from "./account-rows.ts";
import { listEntries } from "./queries.ts";

/** One round trip, and another one if there are no entries. */
export const creditLedger = list({
  name: "credit ledger",
  title: "Credit ledger",
  description: "The entries of an account, newest first.",
  permission: "view",
  input: { client: kinds.client("Client"), currency: accountCurrency() },
  columns: ENTRY_COLUMNS,
  empty: "The account has no entries.",
  examples: ["acme", "acme --currency USD --limit 20"],
  page: async ({ DB }, { client, currency }, { after, limit }) => {
    const found = await listEntries(DB, client, currency, {
      before: positionOf(after)?.[0],
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    if (found.length === 0) await requireClient(DB, client);
    const { shown, next } = pageOf(found, limit, ({ sequence }) => [sequence, 0]);
    return { rows: shown.map(entryRow), next };
  },
});
