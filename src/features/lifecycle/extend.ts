// Changes the last day of an order's gifts, or of a single gift.
import { expiryOf, nextExpiryCheck } from "../../core/values/redeem-by.ts";
import type { Database } from "../../platform/db/statement.ts";
import { planEmails } from "../orders/email-queries.ts";
import { changeExpiry, changeGiftExpiry } from "./expiry-queries.ts";

/** `unchanged`: the order has this last day already. */
type ExtensionResult =
  "extended" | "unchanged" | "not a gift-link order" | "expired" | "no open gift";

export interface ExtensionOutcome {
  /** If it is not `extended`, nothing has changed. */
  result: ExtensionResult;
  openGifts: number;
  expiredGifts: number;
}

/**
 * Sets the last day of the order's open gifts. `redeemBy` is null for gifts that do not expire. Expired gifts stay
 * expired, because their stock and credit have been returned. The last days of single gifts are removed: otherwise some
 * gifts of the order would keep another day. Null if there is no such order. Safe to repeat. Three round trips.
 */
export async function extend(
  d1: D1Database,
  orderId: number,
  redeemBy: string | null,
  nowMs: number,
): Promise<ExtensionOutcome | null> {
  const expiresAtMs = redeemBy === null ? null : (expiryOf(redeemBy) ?? null);
  const nextCheckMs = expiresAtMs === null ? null : nextExpiryCheck(expiresAtMs, nowMs);
  const outcome = await changeExpiry(d1, { orderId, expiresAtMs, nextCheckMs, nowMs });
  if (!outcome) return null;
  if (outcome.changed) await planEmails(d1, { orderId, sequence: null }, nowMs);
  const { openGifts, expiredGifts, ...order } = outcome.order;
  const resultOf = (): ExtensionResult => {
    if (outcome.changed) return "extended";
    if (order.giftOrderMethod !== "api-giftlink") return "not a gift-link order";
    if (openGifts === 0) return expiredGifts > 0 ? "expired" : "no open gift";
    if (order.firstExpiryMs !== null && order.firstExpiryMs <= nowMs) return "expired";
    return "unchanged";
  };
  return { result: resultOf(), openGifts, expiredGifts };
}

/**
 * Sets the last day of a single gift, which applies until its order gets another one. False, and nothing changes, if the
 * gift has this last day already or is not open. Safe to repeat. Three round trips.
 */
export async function extendGift(
  db: Database,
  { orderId, sequence }: { orderId: number; sequence: number },
  redeemBy: string,
  nowMs: number,
): Promise<boolean> {
  const expiresAtMs = expiryOf(redeemBy);
  if (expiresAtMs === undefined) throw new Error(`${redeemBy} is not a day`);
  const nextCheckMs = nextExpiryCheck(expiresAtMs, nowMs);
  const key = { orderId, sequence };
  const isChanged = await changeGiftExpiry(db, { ...key, expiresAtMs, nextCheckMs, nowMs });
  if (isChanged) await planEmails(db, key, nowMs);
  return isChanged;
}
