// Changes the last day of a single gift.
import { refusal } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { redeemByOf, redeemByRange } from "../../core/values/redeem-by.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import {
  decideGiftExtension,
  extendGift,
  requireLastDay,
} from "../../features/lifecycle/extend.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Sets the last day of a single gift, which applies until its order gets another one. One transaction. */
export const giftExtend = change({
  name: "gift extend",
  title: "Change the last day",
  description:
    "The other gifts of the order keep theirs. A gift whose last day has just passed can be accepted again. A declined one stays declined.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    redeem_by: kinds.day("Last day (UTC)"),
  },
  examples: ["GO-00042-1 --redeem-by 2027-01-31"],
  present: async ({ DB, nowMs }, { gift = 0 }) => {
    const loaded = await requireGiftToChange(DB, operatorGiftKey(gift));
    decideGiftExtension(loaded, { redeemBy: redeemByRange(nowMs).last, nowMs });
    return { redeem_by: redeemByOf(loaded.expiresAtMs) ?? undefined };
  },
  plan: async ({ DB, nowMs }, { gift, redeem_by: redeemBy }) => {
    requireLastDay(redeemBy, nowMs);
    const loaded = await requireGiftToChange(DB, operatorGiftKey(gift));
    if (!decideGiftExtension(loaded, { redeemBy, nowMs })) throw unchanged(gift, redeemBy);
    return {
      gift,
      redeemBy,
      will: `set the last day of ${giftNumber(gift)} of ${loaded.clientId} to ${redeemBy}`,
      changes: [{ label: "Last day", before: redeemByOf(loaded.expiresAtMs), after: redeemBy }],
      subjects: [{ type: "gift", keys: [gift] }],
    };
  },
  run: async ({ DB, nowMs }, { gift, redeemBy }) => {
    const { changed } = await extendGift(DB, operatorGiftKey(gift), redeemBy, nowMs);
    if (!changed) throw unchanged(gift, redeemBy);
    return { text: `The last day of ${giftNumber(gift)} is ${redeemBy}.` };
  },
});

const unchanged = (gift: number, redeemBy: string) =>
  refusal(`the last day of ${giftNumber(gift)} is ${redeemBy} already.`);
