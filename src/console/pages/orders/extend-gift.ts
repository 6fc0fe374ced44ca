// The page that changes the last day of a gift.
import * as z from "zod/mini";
import { day } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { validationError } from "../../../core/api-error.ts";
import { redeemByRange } from "../../../core/values/redeem-by.ts";
import { EXTEND_GIFT } from "../../../operator/lifecycle/extend-gift.ts";
import type { ActionOf } from "../../action.tsx";
import { GIFTS } from "../../texts/gifts.ts";
import { giftIdOf, giftTarget } from "./gift-target.ts";

export const extendGift: ActionOf<typeof EXTEND_GIFT> = {
  permission: "gifts",
  change: EXTEND_GIFT,
  ...GIFTS.extend,
  target: giftTarget,
  fields: () => [{ name: "redeem_by", type: "date", label: GIFTS.extend.redeemBy, required: true }],
  input: ({ values }, c) => {
    const { redeem_by: redeemBy } = validate(z.object({ redeem_by: day() }), values);
    const { first, last } = redeemByRange(c.get("nowMs"));
    if (redeemBy < first || redeemBy > last) {
      const message = `must be a day from ${first} to ${last}`;
      throw validationError([{ field: "redeem_by", message }]);
    }
    return { giftId: giftIdOf(c), redeemBy };
  },
  done: ({ suborder, redeemBy }) => GIFTS.extend.done(suborder, redeemBy),
};
