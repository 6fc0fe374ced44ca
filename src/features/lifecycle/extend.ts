// Changes the last day of an order's gifts, or of a single gift.
import { refusal, validationError } from "../../core/api-error.ts";
import { orderNumber, toGiftNumber } from "../../core/values/ids.ts";
import { expiryOf, nextExpiryCheck, redeemByRange } from "../../core/values/redeem-by.ts";
import type { Database } from "../../platform/db/sql.ts";
import { changeGift, changeOrder, type ChangingGift, requireLink } from "./change.ts";
import type { OrderChange, ReadOrder } from "./change-queries.ts";
import { finalReason } from "./gift-state.ts";
import type { GiftKey } from "./order-key.ts";

/**
 * Sets the last day of the order's open gifts, also of closed ones. `redeemBy` is null for gifts that do not expire. Gifts
 * that have ended stay as they are, because their stock and credit have been returned. The last days of single gifts are
 * removed: otherwise some gifts of the order would keep another day. Safe to repeat. Errors: `not_found`, `not_allowed_in_state`. Two round trips.
 */
export const extend = (
  db: Database,
  key: Omit<GiftKey, "sequence">,
  redeemBy: string | null,
  nowMs: number,
): Promise<{ order: ReadOrder; changed: boolean }> =>
  changeOrder(db, { ...key, sequence: null, nowMs }, (order) =>
    decideExtension(order, { orderId: key.orderId, redeemBy, nowMs }),
  );

/** What the extension changes. Null if all open gifts have this last day. Errors: `not_allowed_in_state`. */
export function decideExtension(
  { giftOrderMethod, gifts }: ReadOrder,
  { orderId, redeemBy, nowMs }: { orderId: number; redeemBy: string | null; nowMs: number },
): OrderChange | null {
  const open = gifts.filter((gift) => finalReason(gift) === null);
  const refuse = (reason: string) => refusal(`${orderNumber(orderId)} ${reason}.`);
  if (giftOrderMethod !== "api-giftlink")
    throw refuse("has no gift links, so its gifts do not expire");
  if (open.length === 0) throw refuse("has no open gift");
  const expiresAtMs = redeemBy === null ? null : expiryOfDay(redeemBy);
  if (open.every((gift) => gift.expiresAtMs === expiresAtMs)) return null;
  return {
    events: [{ type: "order.extended", data: { expiresAtMs } }],
    expiresAtMs,
    nextCheckMs: expiresAtMs === null ? null : nextExpiryCheck(expiresAtMs, nowMs),
  };
}

/**
 * Sets the last day of a single gift, which applies until its order gets another one. A declined gift stays declined.
 * Safe to repeat. Errors: `not_found`, `not_allowed_in_state`. Two round trips.
 */
export const extendGift = (
  db: Database,
  key: GiftKey,
  redeemBy: string,
  nowMs: number,
): Promise<{ gift: ChangingGift; changed: boolean }> =>
  changeGift(db, { ...key, nowMs }, (gift) => decideGiftExtension(gift, { redeemBy, nowMs }));

/** What the extension of the gift changes. Null if it has this last day. Errors: those of `extendGift`. */
export function decideGiftExtension(
  gift: ChangingGift,
  { redeemBy, nowMs }: { redeemBy: string; nowMs: number },
): OrderChange | null {
  requireLink(gift);
  const reason = gift.redemptionStatus === "redeemed" ? "it is redeemed" : finalReason(gift);
  if (reason !== null) {
    const number = toGiftNumber(gift.orderId, gift.sequence);
    throw refusal(`${number} cannot be extended: ${reason}.`);
  }
  const expiresAtMs = expiryOfDay(redeemBy);
  if (gift.expiresAtMs === expiresAtMs) return null;
  return {
    values: { expiresAtMs },
    events: [{ type: "gift.extended", data: { expiresAtMs } }],
    nextCheckMs: nextExpiryCheck(expiresAtMs, nowMs),
  };
}

/** The day, if it can be a new last day. Errors: `validation_error` for `redeem_by`. */
export function requireLastDay(redeemBy: string | undefined, nowMs: number): string {
  const { first, last } = redeemByRange(nowMs);
  if (redeemBy !== undefined && redeemBy >= first && redeemBy <= last) return redeemBy;
  const message = `must be a day from ${first} to ${last}`;
  throw validationError([{ field: "redeem_by", message }]);
}

/** The end of a day that was validated. */
function expiryOfDay(redeemBy: string): number {
  const expiresAtMs = expiryOf(redeemBy);
  if (expiresAtMs === undefined) throw new Error(`${redeemBy} is not a day`);
  return expiresAtMs;
}
