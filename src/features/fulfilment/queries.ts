// The statements that change shipments, and those that read the gifts to change.
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  rawSql,
  type RowOf,
  type Sql,
  sql,
  writeAndRead,
} from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, gift, order, revision, shipment } from "../../platform/db/tables.ts";
import { EMAIL_FACTS } from "../../core/values/email-kinds.ts";
import {
  emailOf,
  reportOf,
  type ShipmentStatus,
  statesThat,
} from "../../core/values/shipment-states.ts";
import { columnName, orNull } from "../../platform/db/columns.ts";
import { SHIPMENT_EVENTS } from "../events/event.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { IS_MAILED } from "../schedule/queries.ts";
import { LOOK_NOW, ORDER_UPDATED_AT, SHIPMENT_UPDATED_AT } from "../events/subject-queries.ts";
import { JOIN_RECEIVED_REVISION, OF_VENDOR, type OfVendor, patchTerms } from "../orders/queries.ts";
import { searchTermsOf } from "../orders/search-terms.ts";
import { STEP_OBSTACLE } from "./obstacles.ts";
import {
  byShipment,
  byStep,
  type GiftShipment,
  type ShipmentStep,
  STEP_RESULTS,
  TRACKING,
} from "./shipment.ts";

/** Whose gifts exist for a request. */
export interface GiftScope {
  /** Null for the operator, who may change the shipments of all clients. */
  clientId: string | null;
  /** Only gifts that this vendor sends. */
  vendor?: string | null | undefined;
}

export interface ShipmentAttempt extends GiftScope {
  /** Unique for each attempt. The other statements of the batch select the shipments by it. */
  changeId: string;
  nowMs: number;
}

interface GiftsParams {
  clientId: string | null;
  /** JSON: GiftKey[] or GiftShipment[]. */
  gifts: string;
}

type AttemptParams = Omit<ShipmentAttempt, keyof GiftScope> & GiftsParams;

/** The requested gifts with their orders `o`. */
const GIFTS = fragment`
  FROM json_each(${"gifts"}) v
  JOIN orders o ON o.id = v.value ->> '$.orderId' AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})`;

/** The requested gifts `s` with their orders `o`. */
const GIFT_ROWS = fragment`
  ${GIFTS} JOIN gifts s ON s.order_id = o.id AND s.sequence = v.value ->> '$.sequence'`;

/** When parcel `v` of order `o` was shipped or delivered. The day of a file is that of its place: it may have begun. */
const AT_MS = fragment`min(${"nowMs"}, max(o.created_at_ms, coalesce(v.value ->> '$.atMs', ${"nowMs"})))`;

/** The requested gifts with their revisions `r` and shipments `h`. */
const GIFTS_WITH_SHIPMENTS = fragment`
  ${GIFT_ROWS} ${JOIN_RECEIVED_REVISION} AND ${OF_VENDOR} ${JOIN_SHIPMENT}`;

// A reopened shipment has a row already.
const INSERT_SHIPMENTS = sql<AttemptParams & OfVendor>()`
  INSERT INTO shipments (order_id, sequence, client_id, status, carrier, tracking_number,
    tracking_url, shipped_at_ms, updated_at_ms, change_id)
  SELECT o.id, s.sequence, o.client_id, iif(r.delivery = 'digital', 'sent', 'shipped'),
    v.value ->> '$.carrier', v.value ->> '$.trackingNumber', v.value ->> '$.trackingUrl',
    ${AT_MS}, ${SHIPMENT_UPDATED_AT}, ${"changeId"}
  ${GIFTS_WITH_SHIPMENTS} WHERE (${STEP_OBSTACLE.ship}) IS NULL
  ON CONFLICT (order_id, sequence) DO UPDATE SET status = excluded.status, carrier = excluded.carrier,
    tracking_number = excluded.tracking_number, tracking_url = excluded.tracking_url,
    shipped_at_ms = excluded.shipped_at_ms, updated_at_ms = excluded.updated_at_ms,
    change_id = excluded.change_id`;

/** The shipments `h` that this attempt has changed. */
const CHANGED = fragment`
  ${GIFTS} JOIN shipments h ON h.order_id = o.id AND h.sequence = v.value ->> '$.sequence'
    AND h.change_id = ${"changeId"}`;

/** Shipment `h` is that of a digital gift. */
const IS_SENT_AS_CODE = rawSql(`h.status IN (${statesThat(({ email }) => email === "code")})`);

const INSERT_CODES = sql<AttemptParams>()`
  INSERT INTO codes (product_id, variation_id, sealed, key_id, fingerprint, expires_at_ms, order_id, sequence,
    bound_at_ms, created_at_ms)
  SELECT s.product_id, coalesce(s.variation_id, 0), v.value ->> '$.code.sealed', v.value ->> '$.code.keyId',
    v.value ->> '$.code.fingerprints[0]', v.value ->> '$.code.expiresAtMs', s.order_id, s.sequence,
    ${"nowMs"}, ${"nowMs"}
  ${CHANGED} AND ${IS_SENT_AS_CODE} JOIN gifts s ON s.order_id = h.order_id AND s.sequence = h.sequence
  WHERE v.value ->> '$.code.keyId' IS NOT NULL`;

/** The gifts of these shipments, with the terms of their tracking, and what their orders have taken of the stock. */
const FROM_CHANGED = fragment`
  FROM (SELECT h.order_id, h.sequence, v.value -> '$.searchTerms' AS terms, o.took_stock AS taken ${CHANGED}) n
  WHERE gifts.order_id = n.order_id AND gifts.sequence = n.sequence`;

const MARK_SHIPPED = sql<Omit<AttemptParams, "nowMs">>()`
  UPDATE gifts SET fulfilment = 'shipped', ${patchTerms(fragment`n.terms`)} ${FROM_CHANGED}`;

const UPDATE_TERMS = sql<Omit<AttemptParams, "nowMs">>()`
  UPDATE gifts SET ${patchTerms(fragment`n.terms`)} ${FROM_CHANGED}`;

const COUNT_SHIPPED = sql<AttemptParams>()`
  UPDATE orders AS o SET shipped_gifts = o.shipped_gifts + n.gifts, updated_at_ms = ${ORDER_UPDATED_AT}
  FROM (SELECT h.order_id, count(*) AS gifts ${CHANGED} GROUP BY h.order_id) n
  WHERE o.id = n.order_id`;

/** Shipment `h` has got another status. Otherwise, its tracking was corrected. */
const HAS_NEW_STATUS = fragment`
  (h.earlier_tracking ->> '$[#-1].changeId' IS NOT ${"changeId"} OR h.earlier_tracking ->> '$[#-1].status' <> h.status)`;

const INSERT_SHIPMENT_EVENTS = sql<AttemptParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE} - 1
      + row_number() OVER (PARTITION BY o.client_id ORDER BY h.order_id, h.sequence),
    ${byShipment((status) => `'${SHIPMENT_EVENTS[status]}'`)}, h.order_id, h.sequence, NULL, ${"nowMs"}
  ${CHANGED} AND ${HAS_NEW_STATUS}`;

/** The setting of the e-mail about shipment `h`, so that nothing is written if it is off. */
const IS_WANTED = byShipment((status) => {
  const email = emailOf(status);
  return email === null ? "0" : columnName(EMAIL_FACTS[email].setting);
});

const LOOK_AT_EMAILS = sql<AttemptParams>()`
  UPDATE gifts AS s SET next_email_ms = ${LOOK_NOW}
  FROM (SELECT h.order_id, h.sequence, h.status, o.gift_order_method, o.send_codes, c.notify_accepted, c.notify_shipped
    ${CHANGED} JOIN clients c ON c.id = o.client_id WHERE ${HAS_NEW_STATUS}) h
  WHERE s.order_id = h.order_id AND s.sequence = h.sequence AND ${IS_WANTED}
    AND (h.gift_order_method = 'api-purchase' OR ${IS_SENT_AS_CODE} OR ${IS_MAILED})`;

/** Whether answer `a` is about one of the numbers of request `v`, which has the same carrier. */
const IS_KEPT = fragment`v.value ->> '$.isOtherCarrier' IS NOT 1 AND instr(',' || replace(replace(coalesce(v.value ->> '$.trackingNumber', ''), ' ', ''), ';', ',') || ',',
  ',' || replace(a.key, ' ', '') || ',')`;

/** Whether shipment `h` has its status from an answer that request `v` does not keep. A correction takes it back. */
const IS_TAKEN_BACK = expression<0 | 1>()`EXISTS (SELECT 1 FROM json_each(h.carrier_answers) a
  WHERE a.value ->> '$.status' = ${byShipment((status) => `'${String(reportOf(status))}'`)} AND NOT (${IS_KEPT}))`;

/** Changes the shipments `h` with the values `v` and at the times of `n`. */
const updateShipments = (step: ShipmentStep, set: Fragment<"changeId">) =>
  sql<AttemptParams & OfVendor>()`
  UPDATE shipments AS h SET ${set}, updated_at_ms = n.updated_at_ms, change_id = ${"changeId"}
  FROM (SELECT s.order_id, s.sequence, v.value AS v, ${AT_MS} AS at_ms, ${SHIPMENT_UPDATED_AT} AS updated_at_ms,
    ${IS_TAKEN_BACK} AS is_taken_back, (SELECT json_group_object(a.key, json(a.value))
      FROM json_each(h.carrier_answers) a WHERE ${IS_KEPT}) AS kept_answers
    ${GIFTS_WITH_SHIPMENTS} WHERE (${STEP_OBSTACLE[step]}) IS NULL) n
  WHERE h.order_id = n.order_id AND h.sequence = n.sequence`;

const KEEP_ANSWERS = fragment`carrier_answers = coalesce(n.v -> '$.answered.carrierAnswers', h.carrier_answers)`;

const setUndelivered = (step: "return" | "fail") =>
  updateShipments(
    step,
    fragment`status = ${rawSql(`'${STEP_RESULTS[step]}'`)}, problem = n.v ->> '$.problem', ${KEEP_ANSWERS}`,
  );

/** Keeps the present tracking of shipment `h`, which the statement replaces. */
const KEEP_TRACKING = fragment`
  earlier_tracking = json_insert(coalesce(h.earlier_tracking, '[]'), '$[#]', json_object(
    'carrier', h.carrier, 'trackingNumber', h.tracking_number, 'trackingUrl', h.tracking_url,
    'status', h.status, 'problem', h.problem, 'shippedAtMs', h.shipped_at_ms,
    'deliveredAtMs', h.delivered_at_ms, 'replacedAtMs', n.updated_at_ms, 'changeId', ${"changeId"}))`;

const REOPEN = fragment`status = 'open', carrier = NULL, tracking_number = NULL, tracking_url = NULL,
    shipped_at_ms = NULL, delivered_at_ms = NULL, problem = NULL, carrier_answers = NULL, ${KEEP_TRACKING}`;

const VOID_CODES = sql<AttemptParams>()`
  UPDATE codes SET voided_at_ms = ${"nowMs"}, void_reason = 'reopened' FROM (SELECT h.order_id, h.sequence ${CHANGED}) n
  WHERE codes.order_id = n.order_id AND codes.sequence = n.sequence AND codes.voided_at_ms IS NULL`;

// A code that the gift has taken of the stock does not come back.
const UNMARK_SHIPPED = sql<Omit<AttemptParams, "nowMs">>()`
  UPDATE gifts SET fulfilment = NULL, search_terms = json_remove(search_terms, '$.tracking_number'),
    took_stock = iif(coalesce(took_stock, n.taken) = 2, 0, took_stock)
  ${FROM_CHANGED}`;

/** The pieces that gifts take when they are shipped again. */
const TAKE_PIECES = sql<Omit<AttemptParams, "nowMs">>()`
  UPDATE stock SET quantity = quantity - n.pieces FROM (
    SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
    ${CHANGED} JOIN gifts s ON s.order_id = h.order_id AND s.sequence = h.sequence GROUP BY 1, 2) n
  WHERE stock.product_id = n.product_id AND stock.variation_id = n.variation_id
    AND quantity IS NOT NULL AND code_days IS NULL`;

const MARK_TAKEN = sql<Omit<AttemptParams, "nowMs">>()`
  UPDATE gifts SET took_stock = coalesce((SELECT k.quantity IS NOT NULL AND k.code_days IS NULL FROM stock k
    WHERE k.product_id = gifts.product_id AND k.variation_id = coalesce(gifts.variation_id, 0)), 0)
  ${FROM_CHANGED}`;

const UPDATE_ORDER_TIMES = sql<AttemptParams>()`
  UPDATE orders AS o SET updated_at_ms = ${ORDER_UPDATED_AT}
  FROM (SELECT DISTINCT h.order_id ${CHANGED}) n WHERE o.id = n.order_id`;

const columnsFor = (step: ShipmentStep) => ({
  orderId: order("id").id,
  ...order("clientId"),
  ...gift("sequence"),
  ...revision("delivery"),
  /** `open` also if the gift cannot be shipped, for example because it is not redeemed. */
  shipmentStatus: expression<ShipmentStatus>()`coalesce(h.status, 'open')`,
  /** The attempt that changed the shipment last. Null if it was never shipped. */
  ...orNull(shipment("changeId")),
  ...TRACKING,
  isTakenBack: IS_TAKEN_BACK,
  obstacle: STEP_OBSTACLE[step],
});

const selectGifts = (step: ShipmentStep) => sql<GiftsParams & OfVendor>()`
  SELECT ${columnsFor(step)} ${GIFTS_WITH_SHIPMENTS}`;

const SELECT_GIFTS = byStep(selectGifts);

/** A gift with its shipment, and why the step is not possible in its present state. */
export type RequestedGift = RowOf<ReturnType<typeof columnsFor>>;

/** The requested gifts that exist, in any order. One round trip. */
export const readGifts = (
  db: Database,
  step: ShipmentStep,
  { clientId, vendor = null }: GiftScope,
  shipments: readonly GiftShipment[],
): Promise<RequestedGift[]> =>
  SELECT_GIFTS[step].all(db, { clientId, vendor, gifts: JSON.stringify(shipments) });

/** What follows the statements of each step. */
const REPORT = [INSERT_SHIPMENT_EVENTS, LOOK_AT_EMAILS];

/** The statements of each step, in their order. Triggers mark undelivered gifts, and uncount reopened shipments. */
const WRITES: Record<ShipmentStep, readonly Sql<AttemptParams & OfVendor, never>[]> = {
  ship: [INSERT_SHIPMENTS, INSERT_CODES, MARK_SHIPPED, COUNT_SHIPPED],
  deliver: [
    updateShipments(
      "deliver",
      fragment`status = 'delivered', delivered_at_ms = max(h.shipped_at_ms, n.at_ms), problem = NULL, ${KEEP_ANSWERS}`,
    ),
    UPDATE_ORDER_TIMES,
  ],
  return: [setUndelivered("return"), UPDATE_ORDER_TIMES],
  fail: [setUndelivered("fail"), UPDATE_ORDER_TIMES],
  correct: [
    updateShipments(
      "correct",
      fragment`carrier = n.v ->> '$.carrier', tracking_number = n.v ->> '$.trackingNumber',
        tracking_url = n.v ->> '$.trackingUrl', carrier_answers = n.kept_answers, ${KEEP_TRACKING},
        status = iif(n.is_taken_back, 'shipped', h.status), problem = iif(n.is_taken_back, NULL, h.problem),
        delivered_at_ms = iif(n.is_taken_back, NULL, h.delivered_at_ms)`,
    ),
    ...[UPDATE_TERMS, UPDATE_ORDER_TIMES],
  ],
  reopen: [updateShipments("reopen", REOPEN), VOID_CODES, UNMARK_SHIPPED, UPDATE_ORDER_TIMES],
  reship: [
    ...[updateShipments("reship", REOPEN), TAKE_PIECES, UNMARK_SHIPPED, UPDATE_ORDER_TIMES],
    MARK_TAKEN,
  ],
};

/**
 * Carries out the step for the gifts whose state allows it. The gifts must be distinct. Returns the state of all gifts
 * that exist, in any order. One transaction, one round trip.
 */
export async function writeShipments(
  db: Database,
  step: ShipmentStep,
  attempt: ShipmentAttempt,
  shipments: readonly GiftShipment[],
): Promise<RequestedGift[]> {
  const gifts = shipments.map((shipment) => ({
    ...shipment,
    searchTerms: searchTermsOf({ tracking_number: shipment.trackingNumber }),
  }));
  const params = { ...attempt, vendor: attempt.vendor ?? null, gifts: JSON.stringify(gifts) };
  const writes = [...WRITES[step], ...REPORT].map((write) => write.bind(db, params));
  return writeAndRead(db, writes, SELECT_GIFTS[step].bind(db, params));
}
