// The states of a shipment and their meanings. Code and SQL test the meaning, so that a new state needs no change there.
import type { CarrierStatus } from "./carrier-answer.ts";
import type { DeliveryEmail } from "./email-kinds.ts";

/**
 * A parcel is shipped and then delivered, a digital gift is sent. An open shipment is to be shipped or sent. A parcel that
 * came back is `returned`, and one that did not arrive is `failed`: it is then shipped again, or the gift is cancelled.
 */
export type ShipmentStatus = "open" | "shipped" | "delivered" | "sent" | "returned" | "failed";

/** What has become of a gift that has left. */
export const FULFILMENTS = ["shipped", "undelivered"] as const;

interface Meaning {
  /** The gift has left. The column `fulfilment` is not null. */
  countsAsShipped: boolean;
  /** The recipient does not have the parcel, and will not get it. The column `fulfilment` is `undelivered`. */
  isUndelivered: boolean;
  /** The e-mail that the recipient gets about it. Null for none. */
  email: DeliveryEmail | null;
  /** The carrier's report that leads to it. Null for none. */
  report: CarrierStatus | null;
}

const STATES: Record<ShipmentStatus, Meaning> = {
  open: { countsAsShipped: false, isUndelivered: false, email: null, report: null },
  shipped: { countsAsShipped: true, isUndelivered: false, email: "shipped", report: null },
  delivered: {
    countsAsShipped: true,
    isUndelivered: false,
    email: "delivered",
    report: "delivered",
  },
  sent: { countsAsShipped: true, isUndelivered: false, email: "code", report: null },
  returned: { countsAsShipped: true, isUndelivered: true, email: null, report: "returned" },
  failed: { countsAsShipped: true, isUndelivered: true, email: null, report: "failed" },
};

export const SHIPMENT_STATUSES = Object.keys(STATES) as [ShipmentStatus, ...ShipmentStatus[]];

/** The states with this meaning, or other names of them, for `IN` of SQL: `'shipped', 'delivered'`. */
export const statesThat = (
  has: (meaning: Meaning) => boolean,
  nameOf: (status: ShipmentStatus) => string = (status) => status,
): string =>
  SHIPMENT_STATUSES.filter((status) => has(STATES[status]))
    .map((status) => `'${nameOf(status)}'`)
    .join(", ");

/** Here and below, `status` is null for a gift without a shipment. */
export const emailOf = (status: ShipmentStatus | null): DeliveryEmail | null =>
  status && STATES[status].email;

export const reportOf = (status: ShipmentStatus): CarrierStatus | null => STATES[status].report;

export const countsAsShipped = (
  status: ShipmentStatus | null,
): status is Exclude<ShipmentStatus, "open"> => status !== null && STATES[status].countsAsShipped;

export const isUndelivered = (status: ShipmentStatus | null): status is "returned" | "failed" =>
  status !== null && STATES[status].isUndelivered;

/** Why a parcel came back or did not arrive. */
export const SHIPMENT_PROBLEMS = [
  "address_unknown",
  "refused",
  "unclaimed",
  "damaged",
  "lost",
  "other",
] as const;
export type ShipmentProblem = (typeof SHIPMENT_PROBLEMS)[number];
