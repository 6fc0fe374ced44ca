// The statements that end gifts, which means that they are cancelled or expire, and that change an order's status.
import { type Json, jsonObject, type Parsed, parseJson } from "../../platform/db/columns.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { gift, order } from "../../platform/db/tables.ts";
import { STOCK_KIND } from "../catalogue/stock-kind.ts";
import { IS_TO_DELIVER } from "../codes/delivery-queries.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { ORDER_ID, ORDER_UPDATED_AT } from "../events/subject-queries.ts";
import { insertInvoiceEntry } from "../credit/invoice-queries.ts";
import { changeBalance, insertCreditEntry } from "../credit/queries.ts";
import { FINAL_AT, GIFT_REFUND } from "./gift-end.ts";
import { EXISTS_FOR_CHANGER, type OrderKey, unknownOrder } from "./order-key.ts";

/** What ends gifts: a cancellation, a payment that failed, or their last day. */
type EndingKind = "cancel" | "fail" | "expire";

export interface Ending extends OrderKey {
  kind: EndingKind;
  /** Unique for each attempt. The other statements of the batch select the gifts by it, so they change no others. */
  endingId: string;
  /**
   * The ids of the gifts to end. Null for all gifts that may end. `cancel` and `fail` then end the order too, even if some
   * of its gifts are redeemed or shipped.
   */
  giftIds: number[] | null;
  /** Whether redeemed gifts that are not shipped end too, also of a cancelled order. Only `cancel` has it, for the operator. */
  withRedeemed?: boolean | undefined;
  /**
   * If it is given, gifts whose parcel is returned or failed end too, also of a cancelled order. `restocks`: their pieces
   * return to the stock.
   * `keepsShipping`: their shipping cost is not refunded. Only `cancel` has it, for the operator.
   */
  undelivered?: { restocks: boolean; keepsShipping: boolean } | undefined;
  /** If it is given, only gifts that are final at this time end: declined ones (`cancel`), or the others (`expire`). */
  finalByMs?: number | undefined;
  nowMs: number;
}

/** The states of a gift and its order after the end. */
const ENDS = {
  cancel: { orderStatus: "cancieled", giftStatus: "cancelled" },
  fail: { orderStatus: "failed", giftStatus: "cancelled" },
  expire: { orderStatus: "cancieled", giftStatus: "expired" },
} as const;

/** The `redemptionStatus` of a gift that has ended. */
type EndStatus = (typeof ENDS)[EndingKind]["giftStatus"];

/** Why a gift does not end. A request may waive `redeemed` and `undelivered`. */
type EndingObstacle =
  "redeemed" | "shipped" | "undelivered" | "orderFailed" | "orderCancelled" | "ended";

/** The obstacle of gift `s` of order `o`. Null if it is open, also if it is declined or past its last day. */
const ENDING_OBSTACLE = expression<EndingObstacle | null>()`CASE
  WHEN s.redemption_status <> 'redeemed' THEN 'ended' WHEN s.fulfilment = 'shipped' THEN 'shipped'
  WHEN o.status = 'failed' THEN 'orderFailed' WHEN s.fulfilment = 'undelivered' THEN 'undelivered'
  WHEN s.redemption_status = 'redeemed' THEN 'redeemed' WHEN o.status = 'cancieled' THEN 'orderCancelled' END`;

/** The obstacles that the request waives. */
export const waivedBy = (request: Pick<Ending, "withRedeemed" | "undelivered">): string[] => [
  ...(request.withRedeemed ? ["redeemed"] : []),
  ...(request.undelivered ? ["undelivered"] : []),
];

/** Gift `s` has no obstacle that the request does not waive. No obstacle's name is part of another one's. */
const MAY_END = fragment`instr(${"waived"}, coalesce(${ENDING_OBSTACLE}, '')) > 0`;

/** `endingId`: the attempt that ended the gift. `refundMinor`: what its end would return. */
const GIFT = {
  ...gift("sequence", "redemptionStatus", "endingId", "shippingMinor", "refundedMinor"),
  obstacle: ENDING_OBSTACLE,
  isToDeliver: expression<0 | 1>()`${IS_TO_DELIVER}`,
  refundMinor: GIFT_REFUND,
};

const STATE = {
  ...order("id", "clientId", "orderRefId", "giftOrderMethod", "status", "qty", "currency"),
  ...order("expiresAtMs", "orderTotalMinor", "refundedMinor", "owedMinor"),
  ...order("redeemedGifts", "cancelledGifts", "expiredGifts"),
  gifts: expression<Json<OrderGift[]>>()`(SELECT json_group_array(${jsonObject("gifts", GIFT)}
    ORDER BY s.sequence) FROM gifts s WHERE s.order_id = o.id)`,
};

/** A gift of an order, with its state. */
export type OrderGift = Parsed<RowOf<typeof GIFT>>;

/** The state of an order and its gifts. Amounts in minor units. */
export type OrderState = Parsed<RowOf<typeof STATE>>;

interface AttemptKey extends Omit<OrderKey, "ownId" | "credentialId"> {
  endingId: string;
}

interface EntryParams extends AttemptKey {
  giftStatus: EndStatus;
  nowMs: number;
}

type EventParams = EntryParams & Pick<OrderKey, "credentialId">;

interface OrderParams extends EntryParams {
  /** 1 if the order ends, even if some of its gifts are redeemed or shipped. */
  endsOrder: number;
  orderStatus: OrderState["status"];
}

interface EndingParams extends OrderKey {
  endingId: string;
  /** JSON array, or null. */
  giftIds: string | null;
  /** 1 if only declined gifts end, 0 if only others do. Null for both. */
  isDeclined: number | null;
  finalByMs: number | null;
  /** The obstacles that are waived, as text. */
  waived: string;
  /** 1 if the pieces of undelivered parcels return to the stock. */
  restocks: number;
  /** 1 if their shipping cost is not refunded. */
  keepsShipping: number;
  giftStatus: EndStatus;
  orderStatus: OrderState["status"];
}

/** The sequences of the named gifts. A gift of another order gets a number that no sequence has. */
const NAMED = fragment`
  (SELECT value - ${ORDER_ID} * 1000 FROM json_each(${"giftIds"}))`;

// The guard: the gift has no obstacle, and all named gifts belong to the order and have none either, or have ended before.
// Only unpaid orders fail. If it does not hold, no gift is updated, and the other statements of the batch match no row.
// Only redeemed gifts have a thank-you note. The trigger `cancelled_redemptions_are_uncounted` updates the order.
const END_GIFTS = sql<EndingParams>()`
  UPDATE gifts AS s SET redemption_status = ${"giftStatus"}, ending_id = ${"endingId"},
    refunded_minor = max(0,
      ${GIFT_REFUND} - iif(${"keepsShipping"} = 1 AND s.fulfilment = 'undelivered', s.shipping_minor, 0)),
    credential_id = coalesce(${"credentialId"}, s.credential_id), thank_you = NULL, thanked_at_ms = NULL,
    took_stock = iif(s.fulfilment = 'undelivered' AND ${"restocks"} = 0, 0, s.took_stock), fulfilment = NULL
  FROM orders o JOIN clients c ON c.id = o.client_id
  WHERE o.id = ${ORDER_ID} AND s.order_id = o.id
    AND ${EXISTS_FOR_CHANGER}
    AND (${"orderStatus"} <> 'failed' OR o.status = 'created')
    AND (${"isDeclined"} IS NULL OR (s.declined_at_ms IS NOT NULL) = ${"isDeclined"})
    AND (${"finalByMs"} IS NULL OR ${FINAL_AT} <= ${"finalByMs"})
    AND ${MAY_END}
    AND (${"giftIds"} IS NULL OR s.sequence IN ${NAMED})
    AND (${"giftIds"} IS NULL OR (
      SELECT count(*) FROM gifts s WHERE s.order_id = ${ORDER_ID} AND s.sequence IN ${NAMED}
        AND (${MAY_END} OR ${ENDING_OBSTACLE} = 'ended')) = json_array_length(${"giftIds"}))`;

/** The gifts that END_GIFTS has ended in this batch. */
const ENDED_GIFTS = fragment`
  FROM gifts s WHERE s.order_id = ${ORDER_ID} AND s.ending_id = ${"endingId"}`;

// Only what was taken returns: pieces to a stock of pieces, codes to a stock of codes.
const RETURN_STOCK = sql<AttemptKey>()`
  UPDATE stock SET quantity = quantity + back.pieces
  FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces,
      coalesce(s.took_stock, (SELECT took_stock FROM orders WHERE id = ${ORDER_ID})) AS taken
    ${ENDED_GIFTS} GROUP BY s.product_id, coalesce(s.variation_id, 0), taken) back
  WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
    AND back.taken = ${STOCK_KIND} AND stock.quantity IS NOT NULL`;

/** The number of gifts that END_GIFTS has ended, and what they return. */
const ENDED = fragment`(SELECT count(*) AS gifts, sum(s.refunded_minor) AS refunded ${ENDED_GIFTS}) ended`;

const ENTRY_KIND = fragment`iif(${"giftStatus"} = 'expired', 'expiry', 'cancellation')`;

// Before UPDATE_ORDER, which changes what the client owes.
const INSERT_INVOICE_ENTRY = sql<EntryParams>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, ${ENTRY_KIND} AS kind, o.id AS order_id,
      -ended.refunded AS amount_minor, o.owed_minor, NULL AS reference, ${"nowMs"} AS created_at_ms
    FROM orders o, ${ENDED}
    WHERE o.id = ${ORDER_ID} AND o.owed_minor IS NOT NULL AND ended.refunded > 0`)}`;

/** Whether order `o` ends with them, also by itself. See DECISIONS.md: An order ends with its last gift. */
const ORDER_ENDS = fragment`(o.status <> 'cancieled'
  AND (${"endsOrder"} = 1 OR o.cancelled_gifts + o.expired_gifts + ended.gifts = o.qty))`;

const UPDATE_ORDER = sql<OrderParams>()`
  UPDATE orders AS o SET updated_at_ms = ${ORDER_UPDATED_AT},
    cancelled_gifts = o.cancelled_gifts + iif(${"giftStatus"} = 'cancelled', ended.gifts, 0),
    expired_gifts = o.expired_gifts + iif(${"giftStatus"} = 'expired', ended.gifts, 0),
    status = iif(${ORDER_ENDS}, ${"orderStatus"}, o.status),
    attempt_id = iif(${ORDER_ENDS}, ${"endingId"}, o.attempt_id),
    refunded_minor = o.refunded_minor + ended.refunded, owed_minor = o.owed_minor - ended.refunded,
    next_expiry_check_ms = iif(
      o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts + ended.gifts < o.qty,
      o.next_expiry_check_ms, NULL)
  FROM ${ENDED}
  WHERE o.id = ${ORDER_ID} AND ended.gifts > 0`;

const REFUNDED = fragment`
  SELECT o.id AS order_id, o.client_id, o.currency, ended.refunded AS amount
  FROM orders o, ${ENDED}
  WHERE o.id = ${ORDER_ID} AND o.debit_sequence IS NOT NULL AND ended.refunded > 0`;

const CREDIT_ACCOUNT = sql<AttemptKey>()`${changeBalance(REFUNDED)}`;

const INSERT_LEDGER_ENTRY = sql<EntryParams>()`
  ${insertCreditEntry(ENTRY_KIND, REFUNDED)}`;

// One event for each gift. If a cancellation has ended the order, the event of the order reports all gifts instead. In both,
// `json_patch` leaves out the number of redeemed gifts if there are none.
const INSERT_GIFT_EVENTS = sql<EventParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE} + e.number - 1, 'gift.' || ${"giftStatus"}, o.id, e.sequence,
    json_patch('{}', json_object('redeemedGifts', nullif(e.redeemed, 0), 'credentialId', ${"credentialId"},
      'refundMinor', e.refunded_minor)),
    ${"nowMs"}
  FROM orders o, (SELECT s.sequence, row_number() OVER (ORDER BY s.sequence) AS number,
      s.redemption_id IS NOT NULL AS redeemed, s.refunded_minor ${ENDED_GIFTS}) e
  WHERE o.id = ${ORDER_ID} AND (${"giftStatus"} = 'expired' OR o.attempt_id IS NOT ${"endingId"})
  ORDER BY e.number`;

// The events of expired gifts contain their refunds, so the event of their order contains none.
const INSERT_ORDER_EVENT = sql<EventParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, iif(o.status = 'failed', 'order.failed', 'order.cancelled'),
    o.id, NULL, iif(${"giftStatus"} = 'expired', json_object('cancelledGifts', 0, 'refundMinor', 0),
      json_patch('{}', (SELECT json_object('credentialId', ${"credentialId"}, 'cancelledGifts', count(*),
        'cancelledSequences', json_group_array(s.sequence ORDER BY s.sequence),
        'redeemedGifts', nullif(count(s.redemption_id), 0), 'refundMinor', sum(s.refunded_minor)) ${ENDED_GIFTS}))),
    ${"nowMs"}
  FROM orders o WHERE o.id = ${ORDER_ID} AND o.attempt_id = ${"endingId"}`;

export const SELECT_STATE = sql<Omit<OrderKey, "credentialId">>()`
  SELECT ${STATE}
  FROM orders o
  WHERE o.id = ${ORDER_ID} AND ${EXISTS_FOR_CHANGER}`;

/** Errors: `not_found`. One round trip. */
export const requireOrderState = async (db: Database, key: OrderKey): Promise<OrderState> =>
  toState(await SELECT_STATE.bind(db, key).all<RowOf<typeof STATE>>(), key);

/** The statements that end gifts, return their stock and credit, insert the events, and read the order: one transaction. */
export function bindEnding(db: Database, ending: Ending) {
  const { kind, giftIds, withRedeemed, undelivered, finalByMs = null, ...key } = ending;
  const params = {
    ...key,
    ...ENDS[kind],
    giftIds: giftIds && JSON.stringify(giftIds),
    isDeclined: kind === "expire" ? 0 : finalByMs === null ? null : 1,
    finalByMs,
    waived: waivedBy({ withRedeemed, undelivered }).join(" "),
    restocks: undelivered?.restocks ? 1 : 0,
    keepsShipping: undelivered?.keepsShipping ? 1 : 0,
    endsOrder: giftIds === null && finalByMs === null && kind !== "expire" ? 1 : 0,
  };
  return {
    end: END_GIFTS.bind(db, params),
    stock: RETURN_STOCK.bind(db, params),
    invoice: INSERT_INVOICE_ENTRY.bind(db, params),
    update: UPDATE_ORDER.bind(db, params),
    account: CREDIT_ACCOUNT.bind(db, params),
    giftEvents: INSERT_GIFT_EVENTS.bind(db, params),
    orderEvent: INSERT_ORDER_EVENT.bind(db, params),
    ledger: INSERT_LEDGER_ENTRY.bind(db, params),
    state: SELECT_STATE.bind(db, params),
  };
}

/** Errors: `not_found`. */
export function toState(
  { results: [row] }: D1Result<RowOf<typeof STATE>>,
  key: OrderKey,
): OrderState {
  if (!row) throw unknownOrder(key);
  return { ...row, gifts: parseJson(row.gifts) };
}
