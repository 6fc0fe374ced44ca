// The statements of the mailbox.
import { parseJson } from "../platform/db/columns.ts";
import { type Database, expression, type RowOf, sql } from "../platform/db/sql.ts";
import { email } from "../platform/db/tables.ts";

const ID = expression<string>()`(e.order_id || '-' || e.sequence || '-' || e.number)`;

const COLUMNS = { id: ID, ...email("kind", "status", "reason", "attemptedAtMs", "message") };

// Local databases are small, so they have no index for these statements.
const SELECT_NEWEST = sql<{ limit: number }>()`
  SELECT ${COLUMNS} FROM emails e WHERE e.message IS NOT NULL
  ORDER BY e.attempted_at_ms DESC, e.order_id DESC, e.sequence DESC, e.number DESC LIMIT ${"limit"}`;

const SELECT_EMAIL = sql<{ id: string }>()`
  SELECT ${COLUMNS} FROM emails e WHERE e.message IS NOT NULL AND ${ID} = ${"id"}`;

/** An e-mail with its message. */
export type StoredEmail = ReturnType<typeof toStoredEmail>[number];

const toStoredEmail = (row: RowOf<typeof COLUMNS>) => {
  const message = parseJson(row.message);
  return message ? [{ ...row, message }] : [];
};

/** The e-mails that were sent last, newest first. */
export const listNewestEmails = async (db: Database, limit: number): Promise<StoredEmail[]> =>
  (await SELECT_NEWEST.all(db, { limit })).flatMap(toStoredEmail);

export const findEmail = async (db: Database, id: string): Promise<StoredEmail | undefined> =>
  (await SELECT_EMAIL.all(db, { id })).flatMap(toStoredEmail)[0];
