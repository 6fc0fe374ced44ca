// A client's credit accounts with their newest entries.
import { requireClient } from "../client/require-client.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { ACCOUNT_COLUMNS, accountRow, ENTRY_COLUMNS, entryRow } from "./account-rows.ts";
import { listAccounts, listNewestEntries } from "./queries.ts";

/** The entries of each account. */
const MAX_ENTRIES = 20;

/** One round trip for each of the client, its accounts and their entries. */
export const creditShow = view({
  name: "credit show",
  title: "Credit",
  permission: "view",
  input: { client: kinds.client("Client") },
  examples: ["acme"],
  shape: {
    facts: { client: kinds.client("Client"), company: kinds.text("Company", { beside: "client" }) },
    lists: {
      accounts: {
        title: "Accounts",
        columns: ACCOUNT_COLUMNS,
        empty: "The client has no credit account. The first booking opens one.",
        rowActions: ["credit ledger", "credit add", "credit alert"],
      },
      entries: { title: "Newest entries", columns: ENTRY_COLUMNS, empty: "There are no entries." },
    },
  },
  read: async ({ DB }, { client }) => {
    const [{ name }, accounts, entries] = await Promise.all([
      requireClient(DB, client),
      listAccounts(DB, client),
      listNewestEntries(DB, client, MAX_ENTRIES),
    ]);
    return {
      facts: { client, company: name },
      lists: { accounts: accounts.map(accountRow), entries: entries.map(entryRow) },
      actions: ["credit add", "statement"],
    };
  },
});
