// The statements that schedule the next e-mails of gifts, and that list the e-mails of an order.
import { isWaiting } from "../../core/values/email-kinds.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { type Bound, type Database, sql } from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT } from "../../platform/db/tables.ts";
import { nextEmail, plannedEmail } from "./next-email.ts";
import { MAILED_GIFT_COLUMNS, type MailedGift } from "./queries.ts";

// A time that has changed since it was read stays.
const SAVE_SCHEDULE = sql<{ schedules: string; leaseId: string | null }>()`
  UPDATE gifts AS s SET next_email_ms = v.value ->> '$.nextMs'
  FROM json_each(${"schedules"}) v
  WHERE s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
    AND s.next_email_ms IS v.value ->> '$.beforeMs'
    AND (${"leaseId"} IS NULL OR EXISTS (SELECT 1 FROM email_outbox x WHERE x.lease_id = ${"leaseId"}))`;

/** The schedules of gifts that change. With a lease, nothing changes if it is lost. */
export function bindSchedule(
  db: Database,
  gifts: readonly MailedGift[],
  { nowMs, leaseId }: { nowMs: number; leaseId: string | null },
): Bound<never> {
  const schedules = gifts.map((gift) => ({
    orderId: gift.orderId,
    sequence: gift.sequence,
    beforeMs: gift.nextEmailMs,
    nextMs: nextEmail(gift, nowMs)?.atMs ?? null,
  }));
  const changed = schedules.filter(({ beforeMs, nextMs }) => beforeMs !== nextMs);
  return SAVE_SCHEDULE.bind(db, { schedules: JSON.stringify(changed), leaseId });
}

// The client and the order are read once.
const SELECT_MAILED = sql<{ orderId: number }>()`
  SELECT ${MAILED_GIFT_COLUMNS} FROM orders o CROSS JOIN clients c ON c.id = o.client_id
  CROSS JOIN gifts s ON s.order_id = o.id ${JOIN_SHIPMENT} WHERE o.id = ${"orderId"} ORDER BY s.sequence`;

/** The e-mails of the order's gifts, by sequence, oldest first, and the next one of each gift. One round trip. */
export async function readEmails(db: Database, orderId: number, nowMs: number) {
  const rows = await SELECT_MAILED.all(db, { orderId });
  return rows.map((row) => {
    const gift = { ...row, emails: parseJson(row.emails) };
    const sent = gift.emails.filter((email) => !isWaiting(email));
    return { sent, next: plannedEmail(gift, nowMs) };
  });
}

export type GiftEmails = Awaited<ReturnType<typeof readEmails>>[number];
