// The types of events, and the values that are stored with them.
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import type { EmailKind } from "../../core/values/email-kinds.ts";
import type { Currency } from "../../core/values/iso.ts";
import type { Scope } from "../../core/values/scopes.ts";

/** All types of events, in the order of the documentation. */
export const PRODUCT_EVENT_TYPES = [
  "product.added",
  "product.changed",
  "product.removed",
  "product.sold_out",
  "product.available",
] as const;

export const EVENT_TYPES = [
  "order.created",
  "order.paid",
  "order.failed",
  "order.cancelled",
  "order.extended",
  "gift.opened",
  "gift.redeemed",
  "gift.thanked",
  "gift.declined",
  "gift.reinstated",
  "gift.cancelled",
  "gift.extended",
  "gift.corrected",
  "gift.renewed",
  "gift.expiring",
  "gift.expired",
  "gift.shipped",
  "gift.delivered",
  "gift.sent",
  "gift.returned",
  "gift.failed",
  "gift.reopened",
  "gift.email_sent",
  "gift.email_failed",
  "credit.low",
  "credential.created",
  "credential.limited",
  "credential.revoked",
  ...PRODUCT_EVENT_TYPES,
  "collection.changed",
  "collection.removed",
  "data.restored",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The event that reports the change of a shipment to each state. */
export const SHIPMENT_EVENTS = {
  open: "gift.reopened",
  shipped: "gift.shipped",
  delivered: "gift.delivered",
  sent: "gift.sent",
  returned: "gift.returned",
  failed: "gift.failed",
} as const satisfies Record<ShipmentStatus, EventType>;

/** The reasons among which a recipient who declines chooses. */
export const DECLINE_REASONS = ["not_allowed", "not_suitable", "wrong_person", "other"] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Whether the event is about a product of the catalogue. There may be thousands of them at once. */
export const isProductEvent = (type: string): boolean => type.startsWith("product.");

/** The values that are stored with an event, because the order does not have them. Each type has some of them. */
export interface EventData {
  /** What the change returned, or took off what the client owes: for an order that ended, or for one gift. */
  refundMinor?: number;
  /** `order.failed`, `order.cancelled`: the number of gifts that were cancelled, and which, if there are any. */
  cancelledGifts?: number;
  cancelledSequences?: number[];
  /** `gift.declined`: why, and when the gift ends. */
  declineReason?: DeclineReason | undefined;
  finalAtMs?: number;
  /** `gift.cancelled`, `order.cancelled`: the number of cancelled gifts that were redeemed, if there are any. Not shown. */
  redeemedGifts?: number;
  /**
   * `order.created`, `order.paid` at placement, `order.extended`, `gift.extended`, `gift.expiring`: when the gifts
   * expire.
   */
  expiresAtMs?: number | null;
  /** `gift.redeemed`: the recipient's choice. `product.*`: the product, and the variation if its stock has changed. */
  productId?: number;
  variationId?: number | null;
  /** `collection.*`: the collection. */
  collection?: string;
  /** `gift.corrected`, `gift.redeemed`: the names of the fields. */
  correctedFields?: string[];
  /** `gift.email_sent`, `gift.email_failed`: the e-mail, and the class of the failure. */
  emailKind?: EmailKind;
  emailReason?: string;
  /** `credit.low`: the account, its balance, and the amount that the balance is below. */
  currency?: Currency;
  balanceMinor?: number;
  alertBelowMinor?: number;
  /** The set of `credential.…`, and that with which the client has made any other change. */
  credentialId?: number;
  scope?: Scope;
  /** `data.restored`: the sequence of the last event before the lost ones. */
  lastSequence?: number;
}
