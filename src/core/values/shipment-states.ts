// The states of a shipment and their meanings. Code and SQL test the meaning, so that a new state needs no change there.

/** A parcel is shipped and then delivered, a digital gift is sent. An open shipment is to be shipped or sent. */
export type ShipmentStatus = "open" | "shipped" | "delivered" | "sent";

interface Meaning {
  /** The gift has left, so it is not cancelled and its recipient is not corrected. The column `has_shipment` is 1. */
  countsAsShipped: boolean;
  /** The recipient waits for it, and gets the e-mail `shipped`. */
  isOnItsWay: boolean;
  /** Its recipient gets the e-mail `code`, and sees the code on the gift page. */
  hasCode: boolean;
}

const STATES: Record<ShipmentStatus, Meaning> = {
  open: { countsAsShipped: false, isOnItsWay: false, hasCode: false },
  shipped: { countsAsShipped: true, isOnItsWay: true, hasCode: false },
  delivered: { countsAsShipped: true, isOnItsWay: false, hasCode: false },
  sent: { countsAsShipped: true, isOnItsWay: false, hasCode: true },
};

export const SHIPMENT_STATUSES = Object.keys(STATES) as [ShipmentStatus, ...ShipmentStatus[]];

/** The states with this meaning, for `IN` of SQL: `'shipped', 'delivered'`. */
export const statesThat = (meaning: keyof Meaning): string =>
  SHIPMENT_STATUSES.filter((status) => STATES[status][meaning])
    .map((status) => `'${status}'`)
    .join(", ");

/** `status` is null for a gift without a shipment. */
export const countsAsShipped = (
  status: ShipmentStatus | null,
): status is Exclude<ShipmentStatus, "open"> => status !== null && STATES[status].countsAsShipped;
