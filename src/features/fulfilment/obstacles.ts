// Why a step is not possible for a gift. The guards of the statements and the reasons that callers read are these fragments.
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { expression, sqlOf } from "../../platform/db/statement.ts";
import { byShipment, type ShipmentStep } from "./shipment.ts";

/** The reasons, as they follow the number of a gift. */
export const OBSTACLES = {
  erased: "belongs to a recipient whose data was erased",
  digital: "is a digital gift, which has no parcel",
  declined: "is declined",
  cancelled: "is cancelled",
  expired: "has expired",
  orderFailed: "belongs to an order that has failed",
  orderCancelled: "belongs to a cancelled order",
  orderUnpaid: "belongs to an order that is not paid",
  notRedeemed: "is not redeemed, so its address is not confirmed",
  notShipped: "is not shipped yet",
  /** With other tracking. */
  recorded: "is recorded already",
  /** An earlier request did the same. */
  unchanged: "is unchanged",
};
export type ShipmentObstacle = keyof typeof OBSTACLES;

/** Why sub-order `s` of order `o` is not to be delivered: it is not redeemed, and not bought outright, or it has ended. */
export const DELIVERY_OBSTACLE = expression<ShipmentObstacle | null>()`CASE
  WHEN s.redemption_status = 'redeemed' THEN NULL
  WHEN s.declined_at_ms IS NOT NULL THEN 'declined'
  WHEN s.redemption_status IS NOT NULL THEN s.redemption_status
  WHEN o.status = 'failed' THEN 'orderFailed'
  WHEN o.status = 'cancieled' THEN 'orderCancelled'
  WHEN o.gift_order_method <> 'api-purchase' THEN 'notRedeemed'
  WHEN o.status = 'created' THEN 'orderUnpaid' END`;

const DELIVERY = sqlOf(DELIVERY_OBSTACLE);

/** `unchanged` if request `v` has the tracking of shipment `h`, otherwise `sql`. */
const withOtherTracking = (sql: string) =>
  `iif(h.carrier IS v.value ->> '$.carrier' AND h.tracking_number IS v.value ->> '$.trackingNumber'
    AND h.tracking_url IS v.value ->> '$.trackingUrl', 'unchanged', ${sql})`;

/** The obstacle to each step in each state, as SQL. Tracking belongs to the personal data that is erased. */
const IN_STATE: Record<ShipmentStatus, Record<ShipmentStep, string>> = {
  open: {
    ship: `iif(s.erased_at_ms IS NULL, ${DELIVERY}, 'erased')`,
    deliver: "'notShipped'",
    correct: "'notShipped'",
    reopen: "'unchanged'",
  },
  shipped: {
    ship: withOtherTracking("'recorded'"),
    deliver: "NULL",
    correct: withOtherTracking("NULL"),
    reopen: DELIVERY,
  },
  delivered: {
    ship: withOtherTracking("'recorded'"),
    deliver: "'unchanged'",
    correct: withOtherTracking("NULL"),
    reopen: DELIVERY,
  },
  sent: {
    ship: withOtherTracking("'recorded'"),
    deliver: "'digital'",
    correct: "'digital'",
    reopen: DELIVERY,
  },
};

const inState = (step: ShipmentStep) => byShipment((status) => IN_STATE[status][step]);

type Obstacle = ShipmentObstacle | null;

/**
 * The obstacle to request `v` for sub-order `s` of order `o`, with revision `r` and LEFT JOINed shipment `h`. Null if the
 * step is possible. `reopen` requires that the gift could then be shipped or cancelled, which a cancellation of its order
 * prevents.
 */
export const STEP_OBSTACLE = {
  ship: expression<Obstacle>()`CASE
    WHEN r.delivery = 'digital' AND coalesce(v.value ->> '$.carrier', v.value ->> '$.trackingNumber',
      v.value ->> '$.trackingUrl') IS NOT NULL THEN 'digital' ELSE ${inState("ship")} END`,
  deliver: expression<Obstacle>()`iif(r.delivery = 'digital', 'digital', ${inState("deliver")})`,
  correct: expression<Obstacle>()`CASE WHEN s.erased_at_ms IS NOT NULL THEN 'erased'
    WHEN r.delivery = 'digital' THEN 'digital' ELSE ${inState("correct")} END`,
  reopen: expression<Obstacle>()`iif(s.erased_at_ms IS NOT NULL, 'erased', ${inState("reopen")})`,
} satisfies Record<ShipmentStep, unknown>;
