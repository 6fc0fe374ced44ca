// The state of a gift, for its recipient's page and for changes of the gift.
import { countsAsShipped, type ShipmentStatus } from "../../core/values/shipment-states.ts";
import { fragment } from "../../platform/db/sql.ts";
import {
  DELIVERY_OBSTACLE,
  type DeliveryObstacle,
  GIFT_EXPIRY,
  type StateColumns,
} from "../codes/delivery-queries.ts";
import type { MailedGift } from "../schedule/queries.ts";

/**
 * The state of a gift, whatever its links are. `declined`: the recipient has declined the gift. `bought`: the gift was bought
 * outright and paid, so there is nothing to accept. `erased`: the gift is redeemed or shipped, and the personal data of its
 * recipient was erased.
 */
type PresentState = Exclude<DeliveryObstacle, "orderCancelled"> | "redeemed" | "bought";

/** `replaced`: the link has been renewed, and only the new link opens the gift. */
export type GiftState = PresentState | "replaced";

/** Whether the gift is accepted, or was bought outright and paid. */
export const isEntitled = (state: GiftState): boolean => state === "redeemed" || state === "bought";

/**
 * A redeemed gift stays redeemed, and a gift that was bought outright and sent stays bought, even if its order is cancelled
 * afterwards. A gift expires at its time, and not when the cron handler has expired it.
 */
export function presentState(gift: StateColumns, nowMs: number): PresentState {
  const { deliveryObstacle: obstacle, redemptionStatus, erasedAtMs, fulfilment } = gift;
  if (obstacle === null || (obstacle === "orderCancelled" && fulfilment !== null))
    return erasedAtMs === null ? (redemptionStatus ?? "bought") : "erased";
  if (obstacle === "orderCancelled") return "cancelled";
  const mayExpire = obstacle === "open" || obstacle === "unpaid";
  return mayExpire && isPast(gift, nowMs) ? "expired" : obstacle;
}

const isPast = ({ expiresAtMs }: StateColumns, nowMs: number) =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** The `presentState` of gift `s` of order `o` is `open`. */
export const IS_OPEN = fragment`
  ((${DELIVERY_OBSTACLE}) = 'open' AND ifnull(${GIFT_EXPIRY} > ${"nowMs"}, 1))`;

/** The state of a gift for a link of this generation. */
export const stateOf = (
  gift: StateColumns,
  { generation, nowMs }: { generation: number; nowMs: number },
): GiftState => (generation === gift.linkGeneration ? presentState(gift, nowMs) : "replaced");

/** The state of a gift as operators see it, independent of its links: the shipment, otherwise the state of the gift. */
type OperatorsState =
  | Exclude<ShipmentStatus, "open" | "failed">
  | Exclude<PresentState, "bought">
  | "to ship"
  | "delivery failed";

export function operatorsStateOf(
  gift: StateColumns & Pick<MailedGift, "shipmentStatus">,
  nowMs: number,
): OperatorsState {
  const { shipmentStatus } = gift;
  if (gift.fulfilment !== null && countsAsShipped(shipmentStatus))
    return shipmentStatus === "failed" ? "delivery failed" : shipmentStatus;
  const state = presentState(gift, nowMs);
  return state === "bought" ? "to ship" : state;
}

/** What the state of a gift is, in a sentence that refuses a change, and whether the gift has ended or is closed. */
const REASONS: Record<GiftState, { reason: string; hasEnded: boolean }> = {
  open: { reason: "it is open", hasEnded: false },
  bought: { reason: "it needs no acceptance", hasEnded: false },
  redeemed: { reason: "it is redeemed", hasEnded: false },
  unpaid: { reason: "its order is not paid", hasEnded: false },
  replaced: { reason: "its link is being renewed", hasEnded: false },
  erased: { reason: "the data of its recipient was erased", hasEnded: true },
  declined: { reason: "the recipient has declined the gift", hasEnded: true },
  cancelled: { reason: "the gift was cancelled", hasEnded: true },
  expired: { reason: "the gift has expired", hasEnded: true },
  failed: { reason: "the order has failed", hasEnded: true },
};

export const stateReason = (state: GiftState): string => REASONS[state].reason;

/** Why the gift has ended or is closed. Null if it is open, unpaid or redeemed. */
export function endedReason(gift: StateColumns, nowMs: number): string | null {
  const { reason, hasEnded } = REASONS[presentState(gift, nowMs)];
  return hasEnded ? reason : null;
}

/** The number of renewals of a link. */
export const MAX_RENEWALS = 999;

/** Why the gift gets no other link. Null if it can get one. */
export const lastLinkReason = ({ linkGeneration }: StateColumns): string | null =>
  linkGeneration === MAX_RENEWALS
    ? `its link has been renewed ${String(MAX_RENEWALS)} times`
    : null;

const isDeclined = ({ deliveryObstacle, redemptionStatus }: StateColumns) =>
  deliveryObstacle === "declined" && redemptionStatus === null;

/** Why the gift has ended. Null also if it is closed: declined, or past its last day, but not ended yet. */
export const finalReason = (gift: StateColumns): string | null =>
  isDeclined(gift) ? null : endedReason({ ...gift, expiresAtMs: null }, 0);

/** Whether the recipient can take back that the gift was declined. */
export const canReinstate = (gift: StateColumns, nowMs: number): boolean =>
  isDeclined(gift) && !isPast(gift, nowMs);
