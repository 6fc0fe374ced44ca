// The recipient's note to the sender.
import { retrying } from "../../platform/db/faults.ts";
import { type GiftView, type SubOrderKey, writeNote } from "./queries.ts";
import type { RedeemContext } from "./redeem.ts";

export type ThankOutcome =
  | { kind: "thanked"; webhookIds: number[] }
  /** The gift is not redeemed, or already has another note. Nothing has changed. */
  | { kind: "closed"; view: GiftView };

/**
 * Stores the recipient's note, once. A repeated request with the same note succeeds and changes nothing. Null if there is
 * no such gift. One round trip.
 */
export async function thank(
  { d1, nowMs }: RedeemContext,
  key: SubOrderKey,
  note: string,
): Promise<ThankOutcome | null> {
  const { view, webhookIds } = await retrying(() => writeNote(d1, key, { note, nowMs }));
  if (!view) return null;
  return view.gift.thankYou === note && view.gift.state === "redeemed"
    ? { kind: "thanked", webhookIds }
    : { kind: "closed", view };
}
