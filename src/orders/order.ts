// What an order is, for those who write it, read it and show it.
import type { orders, subOrders } from "../db/schema.ts";

/** As GET /api/order shows it. */
export type Order = Omit<typeof orders.$inferSelect, "tookStock">;
export type SubOrder = typeof subOrders.$inferSelect;

export interface Totals {
  productPriceMinor: number;
  qty: number;
  subtotalMinor: number;
  shippingCostMinor: number;
  orderFeeMinor: number;
  orderTotalMinor: number;
}

/** What the answer of a placement is made of, the same for the first and for every repetition. */
export interface PlacedOrder extends Totals {
  id: number;
  currency: string;
  placementId: string;
  requestDigest: string;
}
