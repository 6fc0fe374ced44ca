// The statements that read accounts and their entries, and the parts of those that write them for orders and gifts.
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";

interface AccountKey {
  clientId: string;
  currency: Currency;
}

const SELECT_BALANCE = sql<AccountKey, { balanceMinor: number }>()`
  SELECT balance_minor AS balanceMinor FROM credit_accounts
  WHERE client_id = ${"clientId"} AND currency = ${"currency"}`;

/** The balance in minor units, 0 if the client has no account. One round trip. */
export async function readBalance(db: Database, account: AccountKey): Promise<number> {
  const row = await SELECT_BALANCE.first(db, account);
  return row?.balanceMinor ?? 0;
}

export interface Balance {
  currency: Currency;
  balanceMinor: number;
}

export const SELECT_BALANCES = sql<{ clientId: string }, Balance>()`
  SELECT currency, balance_minor AS balanceMinor FROM credit_accounts
  WHERE client_id = ${"clientId"} ORDER BY currency`;

/** The balances of the client's accounts, by currency. One round trip. */
export const readBalances = (db: Database, clientId: string): Promise<Balance[]> =>
  SELECT_BALANCES.all(db, { clientId });

/**
 * The time of the next entry of account `a`, whose number of entries includes it. The entry is not earlier than the
 * previous one, also if the clocks of two Workers differ.
 */
export const timeOfEntry = <Name extends string>(now: Fragment<Name>) => fragment`
  max(${now}, coalesce((SELECT p.created_at_ms FROM credit_entries p WHERE p.client_id = a.client_id
    AND p.currency = a.currency AND p.sequence = a.entries - 1), 0))`;

/** The end of the last closed month of the client and currency of the row, or 0. */
export const closedUntil = (row: Fragment<never>) => fragment`
  coalesce((SELECT max(t.to_ms) FROM statements t
    WHERE t.client_id = ${row}.client_id AND t.currency = ${row}.currency), 0)`;

/** Changes the accounts by the rows of `source`: client_id, currency, order_id and amount. Then `insertCreditEntry`. */
export const changeBalance = <Name extends string>(source: Fragment<Name>) => fragment`
  UPDATE credit_accounts SET balance_minor = balance_minor + n.amount, entries = entries + 1
  FROM (${source}) n
  WHERE credit_accounts.client_id = n.client_id AND credit_accounts.currency = n.currency`;

/** The entries of `changeBalance`. A trigger compares refunds with the order's `refunded_minor`. */
export const insertCreditEntry = <Kind extends string, Name extends string>(
  kind: Fragment<Kind>,
  source: Fragment<Name>,
) => fragment`
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    order_id, created_at_ms)
  SELECT a.client_id, a.currency, a.entries, ${kind}, n.amount, a.balance_minor, n.order_id,
    ${timeOfEntry(fragment`${"nowMs"}`)}
  FROM (${source}) n
  JOIN credit_accounts a ON a.client_id = n.client_id AND a.currency = n.currency`;

const e = columnsOf<CreditEntries>("e");
const ENTRY_COLUMNS = {
  ...e("sequence", "kind", "amountMinor", "balanceMinor", "orderId", "reference", "createdAtMs"),
  ...orNull(order("orderRefId")),
};

export type CreditEntry = RowOf<typeof ENTRY_COLUMNS>;

const SELECT_ENTRIES = sql<AccountKey & { after: number; limit: number }>()`
  SELECT ${ENTRY_COLUMNS}
  FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id AND o.client_id = e.client_id
  WHERE e.client_id = ${"clientId"} AND e.currency = ${"currency"} AND e.sequence > ${"after"}
  ORDER BY e.sequence LIMIT ${"limit"}`;

/** The number of entries of an account, which is the sequence of the last one. */
const SELECT_LAST_ENTRY = sql<AccountKey, { last: number }>()`
  SELECT entries AS last FROM credit_accounts
  WHERE client_id = ${"clientId"} AND currency = ${"currency"}`;

/**
 * The account's first `limit` entries after the sequence `after`, in ascending order, and the sequence of its last entry, 0
 * if there is no account. One transaction, one round trip.
 */
export async function readCreditEntries(
  db: Database,
  page: AccountKey & { after: number; limit: number },
): Promise<{ entries: CreditEntry[]; last: number }> {
  const { rows, last } = await batch(db, {
    rows: SELECT_ENTRIES.bind(db, page),
    last: SELECT_LAST_ENTRY.bind(db, page),
  });
  return { entries: rows.results, last: last.results[0]?.last ?? 0 };
}
