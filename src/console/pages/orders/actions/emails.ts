// The pages that send a gift's link by e-mail, and that stop the e-mails about a gift.
import * as z from "zod/mini";
import { day } from "../../../../core/validation/fields.ts";
import { validate } from "../../../../core/validation/validate.ts";
import { parseUtc } from "../../../../core/values/time.ts";
import { RESEND_EMAIL } from "../../../../operator/email/resend.ts";
import { STOP_EMAILS } from "../../../../operator/email/stop.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { GIFT_ACTIONS, RESEND, STOPPED } from "../../../texts/gifts.ts";
import { giftIdOf, giftTarget } from "../gift-target.ts";

export const resendEmail: ActionOf<typeof RESEND_EMAIL> = {
  permission: "gifts",
  change: RESEND_EMAIL,
  title: GIFT_ACTIONS.resend,
  target: giftTarget,
  fields: () => [{ name: "at", type: "date", label: RESEND.at, hint: RESEND.atHint }],
  input: ({ values }, c) => ({
    giftId: giftIdOf(c),
    sendAtMs: values["at"]
      ? (parseUtc(validate(z.object({ at: day() }), values).at) ?? null)
      : null,
  }),
  done: ({ text }) => text,
};

export const stopEmails: ActionOf<typeof STOP_EMAILS> = {
  permission: "gifts",
  change: STOP_EMAILS,
  title: GIFT_ACTIONS["stop-emails"],
  isFinal: true,
  target: giftTarget,
  input: (_form, c) => ({ giftId: giftIdOf(c) }),
  done: ({ suborder }) => STOPPED(suborder),
};
