// Declining a gift, and taking that back.
import { DAY_MS } from "../../core/values/time.ts";
import type { DeclineReason } from "../events/event.ts";
import { changeGift, type ChangingGift } from "../lifecycle/change.ts";
import type { OrderChange } from "../lifecycle/change-queries.ts";
import type { StateColumns } from "../codes/delivery-queries.ts";
import { canReinstate, presentState } from "../lifecycle/gift-state.ts";
import { NO_CLIENT } from "../lifecycle/order-key.ts";
import { type LinkedGiftKey, readGiftToChange } from "./queries.ts";
import type { ChangeOutcome, RedeemContext } from "./redeem.ts";

/**
 * Declines the gift, which closes it: its stock and credit are held until it ends some days later. Null if there is no such
 * gift. If another request changes the gift at the same time, only one of the two takes effect. The outcome is `changed` in
 * either case, and the gift's page shows which one did. Two round trips.
 */
export const decline = (
  context: RedeemContext,
  key: LinkedGiftKey,
  declineReason?: DeclineReason,
): Promise<ChangeOutcome | null> =>
  changeIf(isOpen, context, key, ({ finalAfterDays }) => {
    const finalAtMs = context.nowMs + finalAfterDays * DAY_MS;
    return {
      values: { declinedAtMs: context.nowMs },
      events: [{ type: "gift.declined", data: { declineReason, finalAtMs } }],
      nextCheckMs: finalAtMs,
    };
  });

const isOpen = (gift: StateColumns, nowMs: number) => presentState(gift, nowMs) === "open";

/** Opens the declined gift again, until it ends. The outcomes are those of `decline`. */
export const reinstate = (
  context: RedeemContext,
  key: LinkedGiftKey,
): Promise<ChangeOutcome | null> =>
  changeIf(canReinstate, context, key, () => ({
    values: { declinedAtMs: null },
    events: [{ type: "gift.reinstated", data: null }],
  }));

/** Decides if the change `isPossible` by the present link, when the gift is read and again when it is written. */
async function changeIf(
  isPossible: (gift: StateColumns, nowMs: number) => boolean,
  { d1, nowMs, tracksOpening }: RedeemContext,
  key: LinkedGiftKey,
  decide: (gift: ChangingGift) => OrderChange,
): Promise<ChangeOutcome | null> {
  const { view, webhookIds, read } = await readGiftToChange(d1, key, nowMs, tracksOpening);
  if (!view) return null;
  const mayChange = (gift: StateColumns) =>
    gift.linkGeneration === key.generation && isPossible(gift, nowMs);
  if (!mayChange(view.gift)) return { kind: "closed", view };
  const change = (gift: ChangingGift) => (mayChange(gift) ? decide(gift) : null);
  await changeGift(d1, { ...key, ...NO_CLIENT, nowMs }, change, read);
  return { kind: "changed", webhookIds };
}
