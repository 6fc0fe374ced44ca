// What operators can do with a gift of which a change was refused.
import { giftNumber, orderNumber, splitGiftId } from "../../core/values/ids.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { type GiftState, presentState } from "../../features/lifecycle/gift-state.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";

/** The change that helps in each state, and what for. */
const ADVICE: Partial<Record<GiftState, { text: string; name: string }>> = {
  expired: { text: "To open the gift again, set a new last day", name: "gift extend" },
  redeemed: { text: "For another product, swap the gift", name: "gift swap" },
  unpaid: { text: "Record the payment first", name: "order pay" },
};

interface Refused {
  giftId: number;
  nowMs: number;
  /** The name of the change that was refused. */
  refused: string;
}

/** A sentence with the command, which the console links. Null if there is no such gift, or no advice. */
export async function adviceFor(
  db: D1Database,
  { giftId, nowMs, refused }: Refused,
): Promise<string | null> {
  const gift = await requireGiftToChange(db, operatorGiftKey(giftId)).catch(() => null);
  const advice = gift && ADVICE[presentState(gift, nowMs)];
  const hasEnded = gift?.redemptionStatus === "expired";
  if (!advice || advice.name === refused || gift.fulfilment !== null || hasEnded) return null;
  const { orderId } = splitGiftId(giftId);
  const object = advice.name.startsWith("order") ? orderNumber(orderId) : giftNumber(giftId);
  return `${advice.text} (${advice.name} ${object}).`;
}
