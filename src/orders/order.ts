// What an order is, for those who write it, read it and show it.
import type { orders, subOrders } from "../db/schema.ts";

/** As GET /api/order shows it. */
export type Order = Omit<typeof orders.$inferSelect, "tookStock">;
export type SubOrder = typeof subOrders.$inferSelect;

/** What an order's gift links are derived from besides its id. Both are null in an order without links. */
export type LinkOrigin = Pick<Order, "linkNonce" | "linkKeyId">;

export interface Totals {
  productPriceMinor: number;
  qty: number;
  subtotalMinor: number;
  shippingCostMinor: number;
  orderFeeMinor: number;
  orderTotalMinor: number;
}

/** What the answer of a placement is made of, the same for the first and for every repetition. */
export interface PlacedOrder extends Totals, LinkOrigin {
  id: number;
  currency: string;
  placementId: string;
  requestDigest: string;
}
