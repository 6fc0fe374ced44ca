// The statements that number the months of clients.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Statements } from "../../platform/db/schema.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { CREDIT_LEDGER } from "./account.ts";
import { INVOICE_LEDGER } from "./invoice.ts";
import { ALL_CLIENTS, type LedgerRangeParams, type Period } from "./ledger-range.ts";

const NUMBERED = {
  /** Such as `2026-00042`. */
  name: expression<string>()`printf('%s-%05d', t.series, t.number)`,
  ...columnsOf<Statements>("t")("clientId", "currency", "sender", "addressee", "createdAtMs"),
};

export type NumberedStatement = RowOf<typeof NUMBERED>;

/** The numbered statements of the month. */
export const SELECT_NUMBERED = sql<Omit<LedgerRangeParams, "fromMs">>()`
  SELECT ${NUMBERED} FROM statements t
  WHERE t.to_ms = ${"toMs"} AND t.client_id >= ${"clientId"} AND t.client_id <= ${"lastClientId"}`;

/** The clients and currencies with entries in the month that have no number yet. */
const UNNUMBERED = fragment`
  FROM (${CREDIT_LEDGER.withEntries} UNION ${INVOICE_LEDGER.withEntries}) a
  WHERE NOT EXISTS (SELECT 1 FROM statements t
    WHERE t.client_id = a.client_id AND t.currency = a.currency AND t.to_ms = ${"toMs"})`;

interface Closing extends Period {
  month: string;
  sender: string;
  nowMs: number;
}

// One statement, so that two at once give each number once, and none is missing if one of them is interrupted.
const INSERT_STATEMENTS = sql<Closing & LedgerRangeParams>()`
  INSERT INTO statements (series, number, client_id, currency, month, to_ms, sender, addressee, created_at_ms)
  SELECT substr(${"month"}, 1, 4),
    row_number() OVER (ORDER BY u.client_id, u.currency)
      + coalesce((SELECT max(p.number) FROM statements p WHERE p.series = substr(${"month"}, 1, 4)), 0),
    u.client_id, u.currency, ${"month"}, ${"toMs"}, ${"sender"},
    coalesce(c.legal_name, c.name) || coalesce(char(10) || c.billing_address, '')
      || coalesce(char(10) || 'Tax number: ' || c.tax_number, '')
      || coalesce(char(10) || 'Purchase order: ' || c.purchase_order, ''),
    ${"nowMs"}
  FROM (SELECT a.client_id, a.currency ${UNNUMBERED}) u JOIN clients c ON c.id = u.client_id
  ORDER BY 2`;

/** Numbers the statements of the month that have entries and no number. Returns how many. One round trip. */
export async function numberStatements(db: Database, closing: Closing): Promise<number> {
  const { meta } = await INSERT_STATEMENTS.bind(db, { ...ALL_CLIENTS, ...closing }).run();
  return meta.changes;
}

const SELECT_SENDER = sql<object, { sender: string }>()`
  SELECT t.sender FROM statements t ORDER BY t.series DESC, t.number DESC LIMIT 1`;

/** The sender of the last numbered statement. Null if there is none. One round trip. */
export const readSender = async (db: Database): Promise<string | null> =>
  (await SELECT_SENDER.first(db, {}))?.sender ?? null;
