// The page that changes the last day of a gift.
import { EXTEND_GIFT } from "../../../../operator/lifecycle/extend-gift.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { GIFT_ACTIONS, GIFTS } from "../../../texts/gifts.ts";
import { giftIdOf, giftTarget } from "../gift-target.ts";
import { lastDayOf } from "./last-day.ts";

export const extendGift: ActionOf<typeof EXTEND_GIFT> = {
  permission: "gifts",
  change: EXTEND_GIFT,
  title: GIFT_ACTIONS.extend,
  target: giftTarget,
  fields: () => [{ name: "redeem_by", type: "date", label: GIFTS.extend.redeemBy, required: true }],
  input: (form, c) => ({ giftId: giftIdOf(c), redeemBy: lastDayOf(form, c.get("nowMs")) }),
  done: ({ suborder, redeemBy }) => GIFTS.extend.done(suborder, redeemBy),
};
