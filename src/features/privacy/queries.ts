// The statements that erase personal data. A marked column of the schema that they do not clear is a compile error.
import { columnName } from "../../platform/db/columns.ts";
import type { ErasedColumn } from "../../platform/db/personal-data.ts";
import type { Codes, Emails, Gifts, Orders, Shipments } from "../../platform/db/schema.ts";
import { type Database, type Fragment, fragment, rawSql, sql } from "../../platform/db/sql.ts";
import { DAY_MS } from "../../core/values/time.ts";

/** Gift `s` of order `o` has ended or is shipped: its recipient's data is no longer needed. */
export const IS_FINISHED = fragment`
  (s.fulfilment IS NOT NULL OR s.redemption_status = 'cancelled' OR s.redemption_status = 'expired'
    OR (s.redemption_status IS NULL AND (o.status = 'failed' OR o.status = 'cancieled')))`;

/** All gifts of order `o` are finished, and its data is not erased. The condition of the index `orders_to_erase`. */
export const IS_SETTLED = fragment`
  o.erased_at_ms IS NULL AND (o.qty = o.cancelled_gifts + o.expired_gifts + o.shipped_gifts
    OR ((o.status = 'failed' OR o.status = 'cancieled') AND o.shipped_gifts >= o.redeemed_gifts))`;

/** The last change of order `o` was `retainDays` days before `nowMs`, or earlier. */
export const isOlder = <Name extends string>(retainDays: Fragment<Name>) => fragment`
  coalesce(o.updated_at_ms, o.created_at_ms) <= ${"nowMs"} - ${retainDays} * ${"dayMs"}`;

const SELECT_DUE = sql<{ nowMs: number; dayMs: number; limit: number }, { id: number }>()`
  SELECT o.id * 1000 + coalesce(s.sequence, 0) AS id
  FROM clients c INDEXED BY clients_with_retention
  CROSS JOIN orders o INDEXED BY orders_to_erase
    ON o.client_id = c.id AND ${IS_SETTLED} AND ${isOlder(fragment`c.retain_days`)}
  LEFT JOIN gifts s ON s.order_id = o.id AND s.erased_at_ms IS NULL
  WHERE c.retain_days IS NOT NULL LIMIT ${"limit"}`;

/**
 * The ids of at most `limit` gifts whose retention period has passed. An order without recipients to erase has an
 * id with the sequence 0. One round trip. Reads only these orders.
 */
export const listDueGifts = async (db: Database, nowMs: number, limit: number) =>
  (await SELECT_DUE.all(db, { nowMs, dayMs: DAY_MS, limit })).map(({ id }) => id);

interface EraseParams {
  /** JSON array of the ids of gifts. */
  ids: string;
  nowMs: number;
}

// The guard of all statements but the last one: the gift is finished, and its recipient is not erased yet.
const GIFTS = fragment`
  SELECT s.order_id, s.sequence FROM json_each(${"ids"}) v
  CROSS JOIN gifts s ON s.order_id = v.value / 1000 AND s.sequence = v.value % 1000
  CROSS JOIN orders o ON o.id = s.order_id
  WHERE s.erased_at_ms IS NULL AND ${IS_FINISHED}`;

/** The columns that an erasure clears, with the SQL of their values afterwards. */
type Cleared<Source extends { readonly erased?: unknown }> = Record<ErasedColumn<Source>, string>;

const EMAIL: Cleared<Emails> = { message: "NULL", addressDigest: "NULL" };

// The fingerprint stays, so that the code is not uploaded and given out again. It does not reveal the code.
const CODE: Cleared<Codes> = { sealed: "''" };

const SHIPMENT: Cleared<Shipments> = {
  trackingNumber: "NULL",
  trackingUrl: "NULL",
  earlierTracking: "NULL",
  carrierAnswers: "NULL",
};

// A name is required. The CHECK `erased_recipients_have_no_data` has the same values.
const RECIPIENT: Cleared<Gifts> = {
  firstName: "'Erased'",
  lastName: "'recipient'",
  email: "''",
  phoneNumber: "NULL",
  language: "NULL",
  emailMessage: "NULL",
  deliveryAddress: "NULL",
  deliveryNotes: "NULL",
  deliveryEmail: "NULL",
  externalId: "NULL",
  metadata: "NULL",
  thankYou: "NULL",
  thankedAtMs: "NULL",
  staffNotes: "NULL",
  // A trigger deletes the rows of the table search_terms.
  searchTerms: "NULL",
};

const ORDER: Cleared<Orders> = {
  senderName: "NULL",
  linkMessage: "NULL",
  metadata: "NULL",
  staffNotes: "NULL",
};

const namesOf = <Name extends string>(values: Record<Name, string>) =>
  Object.keys(values) as Name[];

export const ERASED_OF_SHIPMENT = namesOf(SHIPMENT);
export const ERASED_OF_RECIPIENT = namesOf(RECIPIENT);
export const ERASED_OF_ORDER = namesOf(ORDER);

const assign = (values: Record<string, string>) =>
  rawSql<never>(
    Object.entries(values)
      .map(([name, value]) => `${columnName(name)} = ${value}`)
      .join(", "),
  );

// A carrier's report that has read the shipment before does not change it.
const ERASE_TRACKING = sql<Pick<EraseParams, "ids">>()`
  UPDATE shipments SET ${assign(SHIPMENT)}, change_id = 'erased'
  FROM (${GIFTS}) g
  WHERE shipments.order_id = g.order_id AND shipments.sequence = g.sequence`;

// Also those that are void.
const ERASE_CODES = sql<Pick<EraseParams, "ids">>()`
  UPDATE codes SET ${assign(CODE)}
  FROM (${GIFTS}) g
  WHERE codes.order_id = g.order_id AND codes.sequence = g.sequence`;

const ERASE_EMAILS = sql<Pick<EraseParams, "ids">>()`
  UPDATE emails SET ${assign(EMAIL)}
  FROM (${GIFTS}) g
  WHERE emails.order_id = g.order_id AND emails.sequence = g.sequence
    AND coalesce(emails.message, emails.address_digest) IS NOT NULL`;

const ERASE_RECIPIENTS = sql<EraseParams>()`
  UPDATE gifts SET erased_at_ms = ${"nowMs"}, ${assign(RECIPIENT)}
  FROM (${GIFTS}) g WHERE gifts.order_id = g.order_id AND gifts.sequence = g.sequence`;

// The free texts of an order may concern any of its recipients. They are erased with the last one.
const ERASE_ORDERS = sql<EraseParams>()`
  UPDATE orders AS o SET erased_at_ms = ${"nowMs"}, ${assign(ORDER)}
  WHERE o.id IN (SELECT value / 1000 FROM json_each(${"ids"})) AND ${IS_SETTLED}
    AND NOT EXISTS (SELECT 1 FROM gifts s WHERE s.order_id = o.id AND s.erased_at_ms IS NULL)`;

/** The statements that erase the gifts, and their orders. They are one transaction, which is safe to repeat. */
export function bindErasure(db: Database, ids: readonly number[], nowMs: number) {
  const params = { ids: JSON.stringify(ids), nowMs };
  return [
    ERASE_TRACKING.bind(db, params),
    ERASE_CODES.bind(db, params),
    ERASE_EMAILS.bind(db, params),
    ERASE_RECIPIENTS.bind(db, params),
    ERASE_ORDERS.bind(db, params),
  ];
}

/**
 * Erases the personal data of the given gifts that are finished, and of their orders if all recipients are then erased.
 * Safe to repeat. One transaction, one round trip.
 */
export const writeErasure = (db: Database, ids: readonly number[], nowMs: number) =>
  db.batch(bindErasure(db, ids, nowMs));
