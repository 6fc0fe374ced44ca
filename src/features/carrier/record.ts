// Records what a carrier reports about a parcel.
import { type CarrierAnswer, carrierAnswerOf } from "../../core/values/carrier-answer.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Database } from "../../platform/db/sql.ts";
import { unavailable } from "../../platform/http/error-response.ts";
import { changeShipments, MAX_SHIPMENTS } from "../fulfilment/change.ts";
import { codeTerm } from "../orders/search-terms.ts";
import type { CarrierReport } from "./easypost.ts";
import { type CarrierParcel, SELECT_PARCELS, UPDATE_ANSWERS } from "./queries.ts";

const MAX_ATTEMPTS = 3;

/** The steps that follow from a status. */
const STEPS = { delivered: "deliver", returned: "return", failed: "fail" } as const;

/**
 * Stores the report with all gifts in the parcel, and delivers, returns or fails those of which it is the last parcel. A
 * report that is not newer than the stored one changes nothing. Returns the number of gifts. Errors:
 * `service_unavailable` if the gifts change at the same time: the service repeats its event.
 */
export async function recordReport(
  db: Database,
  { number, problem, ...answer }: CarrierReport,
  nowMs: number,
): Promise<number> {
  const term = codeTerm(number);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = (await SELECT_PARCELS.all(db, { term, limit: MAX_SHIPMENTS })).flatMap((parcel) =>
      trackingNumbersOf(parcel.trackingNumber)
        .filter((each) => codeTerm(each) === term)
        .map((each) => ({ problem, ...answered(parcel, each, answer) })),
    );
    const changed = found.filter(({ isNewer }) => isNewer);
    if (changed.length === 0) return found.length;
    const changeId = crypto.randomUUID();
    for (const [step, gifts] of Map.groupBy(changed, (each) => each.step)) {
      const request = { clientId: null, requestId: changeId, nowMs };
      await (step
        ? changeShipments(db, step, gifts, request)
        : UPDATE_ANSWERS.bind(db, { gifts: JSON.stringify(gifts), changeId, nowMs }).run());
    }
  }
  throw unavailable();
}

/** The parcel with this answer, and the step that follows. A parcel that goes back is delivered, but to its sender. */
function answered(parcel: CarrierParcel, number: string, answer: CarrierAnswer) {
  const { orderId, sequence, trackingNumber, changeId } = parcel;
  const before = parseJson(parcel.carrierAnswers) ?? {};
  const carrierAnswers = { ...before, [number]: answer };
  const { status } = carrierAnswerOf(trackingNumber, carrierAnswers);
  const isNext = status === answer.status && status !== parcel.status;
  const last = Object.hasOwn(before, number) ? before[number] : undefined;
  const isBack = parcel.status === "returned" && answer.status === "delivered";
  return {
    orderId,
    sequence,
    answered: { carrierAnswers, changeId },
    isNewer: !isBack && answer.atMs > (last?.atMs ?? 0),
    step: isNext ? STEPS[status as keyof typeof STEPS] : undefined,
  };
}
