// The page that replaces the link of a gift. The new link is only in the response that confirms the change.
import * as z from "zod/mini";
import { email } from "../../../../core/validation/fields.ts";
import { validate } from "../../../../core/validation/validate.ts";
import { RENEW_GIFT, secretsOf } from "../../../../operator/lifecycle/renew-gift.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { GIFT_ACTIONS, RENEW } from "../../../texts/gifts.ts";
import { giftIdOf, giftTarget } from "../gift-target.ts";

export const renewGift: ActionOf<typeof RENEW_GIFT> = {
  permission: "gifts",
  change: RENEW_GIFT,
  title: GIFT_ACTIONS.renew,
  target: giftTarget,
  fields: () => [{ name: "email", type: "email", label: RENEW.email, hint: RENEW.emailHint }],
  input: ({ values }, c) => ({
    giftId: giftIdOf(c),
    email: values["email"] ? validate(z.object({ email: email() }), values).email : null,
    secrets: secretsOf(c.env),
    publicUrl: c.env.PUBLIC_URL,
  }),
  done: ({ suborder, giftUrl }) => (
    <>
      <p>{RENEW.done(suborder)}</p>
      <p>
        <code data-copy>{giftUrl}</code>
      </p>
      <p>{RENEW.warning}</p>
    </>
  ),
};
