// Orders as the operator looks for them: those of all clients, newest first.
import type { Order } from "./order.ts";

export interface OrderFilter {
  clientId: string | null;
  status: Order["status"] | null;
  method: Order["giftOrderMethod"] | null;
  /** Placed at this moment or after it. */
  sinceMs: number | null;
  /** Placed before this moment. */
  untilMs: number | null;
  limit: number;
}

export type ListedOrder = Pick<
  Order,
  | "id"
  | "clientId"
  | "orderRefId"
  | "giftOrderMethod"
  | "status"
  | "productId"
  | "qty"
  | "currency"
  | "orderTotalMinor"
  | "createdAtMs"
>;

/** For operators only: it asks for no client. */
export async function listOrders(d1: D1Database, filter: OrderFilter): Promise<ListedOrder[]> {
  const { results } = await d1
    .prepare(
      `SELECT id, client_id AS clientId, order_ref_id AS orderRefId,
         gift_order_method AS giftOrderMethod, status, product_id AS productId, qty, currency,
         order_total_minor AS orderTotalMinor, created_at_ms AS createdAtMs
       FROM orders
       WHERE (?1 IS NULL OR client_id = ?1) AND (?2 IS NULL OR status = ?2)
         AND (?3 IS NULL OR gift_order_method = ?3)
         AND (?4 IS NULL OR created_at_ms >= ?4) AND (?5 IS NULL OR created_at_ms < ?5)
       ORDER BY id DESC LIMIT ?6`,
    )
    .bind(
      filter.clientId,
      filter.status,
      filter.method,
      filter.sinceMs,
      filter.untilMs,
      filter.limit,
    )
    .all<ListedOrder>();
  return results;
}

/** Whose order it is, or null: every other reading of an order names its client. */
export async function findOwner(d1: D1Database, orderId: number): Promise<string | null> {
  return d1
    .prepare("SELECT client_id FROM orders WHERE id = ?1")
    .bind(orderId)
    .first<string>("client_id");
}
