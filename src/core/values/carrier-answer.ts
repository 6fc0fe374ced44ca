// What carriers report about parcels.
import { own } from "./own.ts";
import { trackingNumbersOf } from "./tracking.ts";

/** `exception`: the delivery is delayed or an attempt has failed, but the parcel may still arrive. */
export const CARRIER_STATUSES = [
  "returned",
  "failed",
  "exception",
  "in_transit",
  "out_for_delivery",
  "available_for_pickup",
  "delivered",
] as const;
export type CarrierStatus = (typeof CARRIER_STATUSES)[number];

/** The last report about a parcel. */
export interface CarrierAnswer {
  /** Null before the carrier has the parcel. */
  status: CarrierStatus | null;
  atMs: number;
  /** The day on which it is expected, such as `2026-09-03`. Null if it is unknown. */
  expectedOn: string | null;
  /** EasyPost has refused the number, so there are no reports about it. */
  isRefused?: true;
}

/** By the tracking number, as it is stored in the shipment. */
export type CarrierAnswers = Record<string, CarrierAnswer>;

const NO_ANSWER: CarrierAnswer = { status: null, atMs: 0, expectedOn: null };

const rankOf = ({ status }: CarrierAnswer) => CARRIER_STATUSES.indexOf(status ?? "in_transit");

/** How far the parcel has come. */
const stageOf = ({ status }: CarrierAnswer) =>
  [null, ...CARRIER_STATUSES.slice(2), "returned", "failed"].indexOf(status);

/** Whether the answer replaces the last one. Of two answers at the same time, the one of the later stage counts. */
export const isNewer = (answer: CarrierAnswer, last = NO_ANSWER): boolean =>
  answer.atMs > last.atMs || (answer.atMs === last.atMs && stageOf(answer) > stageOf(last));

/**
 * The answer about a gift: of several parcels, the status that is first in `CARRIER_STATUSES`, so that the gift is
 * delivered when all of them are, and the last day.
 */
export function carrierAnswerOf(
  trackingNumber: string | null,
  answers: CarrierAnswers | null,
): CarrierAnswer {
  const parcels = trackingNumbersOf(trackingNumber).map(
    (each) => own(answers ?? {}, each) ?? NO_ANSWER,
  );
  const [first = NO_ANSWER] = parcels.toSorted((a, b) => rankOf(a) - rankOf(b));
  const days = parcels.map(({ expectedOn }) => expectedOn ?? "").sort();
  return { ...first, expectedOn: days.at(-1) || null };
}
