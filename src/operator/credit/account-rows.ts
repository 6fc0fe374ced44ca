// Accounts and entries of ledgers as rows of lists and views.
import * as kinds from "../declaration/kinds.ts";
import type { ListedAccount, ListedEntry } from "./queries.ts";

export const ACCOUNT_COLUMNS = {
  currency: kinds.currency("Currency"),
  balance: kinds.money("Balance"),
  alert_below: kinds.money("Alert below"),
  entries: kinds.count("Entries"),
};

export const accountRow = ({
  currency,
  balanceMinor,
  alertBelowMinor,
  entries,
}: ListedAccount) => ({
  currency,
  balance: { minor: balanceMinor, currency },
  alert_below: alertBelowMinor === null ? null : { minor: alertBelowMinor, currency },
  entries,
});

export const ENTRY_COLUMNS = {
  sequence: kinds.count("No."),
  date: kinds.time("Date"),
  kind: kinds.choice("Kind", ["adjustment", "order", "cancellation", "expiry"]),
  amount: kinds.money("Amount"),
  balance: kinds.money("Balance after"),
  order: kinds.order("Order"),
  reference: kinds.text("Reference"),
  note: kinds.lines("Note"),
};

export const entryRow = ({ currency, amountMinor, balanceMinor, ...entry }: ListedEntry) => ({
  sequence: entry.sequence,
  date: entry.createdAtMs,
  kind: entry.kind,
  amount: { minor: amountMinor, currency },
  balance: { minor: balanceMinor, currency },
  order: entry.orderId,
  reference: entry.reference,
  note: entry.note,
});
