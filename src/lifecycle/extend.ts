// Changes the last day of an order's gifts, for the operator.
import { expiryOf, nextExpiryCheck } from "../values/redeem-by.ts";
import { changeExpiry } from "./expiry-queries.ts";

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
 * expired (DECISIONS.md: The operator changes the last day of open gifts). Null if there is no such order. Safe to
 * repeat. One transaction.
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
  const { openGifts, expiredGifts, ...order } = outcome.order;
  const resultOf = (): ExtensionResult => {
    if (outcome.changed) return "extended";
    if (order.giftOrderMethod !== "api-giftlink") return "not a gift-link order";
    if (openGifts === 0) return expiredGifts > 0 ? "expired" : "no open gift";
    if (order.expiresAtMs !== null && order.expiresAtMs <= nowMs) return "expired";
    return "unchanged";
  };
  return { result: resultOf(), openGifts, expiredGifts };
}
