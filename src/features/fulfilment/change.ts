// Changes shipments: ships and delivers gifts, corrects the tracking of parcels, and reopens shipments.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import { isSameCarrier, withCarrier } from "../../core/values/carriers.ts";
import { toGiftId } from "../../core/values/ids.ts";
import {
  correctedTracking,
  type GivenTracking,
  storedTracking,
} from "../../core/values/tracking.ts";
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { OBSTACLES } from "./obstacles.ts";
import {
  type GiftScope,
  readGifts,
  type RequestedGift,
  type ShipmentAttempt,
  writeShipments,
} from "./queries.ts";
import {
  type ShipmentKey,
  type GiftShipment,
  type ShipmentStep,
  STEP_RESULTS,
} from "./shipment.ts";

/** The maximum number of gifts of a call, which is one transaction. */
export const MAX_SHIPMENTS = 500;

/** A gift of a request. `deliver` and `reopen` ignore the tracking. A plan to correct it keeps what is not given. */
export type RequestedShipment = ShipmentKey &
  GivenTracking &
  Omit<GiftShipment, keyof ShipmentKey | keyof GivenTracking>;

export interface ShipmentRequest extends Omit<ShipmentAttempt, "changeId"> {
  /** Unique for each request. The ids of its attempts begin with it. */
  requestId: string;
}

/**
 * What a request does with a gift. `unchanged`: an earlier request did the same. The reason of a refusal follows the
 * number of the gift, as in "GO-00042-3 is not redeemed".
 */
export type ShipmentResult =
  | {
      result: Exclude<ShipmentStatus, "open"> | "corrected" | "reopened" | "unchanged";
    }
  | { result: "refused"; reason: string };

export type ShipmentOutcome = ShipmentResult & {
  /** Null if there is no such gift. */
  gift: RequestedGift | null;
  /** What `ship` and `correct` record. */
  tracking: Omit<GiftShipment, keyof ShipmentKey>;
};

/**
 * Changes the shipments of at most `MAX_SHIPMENTS` distinct gifts, and returns an outcome for each gift, in the same
 * order. A refused gift does not prevent the others from being changed. Only `ship` and `deliver` are retried after
 * transient errors. One transaction, one round trip.
 */
export async function changeShipments(
  db: Database,
  step: ShipmentStep,
  requested: readonly RequestedShipment[],
  { requestId, ...request }: ShipmentRequest,
): Promise<ShipmentOutcome[]> {
  const shipments = requested.map(stored);
  const write = (attempt: number) =>
    writeShipments(
      db,
      step,
      { ...request, changeId: `${requestId}.${String(attempt)}` },
      shipments,
    );
  // A failed attempt may have been committed. The next attempt has another id, so it neither counts a shipment twice nor
  // inserts a second event for it. The other steps replace what is recorded: their next attempt could replace what
  // another request has recorded in the meantime.
  const gifts = await (step === "ship" || step === "deliver" ? retrying(write) : write(1));
  return matchGifts(shipments, gifts, (gift) =>
    gift.changeId?.startsWith(requestId) === true
      ? { result: doneBy(step, gift) }
      : resultOf(step, gift),
  );
}

/** The result of a step that has changed the gift. */
const doneBy = (step: ShipmentStep, { delivery }: RequestedGift) =>
  step === "ship" && delivery === "digital" ? "sent" : STEP_RESULTS[step];

/**
 * The outcomes that `changeShipments` would have now, with the carrier and the link that the numbers show. One round trip,
 * and two to correct tracking, because what is not given stays.
 */
export async function planShipments(
  db: Database,
  step: ShipmentStep,
  requested: readonly RequestedShipment[],
  scope: GiftScope,
): Promise<ShipmentOutcome[]> {
  let shipments = requested.map(stored);
  if (step === "correct") {
    const present = new Map(
      (await readGifts(db, step, scope, shipments)).map((gift) => [idOf(gift), gift]),
    );
    shipments = requested.map((each) => {
      const gift = present.get(idOf(each));
      if (!gift) return stored(each);
      const tracking = correctedTracking(gift, each);
      const isSame =
        tracking.carrier === gift.carrier && tracking.trackingNumber === gift.trackingNumber;
      const corrected = isSame ? tracking : withCarrier(tracking, each);
      const isOtherCarrier = !isSameCarrier(gift.carrier, corrected.carrier);
      return { ...stored(each), ...corrected, isOtherCarrier };
    });
  }
  if (step === "ship") shipments = shipments.map((each) => ({ ...each, ...withCarrier(each) }));
  const gifts = await readGifts(db, step, scope, shipments);
  return matchGifts(shipments, gifts, (gift) => resultOf(step, gift));
}

const stored = (requested: RequestedShipment): GiftShipment => {
  const { orderId, sequence, code, problem, parcelNumber, answered, atMs, ...given } = requested;
  const { isOtherCarrier } = given;
  const kept = { orderId, sequence, code, problem, parcelNumber, answered, atMs, isOtherCarrier };
  return { ...kept, ...storedTracking(given) };
};

const idOf = ({ orderId, sequence }: ShipmentKey) => toGiftId(orderId, sequence);

function matchGifts(
  shipments: readonly GiftShipment[],
  gifts: readonly RequestedGift[],
  resultOf: (gift: RequestedGift) => ShipmentResult,
): ShipmentOutcome[] {
  const byId = new Map(gifts.map((gift) => [idOf(gift), gift]));
  return shipments.map(({ orderId, sequence, ...tracking }) => {
    const gift = byId.get(idOf({ orderId, sequence }));
    return gift
      ? { ...resultOf(gift), tracking, gift }
      : { result: "refused", reason: "does not exist", tracking, gift: null };
  });
}

/** What the step does with a gift in its present state. */
function resultOf(step: ShipmentStep, gift: RequestedGift): ShipmentResult {
  const { obstacle } = gift;
  if (obstacle === null) return { result: doneBy(step, gift) };
  if (obstacle === "unchanged") return { result: "unchanged" };
  const reason = obstacle === "recorded" ? recordedText(gift) : OBSTACLES[obstacle];
  return { result: "refused", reason };
}

/** ` is shipped already by DHL, tracking number 123` */
function recordedText({
  shipmentStatus,
  carrier,
  trackingNumber,
  trackingUrl,
}: RequestedGift): string {
  return [
    `is ${shipmentStatus} already`,
    ...(carrier === null ? [] : [` by ${carrier}`]),
    ...(trackingNumber === null ? [] : [`, tracking number ${trackingNumber}`]),
    ...((carrier ?? trackingNumber ?? trackingUrl) === null ? [] : [TWO_PARCELS]),
  ].join("");
}

const TWO_PARCELS =
  ". If it is sent in two parcels, correct its tracking to both numbers, such as JD1, JD2";
