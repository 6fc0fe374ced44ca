// Accounts and entries of ledgers as rows of lists and views.
import * as kinds from "../declaration/kinds.ts";
import type { ListedAccount, ListedEntry } from "./queries.ts";

export const ACCOUNT_COLUMNS = {
  currency: kinds.currency("Currency"),
  balance: kinds.money("Balance"),
  alert_below: kinds.money("Alert below"),
  entries: kinds.count("Entries"),
};

export const accountRow = (account: ListedAccount) => ({
  ...account,
  balance: { minor: account.balanceMinor, currency: account.currency },
  alert_below:
    account.alertBelowMinor === null
      ? null
      : { minor: account.alertBelowMinor, currency: account.currency },
});

export const ENTRY_COLUMNS = {
  sequence: kinds.count("No."),
  date: kinds.from("createdAtMs", kinds.time("Date")),
  kind: kinds.choice("Kind", ["adjustment", "order", "cancellation", "expiry"]),
  amount: kinds.money("Amount"),
  balance: kinds.money("Balance after"),
  order: kinds.from("orderId", kinds.order("Order")),
  reference: kinds.text("Reference"),
  note: kinds.lines("Note"),
};

export const entryRow = (entry: ListedEntry) => ({
  ...entry,
  amount: { minor: entry.amountMinor, currency: entry.currency },
  balance: { minor: entry.balanceMinor, currency: entry.currency },
});
