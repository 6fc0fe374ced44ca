// The statements that schedule the next e-mails of gifts, and that list the e-mails of an order or a gift.
import { statesThat } from "../../core/values/shipment-states.ts";
import type { EmailKind } from "../../core/values/email-kinds.ts";
import {
  columnsOf,
  type Json,
  jsonObject,
  orNull,
  type Parsed,
  parseJson,
} from "../../platform/db/columns.ts";
import type { Clients, Codes, Emails, Gifts, Orders } from "../../platform/db/schema.ts";
import {
  batch,
  type Bound,
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { CODE_OF_GIFT } from "../codes/bind-queries.ts";
import { nextEmail, type ScheduledEmail } from "./next-email.ts";

/** When gift `s` of order `o` expires. Null if it does not expire. */
export const GIFT_EXPIRY = expression<number | null>()`coalesce(s.expires_at_ms, o.expires_at_ms)`;

const e = columnsOf<Emails>("e");
const s = columnsOf<Gifts>("s");
const o = columnsOf<Orders>("o");

/**
 * From when the recipient of gift `s` of order `o` is to be invited. Null if the partner sends the link, and for gifts
 * that were bought outright.
 */
export const INVITE_AT = expression<number | null>()`
  iif(o.gift_order_method = 'api-purchase', NULL, coalesce(s.send_at_ms, o.send_at_ms))`;

/** The LEFT JOINed shipment `h` is on its way. Null without a shipment. */
export const IS_ON_ITS_WAY = rawSql(`h.status IN (${statesThat("isOnItsWay")})`);

/** The LEFT JOINed shipment `h` was delivered. Null without a shipment. */
export const HAS_ARRIVED = rawSql(`h.status IN (${statesThat("hasArrived")})`);

/** The recipient of gift `s` was invited by e-mail. */
export const WAS_INVITED = fragment`
  EXISTS (SELECT 1 FROM emails e WHERE e.order_id = s.order_id AND e.sequence = s.sequence
    AND e.kind = 'invitation' AND e.message_id IS NOT NULL)`;

const RECEIVED_CODE = {
  ...columnsOf<Codes>("c")("sealed", "keyId", "orderId", "sequence", "expiresAtMs", "openedAtMs"),
};

/** The code of gift `s`, sealed. Null without one. */
export const GIFT_CODE = expression<Json<Parsed<RowOf<typeof RECEIVED_CODE>>> | null>()`
  (SELECT ${jsonObject("codes", RECEIVED_CODE)} ${CODE_OF_GIFT})`;

const EARLIER_EMAIL = {
  ...e("number", "kind", "status", "dueMs", "attempts", "attemptedAtMs", "nextAttemptAtMs"),
  ...e("repeats", "reason", "addressChanged", "linkGeneration"),
};

/** The columns of a gift that its next e-mail depends on, with the tables of JOIN_MAILED_GIFT. */
export const MAILED_GIFT_COLUMNS = {
  ...s("orderId", "sequence", "redemptionStatus", "declinedAtMs", "emailsStopped", "erasedAtMs"),
  ...s("sendAtMs"),
  ...o("sendCodes", "giftOrderMethod"),
  codeSentAtMs: expression<number | null>()`(SELECT h.shipped_at_ms ${CODE_OF_GIFT})`,
  orderStatus: o("status").status,
  expiresAtMs: GIFT_EXPIRY,
  inviteAtMs: INVITE_AT,
  ...columnsOf<Clients>("c")("reminderDays", "notifyAccepted", "notifyShipped", "clockMs"),
  /** Of a gift that replaces an accepted one: when it was ordered or, on invoice, paid. */
  acceptedAtMs: expression<number | null>()`iif(s.has_shipment = 0, CASE
    WHEN s.redemption_status = 'redeemed' THEN s.redeemed_at_ms
    WHEN s.redemption_status IS NULL AND s.swapped_from IS NOT NULL AND o.status = 'paid' THEN coalesce(
      (SELECT min(i.created_at_ms) FROM invoice_entries i WHERE i.order_id = o.id AND i.kind = 'payment'),
      o.created_at_ms) END, NULL)`,
  shippedAtMs: expression<number | null>()`iif(${IS_ON_ITS_WAY}, h.shipped_at_ms, NULL)`,
  deliveredAtMs: expression<number | null>()`iif(${HAS_ARRIVED}, h.delivered_at_ms, NULL)`,
  addressCountry: expression<string | null>()`s.delivery_address ->> '$.country'`,
  ...o("baseLocation"),
  emails: expression<Json<Parsed<RowOf<typeof EARLIER_EMAIL>>[]>>()`
    (SELECT json_group_array(${jsonObject("emails", EARLIER_EMAIL)} ORDER BY e.number) FROM emails e
      WHERE e.order_id = s.order_id AND e.sequence = s.sequence)`,
  /** The e-mail that is scheduled. */
  ...orNull(s("nextEmail", "nextEmailMs")),
};

/** Joins gift `s` with its order `o`, its client `c` and its shipment `h`. */
export const JOIN_MAILED_GIFT = fragment`
  CROSS JOIN orders o ON o.id = s.order_id CROSS JOIN clients c ON c.id = o.client_id
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence`;

interface Params {
  orderId: number;
  /** Null for all gifts of the order. */
  sequence: number | null;
}

interface Scheduled {
  orderId: number;
  sequence: number;
  /** The schedule that was read. If it has changed since, it stays. */
  before: { kind: EmailKind | null; atMs: number | null };
  next: ScheduledEmail | null;
}

const SAVE_SCHEDULE = sql<{ schedules: string; leaseId: string | null }>()`
  UPDATE gifts AS s SET next_email = v.value ->> '$.next.kind', next_email_ms = v.value ->> '$.next.atMs'
  FROM json_each(${"schedules"}) v
  WHERE s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
    AND s.next_email IS v.value ->> '$.before.kind' AND s.next_email_ms IS v.value ->> '$.before.atMs'
    AND (${"leaseId"} IS NULL OR EXISTS (SELECT 1 FROM email_outbox x WHERE x.lease_id = ${"leaseId"}))`;

type MailedRow = Pick<Parsed<RowOf<typeof MAILED_GIFT_COLUMNS>>, keyof typeof MAILED_GIFT_COLUMNS>;

/** The schedules of gifts that change. With a lease, nothing changes if it is lost. */
export function bindSchedule(
  db: Database,
  gifts: readonly MailedRow[],
  { nowMs, leaseId }: { nowMs: number; leaseId: string | null },
): Bound<never> {
  const schedules: Scheduled[] = gifts.map((gift) => ({
    orderId: gift.orderId,
    sequence: gift.sequence,
    before: { kind: gift.nextEmail, atMs: gift.nextEmailMs },
    next: nextEmail(gift, nowMs),
  }));
  const changed = schedules.filter(
    ({ before, next }) =>
      before.kind !== (next?.kind ?? null) || before.atMs !== (next?.atMs ?? null),
  );
  return SAVE_SCHEDULE.bind(db, { schedules: JSON.stringify(changed), leaseId });
}

/** The recipient of the open gift `s` of order `o` gets invitations, or the notice that it replaces another one. */
export const IS_MAILED = fragment`
  (coalesce(${INVITE_AT}, s.swapped_from) IS NOT NULL
    AND s.redemption_status IS NULL AND s.emails_stopped IS NULL AND s.erased_at_ms IS NULL)`;

const COLUMNS = {
  ...e("sequence", "number", "kind", "status", "attempts", "attemptedAtMs", "nextAttemptAtMs"),
  ...e("linkGeneration", "addressChanged", "messageId", "reason", "message"),
};

/** An e-mail that was sent or attempted. */
export type SentEmail = Parsed<RowOf<typeof COLUMNS>>;

/** The next e-mail of a gift. */
export interface NextEmail {
  sequence: number;
  kind: EmailKind;
  /** When it is sent if the state of the gift does not change. */
  atMs: number;
}

export interface OrderEmails {
  sent: SentEmail[];
  next: NextEmail[];
}

// A row without an attempt is that of the next e-mail, which SELECT_NEXT returns.
const SELECT_SENT = sql<Params>()`
  SELECT ${COLUMNS} FROM emails e
  WHERE e.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR e.sequence = ${"sequence"})
    AND NOT (e.status = 'retry' AND e.attempts = 0)
  ORDER BY e.sequence, e.number`;

const SELECT_NEXT = sql<Params, NextEmail>()`
  SELECT s.sequence, s.next_email AS kind, s.next_email_ms AS atMs FROM gifts s
  WHERE s.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR s.sequence = ${"sequence"})
    AND s.next_email IS NOT NULL ORDER BY s.sequence`;

/** The e-mails of an order, or of one of its gifts, and those that follow. One round trip. */
export async function readEmails(db: Database, params: Params): Promise<OrderEmails> {
  const { sent, next } = await batch(db, {
    sent: SELECT_SENT.bind(db, params),
    next: SELECT_NEXT.bind(db, params),
  });
  return {
    sent: sent.results.map((row) => ({ ...row, message: parseJson(row.message) })),
    next: next.results,
  };
}
