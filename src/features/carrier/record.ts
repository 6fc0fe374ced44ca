// Records what a carrier reports about a parcel.
import { carrierAnswerOf, isNewer } from "../../core/values/carrier-answer.ts";
import { isSameCarrier } from "../../core/values/carriers.ts";
import { reportOf, SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { own } from "../../core/values/own.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Database } from "../../platform/db/sql.ts";
import { unavailable } from "../../platform/http/error-response.ts";
import { changeShipments, MAX_SHIPMENTS } from "../fulfilment/change.ts";
import { SHIPMENT_STEPS, STEP_RESULTS } from "../fulfilment/shipment.ts";
import { codeTerm } from "../orders/search-terms.ts";
import type { CarrierReport } from "./easypost.ts";
import { type CarrierParcel, SELECT_PARCELS, UPDATE_ANSWERS } from "./queries.ts";

const MAX_ATTEMPTS = 3;

/** Gifts that were shipped so far apart are in different parcels: carriers reuse a number after three months or later. */
const REUSED_AFTER_MS = 60 * DAY_MS;

/**
 * Stores the report with all gifts in the parcel, and delivers, returns or fails those of which it is the last parcel,
 * unless the step is refused. A report that is not newer than the stored one changes nothing. Returns the number of gifts.
 * Errors: `service_unavailable` if the gifts change at the same time: the service repeats its event.
 */
export async function recordReport(
  db: Database,
  report: CarrierReport,
  nowMs: number,
): Promise<number> {
  const term = codeTerm(report.number);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const parcels = await SELECT_PARCELS.all(db, { term, limit: MAX_SHIPMENTS });
    const found = inParcel(parcels, report).flatMap((parcel) => {
      const all = trackingNumbersOf(parcel.trackingNumber);
      const numbers = all.filter((each) => codeTerm(each) === term);
      return numbers.length === 0 ? [] : answered(parcel, numbers, report);
    });
    const changed = found.filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return found.length;
    const changeId = crypto.randomUUID();
    const request = { clientId: null, requestId: changeId, nowMs };
    for (const [step, gifts] of Map.groupBy(changed, (each) => each.step))
      if (step) await changeShipments(db, step, gifts, request);
    // Changes nothing of the gifts that a step has changed, and has stored the report with.
    await UPDATE_ANSWERS.bind(db, { gifts: JSON.stringify(changed), changeId, nowMs }).run();
  }
  throw unavailable();
}

/** A warehouse may record a shipment some days after the parcel has left, or has arrived. */
const RECORDED_AFTER_MS = 7 * DAY_MS;

/**
 * The gifts in the reported parcel: those of its carrier that were shipped before the scan, or not long after it. If the
 * carrier has used the number again, only the latest gifts.
 */
function inParcel(parcels: CarrierParcel[], { carrier, scannedAtMs }: CarrierReport) {
  const ageOf = ({ shippedAtMs }: CarrierParcel) => scannedAtMs - (shippedAtMs ?? Infinity);
  const fitting = parcels.filter(
    (parcel) => isSameCarrier(parcel.carrier, carrier) && ageOf(parcel) > -RECORDED_AFTER_MS,
  );
  const youngest = Math.min(...fitting.map(ageOf));
  return fitting.filter((parcel) => ageOf(parcel) < youngest + REUSED_AFTER_MS);
}

/** The parcel with this answer for each way in which its number is written, and the step that follows. */
function answered(parcel: CarrierParcel, numbers: readonly string[], report: CarrierReport) {
  const { orderId, sequence, trackingNumber, changeId } = parcel;
  const { status, atMs, expectedOn, scannedAtMs, problem } = report;
  const before = parseJson(parcel.carrierAnswers) ?? {};
  const given = Object.fromEntries(numbers.map((each) => [each, { status, atMs, expectedOn }]));
  const carrierAnswers = { ...before, ...given };
  const isLast = status === carrierAnswerOf(trackingNumber, carrierAnswers).status;
  const state = SHIPMENT_STATUSES.find((each) => reportOf(each) === (status ?? "in_transit"));
  const isNext = isLast && state !== parcel.status;
  // A parcel that goes back is delivered, but to its sender.
  const isBack = parcel.status === "returned" && status === "delivered";
  return {
    orderId,
    sequence,
    problem,
    atMs: scannedAtMs,
    answered: { carrierAnswers, changeId },
    isChanged: !isBack && numbers.some((each) => isNewer(report, own(before, each))),
    step: isNext ? SHIPMENT_STEPS.find((step) => STEP_RESULTS[step] === state) : undefined,
  };
}
