// The statements of the mailbox.
import { columnsOf, parseJson } from "../platform/db/columns.ts";
import type { Emails } from "../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  type RowOf,
  statement,
} from "../platform/db/statement.ts";

const e = columnsOf<Emails>("e");

const COLUMNS = {
  ...e("orderId", "sequence", "number", "kind", "status", "attemptedAtMs"),
  to: expression<string>()`e.message ->> '$.to'`,
  sender: expression<string>()`e.message ->> '$.from.name'`,
  subject: expression<string>()`e.message ->> '$.subject'`,
};

/** An e-mail in the list. */
export type ListedEmail = RowOf<typeof COLUMNS>;

export type EmailKey = Pick<ListedEmail, "orderId" | "sequence" | "number">;

// No migration creates this index, because each e-mail of the sandbox would be written to it too.
const CREATE_INDEX = statement<object>()`
  CREATE INDEX IF NOT EXISTS local_mailbox ON emails (attempted_at_ms) WHERE message IS NOT NULL`;

const SELECT_NEWEST = statement<{ limit: number }>()`
  SELECT ${COLUMNS} FROM emails e WHERE e.message IS NOT NULL
  ORDER BY e.attempted_at_ms DESC, e.order_id DESC, e.sequence DESC, e.number DESC LIMIT ${"limit"}`;

const SELECT_EMAIL = statement<EmailKey>()`
  SELECT ${{ ...COLUMNS, ...e("reason", "message") }} FROM emails e WHERE e.message IS NOT NULL
    AND e.order_id = ${"orderId"} AND e.sequence = ${"sequence"} AND e.number = ${"number"}`;

/** The e-mails that were sent last, newest first. Reads as many rows as it returns. */
export async function readNewest(db: Database, limit: number): Promise<ListedEmail[]> {
  const { newest } = await batch(db, {
    index: CREATE_INDEX.bind(db, {}),
    newest: SELECT_NEWEST.bind(db, { limit }),
  });
  return newest.results;
}

/** One e-mail with its message, or null. */
export async function findMessage(db: Database, key: EmailKey) {
  const row = await SELECT_EMAIL.first(db, key);
  const message = row && parseJson(row.message);
  return row && message ? { ...row, message } : null;
}
