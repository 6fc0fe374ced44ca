// Records what a carrier reports about a parcel.
import { type CarrierAnswers, carrierAnswerOf } from "../../core/values/carrier-answer.ts";
import { fold } from "../../core/values/fold.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Database } from "../../platform/db/sql.ts";
import { unavailable } from "../../platform/http/error-response.ts";
import { changeShipments, MAX_SHIPMENTS, type RequestedShipment } from "../fulfilment/change.ts";
import { codeTerm } from "../orders/search-terms.ts";
import type { CarrierReport } from "./easypost.ts";
import { type CarrierParcel, SELECT_PARCELS, UPDATE_ANSWERS } from "./queries.ts";

const MAX_AGE_MS = 90 * DAY_MS;
const MAX_ATTEMPTS = 3;

const STEPS = { delivered: "deliver", returned: "return", failed: "fail" } as const;
type FinalStatus = keyof typeof STEPS;

/**
 * Stores the report with all gifts in the parcel, and delivers, returns or fails those of which it is the last parcel. A
 * report that is not newer than the stored one changes nothing. Returns the number of gifts. Errors:
 * `service_unavailable` if the gifts change at the same time: the service repeats its event.
 */
export async function recordReport(
  db: Database,
  report: CarrierReport,
  nowMs: number,
): Promise<number> {
  const of = { term: codeTerm(report.number), sinceMs: nowMs - MAX_AGE_MS, limit: MAX_SHIPMENTS };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const parcels = (await SELECT_PARCELS.all(db, of)).filter((parcel) => isOf(parcel, report));
    const answered = parcels.flatMap((parcel) => answerTo(parcel, report) ?? []);
    if (answered.length === 0) return parcels.length;
    await save(db, answered, nowMs);
  }
  throw unavailable();
}

const isSame = (one: string, other: string) => codeTerm(one) === codeTerm(other);

/** Whether a number is the same, and the names of the carriers have a word in common: `Deutsche Post DHL`, `DHLPaket`. */
function isOf({ carrier, trackingNumber }: CarrierParcel, report: CarrierReport): boolean {
  if (!trackingNumbersOf(trackingNumber).some((number) => isSame(number, report.number)))
    return false;
  const words = fold(carrier ?? "").match(/[a-z]{2,}/g) ?? [];
  const name = fold(report.carrier);
  const isKnown = words.length > 0 && name !== "";
  return !isKnown || words.join("").includes(name) || words.some((word) => name.includes(word));
}

type Answered = RequestedShipment & { final: FinalStatus | null };

/** Null if the stored answer is as new. A returned parcel is delivered, but to its sender. */
function answerTo(parcel: CarrierParcel, report: CarrierReport): Answered | null {
  const { orderId, sequence, trackingNumber, changeId } = parcel;
  const { status: reported, problem: why, atMs, expectedOn } = report;
  const answer = { status: reported, problem: why, atMs, expectedOn };
  const before = parseJson(parcel.carrierAnswers);
  const answers: CarrierAnswers = {};
  for (const number of trackingNumbersOf(trackingNumber)) {
    const last = before?.[number];
    const isMeant = isSame(number, report.number);
    if (isMeant && last && last.atMs >= atMs) return null;
    const isAtSender = last?.status === "returned" && reported === "delivered";
    if (isMeant) answers[number] = isAtSender ? { ...last, atMs } : answer;
    else if (last) answers[number] = last;
  }
  const { status, problem } = carrierAnswerOf(trackingNumber, answers);
  const goesBack = parcel.status === "returned" && status === "delivered";
  const isFinal = status !== null && status in STEPS && status !== parcel.status && !goesBack;
  return {
    orderId,
    sequence,
    answered: { carrierAnswers: answers, changeId },
    problem: problem ?? undefined,
    final: isFinal ? (status as FinalStatus) : null,
  };
}

async function save(db: Database, answered: readonly Answered[], nowMs: number): Promise<void> {
  const requestId = crypto.randomUUID();
  for (const [final, parcels] of Map.groupBy(answered, (each) => each.final)) {
    if (final)
      await changeShipments(db, STEPS[final], parcels, { clientId: null, requestId, nowMs });
    else {
      const params = { parcels: JSON.stringify(parcels), nowMs, changeId: requestId };
      await UPDATE_ANSWERS.bind(db, params).run();
    }
  }
}
