// The statements that list the e-mails of an order or a gift.
import { columnsOf, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Emails } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { NEXT_EMAIL } from "./next-email.ts";
import type { EmailKind } from "../../core/values/email-kinds.ts";

const e = columnsOf<Emails>("e");

const COLUMNS = {
  ...e("sequence", "number", "kind", "status", "attempts", "attemptedAtMs", "nextAttemptAtMs"),
  ...e("linkGeneration", "messageId", "reason", "message"),
};

/** An e-mail that was sent or attempted. */
export type SentEmail = Parsed<RowOf<typeof COLUMNS>>;

/** The next e-mail of a gift. `reason`: why it is sent later than it was due. */
export interface NextEmail {
  sequence: number;
  kind: EmailKind;
  /** When it is sent if the state of the gift does not change. */
  atMs: number;
  reason: string | null;
}

export interface OrderEmails {
  sent: SentEmail[];
  next: NextEmail[];
}

interface Params {
  orderId: number;
  /** Null for all gifts of the order. */
  sequence: number | null;
}

const SELECT_SENT = statement<Params>()`
  SELECT ${COLUMNS} FROM emails e
  WHERE e.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR e.sequence = ${"sequence"})
  ORDER BY e.sequence, e.number`;

const NEXT = fragment`
  FROM orders o JOIN clients c ON c.id = o.client_id JOIN sub_orders s ON s.order_id = o.id
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence`;

const SELECT_NEXT = statement<Params & { nowMs: number }, { sequence: number; next: string }>()`
  SELECT * FROM (SELECT s.sequence, ${NEXT_EMAIL} AS next ${NEXT}
    WHERE o.id = ${"orderId"} AND (${"sequence"} IS NULL OR s.sequence = ${"sequence"}))
  WHERE next IS NOT NULL ORDER BY sequence`;

/** The e-mails of an order, or of one of its gifts, and those that follow. One round trip. */
export async function readEmails(
  db: Database,
  params: Params & { nowMs: number },
): Promise<OrderEmails> {
  const { sent, next } = await batch(db, {
    sent: SELECT_SENT.bind(db, params),
    next: SELECT_NEXT.bind(db, params),
  });
  const emails = sent.results.map((row) => ({ ...row, message: parseJson(row.message) }));
  const waiting = emails.filter(({ status, attempts }) => status === "retry" && attempts === 0);
  return {
    sent: emails.filter((email) => !waiting.includes(email)),
    next: next.results.map(({ sequence, next }) => {
      const [kind, , atMs] = JSON.parse(next) as [EmailKind, number, number];
      const row = waiting.find((email) => email.sequence === sequence && email.kind === kind);
      return { sequence, kind, atMs, reason: row?.reason ?? null };
    }),
  };
}
