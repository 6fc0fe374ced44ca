// The states of a shipment. Code and statements ask what a state means, so that a new state answers each question.

/** A parcel is shipped and then delivered, a digital gift is sent. An open shipment is to be shipped or sent. */
export type ShipmentStatus = "open" | "shipped" | "delivered" | "sent";

interface Meaning {
  /** The gift has left, so it is not cancelled and its recipient is not corrected. The column `has_shipment` is 1. */
  countsAsShipped: boolean;
}

const STATES: Record<ShipmentStatus, Meaning> = {
  open: { countsAsShipped: false },
  shipped: { countsAsShipped: true },
  delivered: { countsAsShipped: true },
  sent: { countsAsShipped: true },
};

export const SHIPMENT_STATUSES = Object.keys(STATES) as [ShipmentStatus, ...ShipmentStatus[]];

/** Null is that of a gift without a shipment. */
export const countsAsShipped = (
  status: ShipmentStatus | null,
): status is Exclude<ShipmentStatus, "open"> => status !== null && STATES[status].countsAsShipped;
