// Why a step is not possible for a gift. The guards of the statements and the reasons that callers read are these fragments.
import { DAY_MS } from "../../core/values/time.ts";
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { CODE_OF_GIFT } from "../codes/bind-queries.ts";
import { DELIVERY_OBSTACLE } from "../codes/delivery-queries.ts";
import { TEST_KEY } from "../codes/seal.ts";
import { expression, rawSql, sqlOf } from "../../platform/db/sql.ts";
import { byShipment, byStep, type ShipmentStep } from "./shipment.ts";

/**
 * The reasons, as they follow the number of a gift. In parentheses, the operators' change that helps, which the console links.
 */
export const OBSTACLES = {
  erased: "belongs to a recipient whose data was erased",
  digital: "is a digital gift, which has no parcel",
  physical:
    "is sent in a parcel, without code, PIN or link. The link of a parcel is its tracking_url",
  noCode: "is a digital gift. Give its code, PIN or link",
  fromStock: "gets its code from the stock. Replace it instead (code replace)",
  notFromStock: "gets no code of the stock. If it is to be sent, give its code to shipment ship",
  repeatedCode: "has the same code as another gift of the file",
  expiredCode: "has a code that is no longer valid",
  knownCode: "has a code that is in the stock, void, or already given to a gift",
  declined: "is declined",
  cancelled: "is cancelled",
  expired: "has expired",
  failed: "belongs to an order that has failed",
  orderCancelled: "belongs to a cancelled order",
  unpaid: "belongs to an order that is not paid (order pay)",
  open: "is not redeemed, so its address is not confirmed",
  notShipped: "is not shipped yet",
  undelivered:
    "is returned or failed. Ship it again (shipment reship), or cancel it (order cancel)",
  notUndelivered: "is neither returned nor failed",
  outOfStock: "is of a product of which no piece is left (stock adjust)",
  earlierParcel: "has the tracking number of its earlier parcel, which is returned or failed",
  outdated: "has changed since the carrier's answer was compared",
  oftenCorrected: "has been corrected or reopened too often",
  /** With other tracking. */
  recorded: "is recorded already",
  /** An earlier request did the same. */
  unchanged: "is unchanged",
};
export type ShipmentObstacle = keyof typeof OBSTACLES;

const DELIVERY = sqlOf(DELIVERY_OBSTACLE);

/** `unchanged` if request `v` has the tracking of shipment `h`, otherwise `sql`. */
const withOtherTracking = (sql: string) =>
  `iif(h.carrier IS v.value ->> '$.carrier' AND h.tracking_number IS v.value ->> '$.trackingNumber'
    AND h.tracking_url IS v.value ->> '$.trackingUrl', 'unchanged', ${sql})`;

/** Request `v` has a code, which is not that of the sandbox. */
const HAS_REAL_CODE = `coalesce(v.value ->> '$.code.keyId', '${TEST_KEY}') <> '${TEST_KEY}'`;

/** Code `c` is that of request `v`. */
const IS_GIVEN_CODE =
  "c.fingerprint IN (v.value ->> '$.code.fingerprints[0]', v.value ->> '$.code.fingerprints[1]')";

/** The obstacle to send the gift with the code of request `v`. */
const CODE = `CASE WHEN r.delivery <> 'digital' THEN NULL
  WHEN coalesce(s.took_stock, o.took_stock) = 2 THEN 'fromStock'
  WHEN v.value ->> '$.code.keyId' IS NULL THEN 'noCode'
  WHEN EXISTS (SELECT 1 FROM codes c WHERE ${IS_GIVEN_CODE}) THEN 'knownCode'
  ELSE v.value ->> '$.code.problem' END`;

/** `unchanged` if the gift was sent with the code of request `v`, or if the request has none. */
const WITH_OTHER_CODE = `iif(${HAS_REAL_CODE} AND NOT EXISTS (
  SELECT 1 ${sqlOf(CODE_OF_GIFT)} AND ${IS_GIVEN_CODE}), 'recorded', 'unchanged')`;

const GIVEN_NUMBER = "coalesce(v.value ->> '$.parcelNumber', v.value ->> '$.trackingNumber')";

/** An earlier parcel was returned or failed with the number of request `v`, as in a file that is uploaded again. */
const IS_EARLIER_PARCEL = `(h.earlier_tracking IS NOT NULL AND h.tracking_number IS NOT ${GIVEN_NUMBER}
  AND EXISTS (SELECT 1 FROM json_each(h.earlier_tracking) e
    WHERE e.value ->> '$.problem' IS NOT NULL AND e.value ->> '$.trackingNumber' = ${GIVEN_NUMBER}))`;

/** The earlier tracking of shipment `h` may soon be too long. */
const IS_FULL = "iif(length(h.earlier_tracking) > 990000, 'oftenCorrected', NULL)";

const REOPENING = `coalesce(${DELIVERY}, ${IS_FULL})`;

const WITH_OTHER_PROBLEM = "iif(h.problem = v.value ->> '$.problem', 'unchanged', NULL)";

const allSteps = (obstacle: string) => byStep(() => obstacle);

const LEFT = {
  ship: withOtherTracking("'recorded'"),
  deliver: "'unchanged'",
  correct: withOtherTracking(IS_FULL),
  reopen: REOPENING,
  return: "NULL",
  fail: "NULL",
  reship: "'notUndelivered'",
};

/** The shipment of a gift stays as it was when the gift was cancelled. */
const unlessEnded = (sql: string) =>
  `CASE WHEN s.redemption_status <> 'redeemed' THEN s.redemption_status ELSE ${sql} END`;

const UNDELIVERED = {
  ...LEFT,
  ship: "'undelivered'",
  // On the day of its delivery before it came back, as in a file that is uploaded again.
  deliver: unlessEnded(
    `iif(v.value -> '$.answered' IS NULL AND v.value ->> '$.atMs' < h.delivered_at_ms + ${String(DAY_MS)}, 'undelivered', NULL)`,
  ),
  correct: unlessEnded(LEFT.correct),
  return: unlessEnded("NULL"),
  fail: unlessEnded("NULL"),
  reship: `CASE WHEN s.erased_at_ms IS NOT NULL THEN 'erased' WHEN EXISTS (SELECT 1 FROM stock k
      WHERE k.product_id = s.product_id AND k.variation_id = coalesce(s.variation_id, 0) AND k.quantity < 1)
    THEN 'outOfStock' ELSE ${REOPENING} END`,
};

/** The obstacle to each step in each state, as SQL. Tracking belongs to the personal data that is erased. */
const IN_STATE: Record<ShipmentStatus, Record<ShipmentStep, string>> = {
  open: {
    ...allSteps("'notShipped'"),
    ship: `CASE WHEN s.erased_at_ms IS NOT NULL THEN 'erased' WHEN ${IS_EARLIER_PARCEL} THEN 'earlierParcel'
      ELSE coalesce(${DELIVERY}, ${CODE}) END`,
    reopen: "'unchanged'",
    reship: "'notUndelivered'",
  },
  shipped: { ...LEFT, deliver: "NULL" },
  delivered: LEFT,
  sent: { ...allSteps("'digital'"), ship: WITH_OTHER_CODE, reopen: REOPENING },
  returned: { ...UNDELIVERED, return: unlessEnded(WITH_OTHER_PROBLEM) },
  failed: { ...UNDELIVERED, fail: unlessEnded(WITH_OTHER_PROBLEM) },
};

const inState = (step: ShipmentStep) => byShipment((status) => IN_STATE[status][step]);

type Obstacle = ShipmentObstacle | null;

const ofParcel = (step: ShipmentStep) => expression<Obstacle>()`CASE
  WHEN r.delivery = 'digital' THEN 'digital'
  WHEN h.change_id <> v.value ->> '$.answered.changeId' THEN 'outdated'
  WHEN ${rawSql(IS_EARLIER_PARCEL)} THEN 'earlierParcel' ELSE ${inState(step)} END`;

/**
 * The obstacle to request `v` for gift `s` of order `o`, with revision `r` and LEFT JOINed shipment `h`. Null if the
 * step is possible. `reopen` requires that the gift could then be shipped or cancelled, which a cancellation of its order
 * prevents.
 */
export const STEP_OBSTACLE = {
  ship: expression<Obstacle>()`CASE
    WHEN r.delivery = 'digital' AND coalesce(v.value ->> '$.carrier', v.value ->> '$.trackingNumber',
      v.value ->> '$.trackingUrl') IS NOT NULL THEN 'digital'
    WHEN r.delivery <> 'digital' AND ${rawSql(HAS_REAL_CODE)} THEN 'physical'
    ELSE ${inState("ship")} END`,
  deliver: ofParcel("deliver"),
  correct: expression<Obstacle>()`CASE WHEN s.erased_at_ms IS NOT NULL THEN 'erased'
    WHEN r.delivery = 'digital' THEN 'digital'
    WHEN h.problem IS NULL AND ${rawSql(IS_EARLIER_PARCEL)} THEN 'earlierParcel' ELSE ${inState("correct")} END`,
  return: ofParcel("return"),
  fail: ofParcel("fail"),
  reship: expression<Obstacle>()`${inState("reship")}`,
  reopen: expression<Obstacle>()`iif(s.erased_at_ms IS NOT NULL, 'erased', ${inState("reopen")})`,
} satisfies Record<ShipmentStep, unknown>;
