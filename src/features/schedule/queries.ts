// What the e-mails of a gift depend on, and those that were sent.
import { isWaiting } from "../../core/values/email-kinds.ts";
import {
  type Json,
  jsonObject,
  orNull,
  type Parsed,
  parseJson,
} from "../../platform/db/columns.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import {
  JOIN_SHIPMENT,
  client,
  code,
  email,
  gift,
  order,
  shipment,
} from "../../platform/db/tables.ts";
import { CODE_OF_GIFT } from "../codes/bind-queries.ts";
import { STATE_COLUMNS } from "../codes/delivery-queries.ts";

/**
 * From when the recipient of gift `s` of order `o` is to be invited. Null if the partner sends the link, and for gifts
 * that were bought outright.
 */
export const INVITE_AT = expression<number | null>()`
  iif(o.gift_order_method = 'api-purchase', NULL, coalesce(s.send_at_ms, o.send_at_ms))`;

/** The recipient of gift `s` gets e-mails: one is planned, or was attempted. */
export const IS_MAILED = fragment`
  (s.next_email_ms IS NOT NULL OR EXISTS (
    SELECT 1 FROM emails e WHERE e.order_id = s.order_id AND e.sequence = s.sequence))`;

const RECEIVED_CODE = {
  ...code("sealed", "keyId", "orderId", "sequence", "expiresAtMs", "openedAtMs"),
};

/** The code of gift `s`, sealed. Null without one. */
export const GIFT_CODE = expression<Json<Parsed<RowOf<typeof RECEIVED_CODE>>> | null>()`
  (SELECT ${jsonObject("codes", RECEIVED_CODE)} ${CODE_OF_GIFT})`;

const EARLIER_EMAIL = {
  ...email("number", "kind", "status", "dueMs", "attempts", "attemptedAtMs", "nextAttemptAtMs"),
  ...email("repeats", "reason", "addressChanged", "linkGeneration"),
};

/** The columns of a gift that its state and its next e-mail depend on, with the tables of JOIN_MAILED_GIFT. */
export const MAILED_GIFT_COLUMNS = {
  ...STATE_COLUMNS,
  ...gift("orderId", "sequence", "declinedAtMs", "emailsStopped", "sendAtMs", "nextEmailMs"),
  ...order("sendCodes", "giftOrderMethod", "baseLocation"),
  /** Null unless the gift has a code. */
  codeSentAtMs: expression<number | null>()`(SELECT h.shipped_at_ms ${CODE_OF_GIFT})`,
  orderStatus: order("status").status,
  inviteAtMs: INVITE_AT,
  ...client("reminderDays", "notifyAccepted", "notifyShipped", "clockMs"),
  /**
   * Null unless the gift is accepted and not shipped. Of a gift that replaces an accepted one, when it was ordered or, on
   * invoice, paid.
   */
  acceptedAtMs: expression<number | null>()`iif(s.fulfilment IS NULL, CASE
    WHEN s.redemption_status = 'redeemed' THEN s.redeemed_at_ms
    WHEN s.redemption_status IS NULL AND s.swapped_from IS NOT NULL AND o.status = 'paid' THEN coalesce(
      (SELECT min(i.created_at_ms) FROM invoice_entries i WHERE i.order_id = o.id AND i.kind = 'payment'),
      o.created_at_ms) END, NULL)`,
  /** Null if the gift was never shipped. `open` after its shipment was reopened. */
  shipmentStatus: orNull(shipment("status")).status,
  ...orNull(shipment("shippedAtMs", "deliveredAtMs")),
  addressCountry: expression<string | null>()`s.delivery_address ->> '$.country'`,
  emails: expression<Json<Parsed<RowOf<typeof EARLIER_EMAIL>>[]>>()`
    (SELECT json_group_array(${jsonObject("emails", EARLIER_EMAIL)} ORDER BY e.number) FROM emails e
      WHERE e.order_id = s.order_id AND e.sequence = s.sequence)`,
};

/** A gift, as far as its state and its e-mails depend on it. */
export type MailedGift = Parsed<RowOf<typeof MAILED_GIFT_COLUMNS>>;

/** The last e-mail about the gift whose attempt is not to be repeated. */
export const lastEmail = ({ emails }: MailedGift) =>
  emails.findLast(({ status }) => status !== "retry");

/** Joins gift `s` with its order `o`, its client `c` and its shipment `h`. */
export const JOIN_MAILED_GIFT = fragment`
  CROSS JOIN orders o ON o.id = s.order_id CROSS JOIN clients c ON c.id = o.client_id ${JOIN_SHIPMENT}`;

const SENT = { ...EARLIER_EMAIL, ...email("messageId", "message") };

/** An e-mail that was sent or attempted. */
export type SentEmail = Parsed<RowOf<typeof SENT>>;

const SELECT_SENT = sql<{ orderId: number; sequence: number }>()`
  SELECT ${SENT} FROM emails e WHERE e.order_id = ${"orderId"} AND e.sequence = ${"sequence"} ORDER BY e.number`;

/** The e-mails about the gift that were sent or attempted, oldest first. One round trip. */
export async function readSentEmails(
  db: Database,
  gift: { orderId: number; sequence: number },
): Promise<SentEmail[]> {
  const rows = await SELECT_SENT.all(db, gift);
  return rows
    .filter((email) => !isWaiting(email))
    .map((row) => ({ ...row, message: parseJson(row.message) }));
}
