// The entries of a credit account.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
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
  first: () => ({ sequence: Number.MAX_SAFE_INTEGER }),
  read: ({ DB }, { client, currency }, page) => listEntries(DB, client, currency, page),
  row: entryRow,
});
