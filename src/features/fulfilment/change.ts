// Changes shipments: ships and delivers gifts, corrects the tracking of parcels, and reopens shipments.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { suborderId } from "../../core/values/ids.ts";
import {
  correctedTracking,
  type GivenTracking,
  storedTracking,
} from "../../core/values/tracking.ts";
import type { StateColumns } from "../lifecycle/gift-state.ts";
import { readGifts, type ShipmentAttempt, writeShipments } from "./queries.ts";
import type { GiftKey, ShipmentStep, ShippedGift, Tracking } from "./shipment.ts";

/** The maximum number of gifts of a call, which is one transaction. */
export const MAX_SHIPMENTS = 500;

/** A gift of a request. `deliver` and `reopen` ignore the tracking. A plan to correct it keeps what is not given. */
export type RequestedShipment = GiftKey & GivenTracking;

export interface ShipmentRequest extends Omit<ShipmentAttempt, "changeId"> {
  /** Unique for each request. The ids of its attempts begin with it. */
  requestId: string;
}

/**
 * What a request does with a gift. `unchanged`: an earlier request did the same. The reason of a refusal follows the
 * number of the gift, as in "GO-00042-3 is not redeemed".
 */
export type ShipmentResult =
  | { result: "shipped" | "sent" | "delivered" | "corrected" | "reopened" | "unchanged" }
  | { result: "refused"; reason: string };

export type ShipmentOutcome = ShipmentResult & {
  /** Null if there is no such gift. */
  gift: ShippedGift | null;
  /** What `ship` and `correct` record. */
  tracking: Tracking;
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
  const parcels = requested.map(({ orderId, sequence, ...given }) => ({
    orderId,
    sequence,
    ...storedTracking(given),
  }));
  const write = (attempt: number) =>
    writeShipments(db, step, { ...request, changeId: `${requestId}.${String(attempt)}` }, parcels);
  // A failed attempt may have been committed. The next attempt has another id, so it neither counts a shipment twice nor
  // inserts a second event for it. `correct` and `reopen` replace what is recorded: their next attempt could replace what
  // another request has recorded in the meantime.
  const gifts = await (step === "ship" || step === "deliver" ? retrying(write) : write(1));
  return matchGifts(parcels, gifts, (gift, tracking) =>
    gift.changeId?.startsWith(requestId) === true
      ? { tracking, result: resultOf(step, gift) }
      : { tracking, ...planOf(step, gift, tracking) },
  );
}

/** The result of a step that has changed the gift. */
function resultOf(step: ShipmentStep, { delivery }: ShippedGift) {
  switch (step) {
    case "ship":
      return delivery === "digital" ? "sent" : "shipped";
    case "deliver":
      return "delivered";
    case "correct":
      return "corrected";
    case "reopen":
      return "reopened";
  }
}

/** The outcomes that `changeShipments` would have now. One round trip. */
export async function planShipments(
  db: Database,
  step: ShipmentStep,
  requested: readonly RequestedShipment[],
  clientId: string | null,
): Promise<ShipmentOutcome[]> {
  const gifts = await readGifts(db, clientId, requested);
  return matchGifts(requested, gifts, (gift, given) => {
    const tracking = step === "correct" ? correctedTracking(gift, given) : storedTracking(given);
    return { tracking, ...planOf(step, gift, tracking) };
  });
}

const idOf = ({ orderId, sequence }: GiftKey) => suborderId(orderId, sequence);

function matchGifts<Requested extends RequestedShipment>(
  requested: readonly Requested[],
  gifts: readonly ShippedGift[],
  resultOf: (gift: ShippedGift, each: Requested) => ShipmentResult & { tracking: Tracking },
): ShipmentOutcome[] {
  const byId = new Map(gifts.map((gift) => [idOf(gift), gift]));
  return requested.map((each) => {
    const gift = byId.get(idOf(each));
    return gift
      ? { ...resultOf(gift, each), gift }
      : { ...refused("does not exist"), gift: null, tracking: storedTracking(each) };
  });
}

const refused = (reason: string): ShipmentResult => ({ result: "refused", reason });

/** What a step does with a gift in its present state. */
function planOf(step: ShipmentStep, gift: ShippedGift, parcel: Tracking): ShipmentResult {
  const { shipmentStatus: status, delivery } = gift;
  const planned: ShipmentResult = { result: resultOf(step, gift) };
  const unchanged: ShipmentResult = { result: "unchanged" };
  const isDigital = delivery === "digital";
  if (gift.erasedAtMs !== null && (step === "reopen" || step === "correct")) return refused(ERASED);
  if (step === "reopen") {
    if (status === "open") return unchanged;
    const obstacle = obstacleOf(gift);
    return obstacle === null ? planned : refused(obstacle);
  }
  if (isDigital && (step !== "ship" || hasTracking(parcel))) return refused(DIGITAL);
  if (status === "open") {
    const obstacle = step === "ship" ? obstacleOf(gift) : "is not shipped yet";
    return obstacle === null ? planned : refused(obstacle);
  }
  if (step === "deliver") return status === "delivered" ? unchanged : planned;
  if (isSame(gift, parcel)) return unchanged;
  if (step === "correct") return planned;
  const advice = hasTracking(gift) ? TWO_PARCELS : "";
  return refused(`is ${status} already${by(gift)}${advice}`);
}

const TWO_PARCELS =
  ". If it is sent in two parcels, correct its tracking to both numbers, such as JD1, JD2";
const ERASED = "belongs to a recipient whose data was erased";
const DIGITAL = "is a digital gift, which has no parcel";

/** Why a gift without a shipment is not shipped. Null if it is to be shipped. */
export function obstacleOf(
  gift: StateColumns & Pick<ShippedGift, "giftOrderMethod">,
): string | null {
  const { redemptionStatus, orderStatus, giftOrderMethod } = gift;
  if (redemptionStatus === "redeemed") return null;
  if (gift.declinedAtMs !== null) return "is declined";
  if (redemptionStatus === "cancelled") return "is cancelled";
  if (redemptionStatus === "expired") return "has expired";
  if (orderStatus === "failed") return "belongs to an order that has failed";
  if (orderStatus === "cancieled") return "belongs to a cancelled order";
  if (giftOrderMethod !== "api-purchase") return "is not redeemed, so its address is not confirmed";
  return orderStatus === "created" ? "belongs to an order that is not paid" : null;
}

function hasTracking({ carrier, trackingNumber, trackingUrl }: Tracking): boolean {
  return (carrier ?? trackingNumber ?? trackingUrl) !== null;
}

function isSame(gift: Tracking, parcel: Tracking): boolean {
  return (
    gift.carrier === parcel.carrier &&
    gift.trackingNumber === parcel.trackingNumber &&
    gift.trackingUrl === parcel.trackingUrl
  );
}

/** ` by DHL, tracking number 123`, or an empty text. */
function by({ carrier, trackingNumber }: Tracking): string {
  return (
    (carrier === null ? "" : ` by ${carrier}`) +
    (trackingNumber === null ? "" : `, tracking number ${trackingNumber}`)
  );
}
