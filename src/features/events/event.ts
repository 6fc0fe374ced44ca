// The types of events, and an event as the log contains it.

/** All types of events, in the order of the documentation. */
export const EVENT_TYPES = [
  "order.created",
  "order.paid",
  "order.failed",
  "order.cancelled",
  "order.extended",
  "gift.redeemed",
  "gift.thanked",
  "gift.declined",
  "gift.cancelled",
  "gift.extended",
  "gift.corrected",
  "gift.renewed",
  "gift.expiring",
  "gift.expired",
  "gift.shipped",
  "gift.delivered",
  "gift.sent",
  "gift.reopened",
  "credit.low",
  "data.restored",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types of events about a parcel. */
export const TRACKED_EVENT_TYPES = ["gift.shipped", "gift.delivered"] as const;

/** An event with the columns of its order. Amounts are in minor units. */
export interface ClientEvent {
  sequence: number;
  type: EventType;
  createdAtMs: number;
  /** The columns of the order are null if the event is not about an order. */
  orderId: number | null;
  orderRefId: string | null;
  currency: string | null;
  qty: number | null;
  orderTotalMinor: number | null;
  /** Null if the event is not about one gift. */
  suborderSequence: number | null;
  /** JSON: the metadata of the order. */
  metadata: string | null;
  /** The partner's id and metadata of the gift's recipient. The metadata is JSON. */
  externalId: string | null;
  recipientMetadata: string | null;
  /**
   * The present tracking of the parcel, only in events of `TRACKED_EVENT_TYPES`. It is not stored with the event
   * (DECISIONS.md: Events show the present tracking of a parcel).
   */
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  data: EventData;
}

/** The values that are stored with an event, because the order does not have them. Each type has some of them. */
export interface EventData {
  /** The amount that the change returned to the client's account: for an order that ended, or for one gift. */
  refundMinor?: number;
  /** `order.failed`, `order.cancelled`: the number of gifts that were cancelled, and which, if there are any. */
  cancelledGifts?: number;
  cancelledSequences?: number[];
  /** `gift.cancelled`, `order.cancelled`: the number of cancelled gifts that were redeemed, if there are any. Not shown. */
  redeemedGifts?: number;
  /** `order.created`, `order.paid` at placement, `order.extended`, `gift.extended`, `gift.expiring`: when the gifts expire. */
  expiresAtMs?: number | null;
  /** `gift.redeemed`: the recipient's choice. */
  productId?: number;
  variationId?: number | null;
  /** `gift.corrected`: the names of the fields. */
  correctedFields?: string[];
  /** `credit.low`: the account, its balance, and the amount that the balance is below. */
  currency?: string;
  balanceMinor?: number;
  alertBelowMinor?: number;
  /** `data.restored`: the sequence of the last event before the lost ones. */
  lastSequence?: number;
}

/**
 * More numbers than a database can give out in a minute. If it is unknown which numbers the lost database has given out,
 * the restored one continues after its own by a multiple of this.
 */
export const RESTORE_ROOM = 10_000_000;
