// Types of shipments that several files share.
import type { CarrierAnswers } from "../../core/values/carrier-answer.ts";
import { orNull } from "../../platform/db/columns.ts";
import {
  SHIPMENT_STATUSES,
  type ShipmentProblem,
  type ShipmentStatus,
} from "../../core/values/shipment-states.ts";
import type { Tracking } from "../../core/values/tracking.ts";
import { rawSql } from "../../platform/db/sql.ts";
import { shipment } from "../../platform/db/tables.ts";
import { TEST_KEY } from "../codes/seal.ts";

/**
 * The result of each step. `ship` sends a digital gift, whose result is `sent`. `correct` replaces the tracking of parcels
 * that have left. `reopen` sets a shipment that was recorded by mistake back to open. `return` and `fail` record that a
 * parcel came back or did not arrive, and `reship` opens such a shipment again, with another piece of the stock.
 */
export const STEP_RESULTS = {
  ship: "shipped",
  deliver: "delivered",
  correct: "corrected",
  reopen: "reopened",
  return: "returned",
  fail: "failed",
  reship: "reopened",
} as const;
export type ShipmentStep = keyof typeof STEP_RESULTS;
export const SHIPMENT_STEPS = Object.keys(STEP_RESULTS) as ShipmentStep[];
export const byStep = <Value>(of: (step: ShipmentStep) => Value) =>
  Object.fromEntries(SHIPMENT_STEPS.map((step) => [step, of(step)])) as Record<ShipmentStep, Value>;

export interface ShipmentKey {
  orderId: number;
  sequence: number;
}

/** The code of a digital gift, as it is stored. */
export interface GivenCode {
  sealed: string;
  keyId: string;
  /** With the current and the previous key. Empty for a link, which may be the same for many gifts. */
  fingerprints: readonly (string | undefined)[];
  expiresAtMs?: number | undefined;
  /** Why it is not used, whatever the gift is. */
  problem?: "repeatedCode" | "expiredCode";
}

/** With this code, digital gifts are sent in the sandbox. Parcels are shipped without it. */
export const TEST_CODE: GivenCode = { sealed: "", keyId: TEST_KEY, fingerprints: [] };

/** A gift to ship, with the tracking of its parcel, or with its code. Or one that came back or did not arrive. */
export interface GiftShipment extends ShipmentKey, Tracking {
  problem?: ShipmentProblem | undefined;
  /** The number of the parcel that was delivered, returned or failed. */
  parcelNumber?: string | undefined;
  /** The carrier's reports to store. The step is refused if the shipment has changed since `changeId`. */
  answered?: { carrierAnswers: CarrierAnswers; changeId: string } | undefined;
  /** A correction replaces the carrier, so that no report of the earlier one counts. */
  isOtherCarrier?: boolean | undefined;
  /** When it was shipped or delivered. Without it, now. */
  atMs?: number | undefined;
  code?: GivenCode | undefined;
}

/** The SQL for the state of the LEFT JOINed shipment `h`. */
export const byShipment = (sqlIn: (status: ShipmentStatus) => string) => {
  const cases = SHIPMENT_STATUSES.map((status) => `WHEN '${status}' THEN ${sqlIn(status)}`);
  return rawSql(`CASE coalesce(h.status, 'open') ${cases.join(" ")} END`);
};

/** The tracking, the times and the problem of the LEFT JOINed shipment `h`. Null while the shipment is open. */
export const TRACKING = orNull({
  ...shipment("carrier", "trackingNumber", "trackingUrl"),
  ...shipment("shippedAtMs", "deliveredAtMs", "problem"),
});
