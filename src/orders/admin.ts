// Orders for the operator's commands: lists of all clients' orders, imports, and changes of an order's state.
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { isDuplicate } from "../db/constraint.ts";
import { orders, productRevisions, subOrders } from "../db/schema.ts";
import { batch, fragment, statement } from "../db/statement.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import type { EventType } from "../events/event.ts";
import type { Order } from "./order.ts";

export interface OrderFilter {
  clientId?: string | undefined;
  status?: Order["status"] | undefined;
  method?: Order["giftOrderMethod"] | undefined;
  /** Placed at this time or later. */
  sinceMs?: number | undefined;
  /** Placed before this time. */
  untilMs?: number | undefined;
  limit: number;
}

/** The orders of all clients that match, newest first. */
export async function listOrders(d1: D1Database, filter: OrderFilter) {
  const { clientId, status, method, sinceMs, untilMs, limit } = filter;
  return drizzle(d1)
    .select({
      id: orders.id,
      clientId: orders.clientId,
      orderRefId: orders.orderRefId,
      giftOrderMethod: orders.giftOrderMethod,
      status: orders.status,
      productId: orders.productId,
      qty: orders.qty,
      currency: orders.currency,
      orderTotalMinor: orders.orderTotalMinor,
      createdAtMs: orders.createdAtMs,
    })
    .from(orders)
    .where(
      and(
        clientId === undefined ? undefined : eq(orders.clientId, clientId),
        status === undefined ? undefined : eq(orders.status, status),
        method === undefined ? undefined : eq(orders.giftOrderMethod, method),
        sinceMs === undefined ? undefined : gte(orders.createdAtMs, sinceMs),
        untilMs === undefined ? undefined : lt(orders.createdAtMs, untilMs),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(limit);
}

/** The client of an order, or null. */
export async function findOrderClient(d1: D1Database, orderId: number): Promise<string | null> {
  const [order] = await drizzle(d1)
    .select({ clientId: orders.clientId })
    .from(orders)
    .where(eq(orders.id, orderId));
  return order?.clientId ?? null;
}

/** The values of a product that an imported order copies. Null if the product has not been published. */
export async function findRevision(d1: D1Database, productId: number) {
  const [found] = await drizzle(d1)
    .select({
      revision: productRevisions.revision,
      currency: productRevisions.currency,
      priceMinor: productRevisions.priceMinor,
      shippingMinor: productRevisions.shippingMinor,
    })
    .from(productRevisions)
    .where(eq(productRevisions.productId, productId));
  return found ?? null;
}

/** The gifts that are redeemed or cancelled are counted from the sub-orders. */
export type ImportedOrder = Omit<typeof orders.$inferInsert, "redeemedGifts" | "cancelledGifts"> & {
  id: number;
};
export type ImportedSubOrder = Omit<typeof subOrders.$inferInsert, "orderId">;

/**
 * Adds an order of the online store, with its sub-orders, in one transaction. Returns `false` and adds nothing if
 * another order has the same id, or the same client and order_ref_id.
 */
export async function importOrder(
  d1: D1Database,
  order: ImportedOrder,
  recipients: ImportedSubOrder[],
): Promise<boolean> {
  const db = drizzle(d1);
  const countOf = (status: ImportedSubOrder["redemptionStatus"]) =>
    recipients.filter(({ redemptionStatus }) => redemptionStatus === status).length;
  try {
    await db.batch([
      db.insert(orders).values({
        ...order,
        redeemedGifts: countOf("redeemed"),
        cancelledGifts: countOf("cancelled"),
      }),
      ...recipients.map((recipient) =>
        db.insert(subOrders).values({ ...recipient, orderId: order.id }),
      ),
    ]);
    return true;
  } catch (error) {
    if (isDuplicate(error, "orders")) return false;
    throw error;
  }
}

export type Transition = "pay" | "fail" | "cancel";

const TRANSITIONS = {
  pay: { from: ["created"], to: "paid", eventType: "order.paid" },
  fail: { from: ["created"], to: "failed", eventType: "order.failed" },
  cancel: { from: ["created", "paid"], to: "cancieled", eventType: "order.cancelled" },
} as const;

export interface TransitionOutcome {
  /** False if the order's state does not allow the transition. Then nothing has changed. */
  changed: boolean;
  status: "failed" | "created" | "paid" | "cancieled";
  /** The number of redeemed gifts. */
  redeemed: number;
  qty: number;
  currency: string;
  /** The amount that was returned to the client's account, in minor units. */
  returnedMinor: number;
}

/** `states` is a JSON array of the states from which the transition is allowed. */
interface AllowedParams {
  orderId: number;
  states: string;
}

const REDEEMED = fragment`
  (SELECT count(*) FROM sub_orders WHERE order_id = o.id AND redemption_status = 'redeemed')`;

/** The order, if its state allows the transition. */
const ALLOWED = fragment`
  o.id = ${"orderId"} AND o.status IN (SELECT value FROM json_each(${"states"}))`;

/** The order, if it may fail or be cancelled: at least one gift is not redeemed. */
const CAN_END = fragment`${ALLOWED} AND o.qty > ${REDEEMED}`;

// Some orders took no stock: imported orders, and orders of products whose stock was not tracked. They return none.
const RETURN_STOCK = statement<AllowedParams>()`
  UPDATE stock SET quantity = quantity + back.pieces
  FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
    FROM orders o JOIN sub_orders s ON s.order_id = o.id AND s.redemption_status IS NULL
    WHERE ${CAN_END} AND o.took_stock = 1
    GROUP BY s.product_id, coalesce(s.variation_id, 0)) back
  WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
    AND stock.quantity IS NOT NULL`;

/**
 * The refund of an order that was paid from credit: the share of the gifts that are not redeemed (DECISIONS.md:
 * Cancelling refunds gifts that are not redeemed).
 */
const REFUND = fragment`
  SELECT o.id AS order_id, o.client_id, o.currency,
    o.order_total_minor * (o.qty - ${REDEEMED}) / o.qty AS amount
  FROM orders o WHERE ${CAN_END} AND o.debit_sequence IS NOT NULL`;

const CREDIT_ACCOUNT = statement<AllowedParams>()`
  UPDATE credit_accounts SET balance_minor = balance_minor + back.amount, entries = entries + 1
  FROM (${REFUND}) back
  WHERE credit_accounts.client_id = back.client_id AND credit_accounts.currency = back.currency`;

const INSERT_LEDGER_ENTRY = statement<AllowedParams & { nowMs: number }>()`
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    order_id, created_at_ms)
  SELECT a.client_id, a.currency, a.entries, 'cancellation', back.amount, a.balance_minor,
    back.order_id, ${"nowMs"}
  FROM (${REFUND}) back
  JOIN credit_accounts a ON a.client_id = back.client_id AND a.currency = back.currency`;

const CANCEL_SUB_ORDERS = statement<AllowedParams>()`
  UPDATE sub_orders SET redemption_status = 'cancelled'
  WHERE redemption_status IS NULL AND order_id IN (SELECT o.id FROM orders o WHERE ${CAN_END})`;

type EventParams = AllowedParams & { eventType: EventType; nowMs: number };

const INSERT_END_EVENT = statement<EventParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, ${"eventType"}, o.id, NULL,
    json_object('cancelledGifts', o.qty - ${REDEEMED},
      'refundMinor', coalesce((SELECT amount FROM (${REFUND})), 0)),
    ${"nowMs"}
  FROM orders o WHERE ${CAN_END}`;

const INSERT_PAID_EVENT = statement<EventParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, ${"eventType"}, o.id, NULL, NULL, ${"nowMs"}
  FROM orders o WHERE ${ALLOWED}`;

type UpdateParams = AllowedParams & { to: Order["status"]; nowMs: number };

const END_ORDER = statement<UpdateParams>()`
  UPDATE orders AS o SET status = ${"to"}, updated_at_ms = ${"nowMs"},
    cancelled_gifts = o.qty - ${REDEEMED}
  WHERE ${CAN_END}`;

const PAY_ORDER = statement<UpdateParams>()`
  UPDATE orders AS o SET status = ${"to"}, updated_at_ms = ${"nowMs"} WHERE ${ALLOWED}`;

const SELECT_TRANSITION = statement<{ orderId: number }, Omit<TransitionOutcome, "changed">>()`
  SELECT o.status, o.qty, o.currency, ${REDEEMED} AS redeemed,
    coalesce((SELECT amount_minor FROM credit_entries
      WHERE order_id = o.id AND kind = 'cancellation'), 0) AS returnedMinor
  FROM orders o WHERE o.id = ${"orderId"}`;

/**
 * Changes the order's state if the present state allows it (DECISIONS.md: Order states change in one direction). `fail`
 * and `cancel` also cancel every gift that is not redeemed, and return its stock and credit. Redeemed gifts are not
 * refunded. Returns null if there is no such order. One transaction.
 */
export async function transition(
  d1: D1Database,
  orderId: number,
  name: Transition,
  nowMs: number,
): Promise<TransitionOutcome | null> {
  const { from, to, eventType } = TRANSITIONS[name];
  const allowed = { orderId, states: JSON.stringify(from), to, eventType, nowMs };
  // The order is updated last, because the other statements depend on its previous state.
  const writes =
    name === "pay"
      ? [INSERT_PAID_EVENT.bind(d1, allowed), PAY_ORDER.bind(d1, allowed)]
      : [
          RETURN_STOCK.bind(d1, allowed),
          CREDIT_ACCOUNT.bind(d1, allowed),
          INSERT_LEDGER_ENTRY.bind(d1, allowed),
          INSERT_END_EVENT.bind(d1, allowed),
          CANCEL_SUB_ORDERS.bind(d1, allowed),
          END_ORDER.bind(d1, allowed),
        ];
  const results = await batch(d1, [...writes, SELECT_TRANSITION.bind(d1, { orderId })]);
  const outcome = results.at(-1)?.results[0];
  return outcome ? { ...outcome, changed: results.at(-2)?.meta.changes === 1 } : null;
}
