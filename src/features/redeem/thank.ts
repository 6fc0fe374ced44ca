// The recipient's note to the sender.
import { retrying } from "../../platform/db/faults.ts";
import { type LinkedGiftKey, writeNote } from "./queries.ts";
import type { ChangeOutcome, RedeemContext } from "./redeem.ts";

/**
 * Stores the recipient's note, once. A repeated request with the same note succeeds and changes nothing. The outcome is
 * `closed` if the gift is not redeemed or has another note. Null if there is no such gift. One round trip.
 */
export async function thank(
  { d1, nowMs }: RedeemContext,
  key: LinkedGiftKey,
  note: string,
): Promise<ChangeOutcome | null> {
  const { view, webhookIds } = await retrying(() => writeNote(d1, key, { note, nowMs }));
  if (!view) return null;
  return view.gift.thankYou === note && view.gift.state === "redeemed"
    ? { kind: "changed", webhookIds }
    : { kind: "closed", view };
}
