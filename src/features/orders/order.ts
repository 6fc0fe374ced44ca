// Types of orders that several files share.
import type { Client } from "../clients/profile.ts";
import type { Metadata, orders, subOrders } from "../../platform/db/schema.ts";
import type { GiftLinkRequest, OrderRequest } from "./contract.ts";
import type { Offer } from "./offers.ts";

/** All states of an order. `cancieled` is the interface's spelling. */
export const ORDER_STATUSES = ["failed", "created", "paid", "cancieled"] as const;

/** The ways to place an order. The online store has the first three. */
export const ORDER_METHODS = ["email", "direct", "link", "api-purchase", "api-giftlink"] as const;

/** An order as GET /api/order shows it. The optional columns are undefined if they were not read. */
export interface Order extends OrderColumns {
  metadata?: Metadata | null | undefined;
  senderName?: string | null | undefined;
  refundedMinor?: number | undefined;
  expiresAtMs?: number | null | undefined;
  updatedAtMs?: number | null | undefined;
}

type OrderColumns = Omit<
  typeof orders.$inferSelect,
  | "tookStock"
  | "debitSequence"
  | "placedSequence"
  | "updatedAtMs"
  | "redeemedGifts"
  | "cancelledGifts"
  | "expiredGifts"
  | "refundedMinor"
  | "expiresAtMs"
  | "nextExpiryCheckMs"
  | "metadata"
  | "shippedGifts"
  | "finished"
  | "senderName"
  | "erasedAtMs"
  | "expiryCheckedMs"
  | "owedMinor"
>;

/** An order as GET /api/orders shows it. */
export interface ListedOrder extends ListedColumns {
  /** JSON. */
  metadata: string | null;
}

type ListedColumns = Pick<
  typeof orders.$inferSelect,
  | "id"
  | "orderRefId"
  | "status"
  | "giftOrderMethod"
  | "currency"
  | "orderTotalMinor"
  | "qty"
  | "redeemedGifts"
  | "cancelledGifts"
  | "expiredGifts"
  | "refundedMinor"
  | "expiresAtMs"
  | "createdAtMs"
  | "updatedAtMs"
>;

type SubOrderColumns = Omit<
  typeof subOrders.$inferSelect,
  "endingId" | "hasShipment" | "erasedAtMs" | "corrections" | "tookStock" | keyof OptionalColumns
>;

/** Undefined if they were not read. */
type OptionalColumns = Pick<
  typeof subOrders.$inferSelect,
  | "externalId"
  | "metadata"
  | "language"
  | "deliveryEmail"
  | "thankedAtMs"
  | "thankYou"
  | "declinedAtMs"
  | "expiresAtMs"
>;

export interface SubOrder extends SubOrderColumns, Partial<OptionalColumns> {}

/** The columns from which an order's gift links are derived, in addition to its id. Null in an order without links. */
export type LinkOrigin = Pick<Order, "linkNonce" | "linkKeyId">;

/** A validated request, with its client and the method of its endpoint. */
export type Placement =
  | { method: "api-purchase"; client: Client; request: OrderRequest }
  | { method: "api-giftlink"; client: Client; request: GiftLinkRequest; link: LinkOrigin };

/** Amounts in minor units. */
export interface Totals {
  productPriceMinor: number;
  qty: number;
  subtotalMinor: number;
  shippingCostMinor: number;
  orderFeeMinor: number;
  orderTotalMinor: number;
}

/**
 * The state that a new order is checked against. The offer may be cached. Stock and balance are read from the primary.
 */
export interface OrderFacts {
  /** Null if the product is not in the client's catalogue. */
  offer: Offer | null;
  /** Null if the product or variation has no stock record. The quantity is null if stock is not tracked. */
  stock?: { quantity: number | null; sellable: boolean } | null;
  balanceMinor?: number;
}

/**
 * The columns of an order that the response of its placement contains. A replay returns the same response, but the
 * present status in its header.
 */
export interface PlacedOrder extends Totals, LinkOrigin {
  id: number;
  status: Order["status"];
  currency: string;
  placementId: string;
  requestDigest: string;
}
