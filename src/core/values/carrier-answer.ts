// What carriers report about parcels.
import type { ShipmentProblem } from "./shipment-states.ts";
import { trackingNumbersOf } from "./tracking.ts";

/** `exception`: the delivery is delayed or a carrier's attempt has failed, but the parcel may still arrive. */
export const CARRIER_STATUSES = [
  ...(["returned", "failed", "exception", "in_transit"] as const),
  ...(["out_for_delivery", "available_for_pickup", "delivered"] as const),
] as const;
export type CarrierStatus = (typeof CARRIER_STATUSES)[number];

/** The last report about a parcel. */
export interface CarrierAnswer {
  /** Null before the carrier has the parcel. */
  status: CarrierStatus | null;
  /** Why it is returned or failed. */
  problem: ShipmentProblem | null;
  atMs: number;
  /** The day on which it is expected, such as `2026-09-03`. Null if it is unknown. */
  expectedOn: string | null;
}

/** By the tracking number, as it is stored in the shipment. */
export type CarrierAnswers = Record<string, CarrierAnswer>;

const NO_ANSWER: CarrierAnswer = { status: null, problem: null, atMs: 0, expectedOn: null };

const ORDER = [...CARRIER_STATUSES.slice(0, 3), null, ...CARRIER_STATUSES.slice(3)];

/**
 * The answer about a gift. Of several parcels, the status that is first in `ORDER` counts, so that the gift is delivered
 * when all of them are, and the last day on which one is expected.
 */
export function carrierAnswerOf(
  trackingNumber: string | null,
  answers: CarrierAnswers | null,
): CarrierAnswer {
  const parcels = trackingNumbersOf(trackingNumber)
    .map((number) => answers?.[number] ?? NO_ANSWER)
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const days = parcels.map(({ status, expectedOn }) => status !== "delivered" && expectedOn);
  const [first = NO_ANSWER] = parcels;
  return { ...first, expectedOn: days.filter(Boolean).sort().at(-1) || null };
}
