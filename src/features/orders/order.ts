// The columns and types of orders that several files share.
import { type NewRow, type Parsed } from "../../platform/db/columns.ts";
import type { Gifts } from "../../platform/db/schema.ts";
import { expression, type RowOf } from "../../platform/db/sql.ts";
import { gift, order } from "../../platform/db/tables.ts";
import type { LimitState } from "../credentials/limit-queries.ts";
import type { Offer } from "./offers.ts";

/** All states of an order. `cancieled` is the interface's spelling. */
export const ORDER_STATUSES = ["failed", "created", "paid", "cancieled"] as const;

/** The ways to place an order. The online store has the first three. */
export const ORDER_METHODS = ["email", "direct", "link", "api-purchase", "api-giftlink"] as const;

/** The columns of an order for GET /api/order. */
export const ORDER_COLUMNS = {
  ...order("id", "clientId", "orderRefId", "placementId", "requestDigest", "giftOrderMethod"),
  ...order("status", "giftOfChoice", "collectionId", "brandingSelected", "branding"),
  ...order("emailTemplate", "senderName", "metadata", "productId", "variationId"),
  ...order("productRevision", "baseLocation", "currency", "productPriceMinor", "qty"),
  ...order("subtotalMinor", "shippingCostMinor", "orderFeeMinor", "orderTotalMinor"),
  ...order("refundedMinor", "linkHowManyTimes", "linkUrl", "linkMessage", "linkNonce", "linkKeyId"),
  ...order("expiresAtMs", "createdAtMs", "updatedAtMs", "campaign", "credentialId", "sendCodes"),
};

export type Order = Parsed<RowOf<typeof ORDER_COLUMNS>>;

/** The columns of an order's gifts for GET /api/order. */
export const GIFT_COLUMNS = {
  ...gift("orderId", "sequence", "firstName", "lastName", "email", "phoneNumber", "emailMessage"),
  ...gift("deliveryAddress", "deliveryNotes", "deliveryEmail", "language", "externalId"),
  ...gift("metadata", "productId", "variationId", "selectedRevision", "redemptionStatus"),
  ...gift("redeemedAtMs", "openedAtMs", "redemptionId", "linkGeneration", "thankYou"),
  ...gift("thankedAtMs", "declinedAtMs", "expiresAtMs", "credentialId", "refundedMinor"),
};

export type Gift = Parsed<RowOf<typeof GIFT_COLUMNS>>;

/** The columns of an order for GET /api/orders. */
export const LISTED_COLUMNS = {
  ...order("id", "orderRefId", "status", "giftOrderMethod", "currency", "orderTotalMinor", "qty"),
  ...order("redeemedGifts", "cancelledGifts", "expiredGifts", "refundedMinor", "expiresAtMs"),
  ...order("createdAtMs", "updatedAtMs", "metadata", "linkNonce", "linkKeyId"),
  ...order("campaign", "credentialId"),
};

export type ListedOrder = RowOf<typeof LISTED_COLUMNS>;

/** The columns of a placement's gifts. */
export const NEW_GIFT = [
  "firstName",
  "lastName",
  "email",
  "phoneNumber",
  "emailMessage",
  "deliveryAddress",
  "deliveryNotes",
  "externalId",
  "metadata",
  "language",
  "searchTerms",
  "productMinor",
  "shippingMinor",
  "feeMinor",
  "nextEmailMs",
] as const satisfies (keyof Gifts["$inferInsert"])[];

export type NewGift = NewRow<Gifts, (typeof NEW_GIFT)[number]>;

/** The columns from which an order's gift links are derived, in addition to its id. Null in an order without links. */
export type LinkOrigin = Pick<Order, "linkNonce" | "linkKeyId">;

/**
 * The state that a new order is checked against. The offer may be cached. Stock and balance are read from the primary.
 */
export interface OrderFacts {
  /** Null if the product is not in the client's catalogue. */
  offer: Offer | null;
  /** Null if the product or variation has no stock record. The quantity is null if stock is not tracked. */
  stock?: { quantity: number | null; sellable: boolean } | null;
  balanceMinor?: number;
  /** Null if the credential set has none. */
  limits?: LimitState[] | null;
}

const TOTALS = {
  ...order("productPriceMinor", "qty", "subtotalMinor", "shippingCostMinor", "orderFeeMinor"),
  ...order("orderTotalMinor"),
};

/** Amounts in minor units. */
export type Totals = RowOf<typeof TOTALS>;

/**
 * The columns of an order that the response of its placement contains. A replay returns the same response, but the
 * present status in its header.
 */
export const PLACED_COLUMNS = {
  ...order("id", "status", "credentialId", "tookStock", "linkNonce", "linkKeyId"),
  ...TOTALS,
  // All placements have both.
  placementId: expression<string>()`o.placement_id`,
  requestDigest: expression<string>()`o.request_digest`,
};

export type PlacedOrder = RowOf<typeof PLACED_COLUMNS> & Pick<Order, "currency">;
