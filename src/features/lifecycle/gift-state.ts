// The state of a gift, for its recipient's page and for changes of the gift.
import { countsAsShipped, type ShipmentStatus } from "../../core/values/shipment-states.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Gifts, Orders } from "../../platform/db/schema.ts";
import type { RowOf } from "../../platform/db/sql.ts";
import { GIFT_EXPIRY } from "../schedule/queries.ts";

/**
 * `declined`: the recipient has declined the gift. `replaced`: the link has been renewed, and only the new link opens
 * the gift. `bought`: the gift was bought outright and paid, so there is nothing to accept. `erased`: the gift is redeemed
 * or shipped, and the personal data of its recipient was erased.
 */
export type GiftState =
  | "open"
  | "bought"
  | "redeemed"
  | "erased"
  | "declined"
  | "cancelled"
  | "expired"
  | "unpaid"
  | "failed"
  | "replaced";

/** Whether the gift is accepted, or was bought outright and paid. */
export const isEntitled = (state: GiftState): boolean => state === "redeemed" || state === "bought";

type PresentState = Exclude<GiftState, "replaced">;

const o = columnsOf<Orders>("o");
const s = columnsOf<Gifts>("s");

/** The columns of gift `s` of order `o` that determine its state. */
export const STATE_COLUMNS = {
  orderStatus: o("status").status,
  ...o("giftOrderMethod"),
  ...s("redemptionStatus", "linkGeneration", "declinedAtMs", "erasedAtMs", "hasShipment"),
  expiresAtMs: GIFT_EXPIRY,
};

export type StateColumns = RowOf<typeof STATE_COLUMNS>;

/**
 * The state of a gift, whatever its links are. A redeemed gift stays redeemed, and a gift that was bought outright and sent
 * stays bought, even if its order is cancelled afterwards. A gift expires at its time, and not when the cron handler has
 * expired it.
 */
export function presentState(
  { giftOrderMethod, orderStatus, redemptionStatus, ...times }: StateColumns,
  nowMs: number,
): PresentState {
  const { expiresAtMs, declinedAtMs, erasedAtMs, hasShipment } = times;
  if (redemptionStatus === "redeemed") return erasedAtMs === null ? "redeemed" : "erased";
  if (redemptionStatus === "expired") return "expired";
  if (declinedAtMs !== null) return "declined";
  if (orderStatus === "failed") return "failed";
  const isBought = giftOrderMethod === "api-purchase";
  const isSent = isBought && hasShipment > 0;
  if (redemptionStatus === "cancelled" || (orderStatus === "cancieled" && !isSent))
    return "cancelled";
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return "expired";
  // A gift of a direct order was shipped without a redemption.
  if (erasedAtMs !== null) return "erased";
  if (orderStatus === "created") return "unpaid";
  return isBought ? "bought" : "open";
}

/** The state of a gift for a link of this generation. */
export const stateOf = (
  gift: StateColumns,
  { generation, nowMs }: { generation: number; nowMs: number },
): GiftState => (generation === gift.linkGeneration ? presentState(gift, nowMs) : "replaced");

/** The columns that determine the state of a gift for operators. */
export interface OperatorsStateColumns extends StateColumns {
  /** Null if the gift was never shipped. `open` after its shipment was reopened. */
  shipmentStatus: ShipmentStatus | null;
}

/** The state of a gift as operators see it, independent of its links: the shipment, otherwise the state of the gift. */
type OperatorsState =
  | Exclude<ShipmentStatus, "open" | "failed">
  | Exclude<PresentState, "bought">
  | "to ship"
  | "delivery failed";

export function operatorsStateOf(gift: OperatorsStateColumns, nowMs: number): OperatorsState {
  const { shipmentStatus } = gift;
  if (gift.hasShipment > 0 && countsAsShipped(shipmentStatus))
    return shipmentStatus === "failed" ? "delivery failed" : shipmentStatus;
  const state = presentState(gift, nowMs);
  return state === "bought" ? "to ship" : state;
}

/** What the state of a gift is, in a sentence that refuses a change. */
export const STATE_REASONS: Record<GiftState, string> = {
  open: "it is open",
  bought: "it needs no acceptance",
  redeemed: "it is redeemed",
  erased: "the data of its recipient was erased",
  declined: "the recipient has declined the gift",
  cancelled: "the gift was cancelled",
  expired: "the gift has expired",
  unpaid: "its order is not paid",
  failed: "the order has failed",
  replaced: "its link is being renewed",
};

const HAS_ENDED: Record<PresentState, boolean> = {
  open: false,
  bought: false,
  unpaid: false,
  redeemed: false,
  erased: true,
  declined: true,
  cancelled: true,
  expired: true,
  failed: true,
};

/** Why the gift has ended or is closed. Null if it is open, unpaid or redeemed. */
export function endedReason(gift: StateColumns, nowMs: number): string | null {
  const state = presentState(gift, nowMs);
  return HAS_ENDED[state] ? STATE_REASONS[state] : null;
}

/** The number of renewals of a link. */
export const MAX_RENEWALS = 999;

/** Why the gift gets no other link. Null if it can get one. */
export const lastLinkReason = ({ linkGeneration }: StateColumns): string | null =>
  linkGeneration === MAX_RENEWALS
    ? `its link has been renewed ${String(MAX_RENEWALS)} times`
    : null;

/** Why the gift has ended. Null also if it is closed: declined, or past its last day, but not ended yet. */
export function finalReason(gift: StateColumns, nowMs: number): string | null {
  const isClosed = gift.redemptionStatus === null;
  return endedReason(isClosed ? { ...gift, declinedAtMs: null, expiresAtMs: null } : gift, nowMs);
}

/** Whether the recipient can take back that the gift was declined. */
export const canReinstate = (gift: StateColumns, nowMs: number): boolean =>
  gift.declinedAtMs !== null &&
  gift.redemptionStatus === null &&
  presentState({ ...gift, declinedAtMs: null }, nowMs) === "open";
