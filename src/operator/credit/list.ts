// The credit accounts of all clients.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
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
  columns: { client: kinds.from("clientId", kinds.client("Client")), ...ACCOUNT_COLUMNS },
  empty: "No account matches.",
  rowActions: ["credit show"],
  examples: ["--low yes"],
  first: () => ({ clientId: "", currency: "" }),
  read: ({ DB }, { client, currency, low }, page) =>
    listAccounts(DB, client, { ...page, currency, isLow: low }),
  row: accountRow,
});
