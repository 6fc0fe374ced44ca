// Types of shipments that several files share.
import type { Product } from "../catalogue/product.ts";
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Shipments, shipments } from "../../platform/db/schema.ts";
import type { Order, SubOrder } from "../orders/order.ts";

/** All states of a shipment. A parcel is shipped and then delivered, a digital gift is sent. */
export const SHIPMENT_STATUSES = ["open", "shipped", "delivered", "sent"] as const;
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

/**
 * `correct` replaces the tracking of parcels that are shipped or delivered. `reopen` sets a shipment that was recorded by
 * mistake back to open.
 */
export type ShipmentStep = "ship" | "deliver" | "correct" | "reopen";

export interface GiftKey {
  orderId: number;
  sequence: number;
}

/** The carrier of a parcel, and the number and page for tracking it. All values of a digital gift are null. */
export type Tracking = Pick<
  typeof shipments.$inferSelect,
  "carrier" | "trackingNumber" | "trackingUrl"
>;

/** A gift to ship, with the tracking of its parcel. */
export interface Parcel extends GiftKey, Tracking {}

/** The tracking and the times of the LEFT JOINed shipment `h`. Null while the shipment is open. */
export const TRACKING = orNull(
  columnsOf<Shipments>("h")(
    ...(["carrier", "trackingNumber", "trackingUrl", "shippedAtMs", "deliveredAtMs"] as const),
  ),
);

/** A gift with its shipment. */
export interface ShippedGift extends Parcel {
  clientId: string;
  orderStatus: Order["status"];
  giftOrderMethod: Order["giftOrderMethod"];
  redemptionStatus: SubOrder["redemptionStatus"];
  delivery: Product["delivery"];
  /** `open` also if the gift cannot be shipped, for example because it is not redeemed. */
  shipmentStatus: ShipmentStatus;
  /** The attempt that changed the shipment last. Null if it was never shipped. */
  changeId: string | null;
  /** Null if the recipient's data was not erased. */
  erasedAtMs: number | null;
  /** Null if the recipient has not declined the gift. */
  declinedAtMs: number | null;
}
