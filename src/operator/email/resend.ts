// Sends a gift's link or code to its recipient by e-mail, or sends it again.
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import {
  decideInvitation,
  recentEmails,
  requestInvitation,
} from "../../features/lifecycle/send.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { change, type OperatorContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { type Sending, readSending, readSendingText, whenText } from "./sending.ts";

/** Replaces an invitation that is still to be sent. One transaction. */
export const emailResend = change({
  name: "email resend",
  title: "Send the link or code by e-mail",
  description:
    "A gift whose code was sent gets the code again. A link replaces an invitation that is still to be sent. Each is sent at most three times in 24 hours. After an e-mail has come back, correct the address instead.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    at: kinds.optional(
      kinds.time("Send it at", { hint: "Without it, it is sent as soon as possible." }),
    ),
  },
  examples: ["GO-00042-3", "GO-00042-3 --at 2027-01-31T09:00:00+10:00"],
  present: async (context, { gift = 0 }) => {
    await planSending(context, gift, context.nowMs);
    return {};
  },
  plan: async (context, { gift: giftId, at = null }) => {
    const { nowMs } = context;
    const sendAtMs = Math.max(at ?? nowMs, nowMs);
    const sending = await planSending(context, giftId, sendAtMs);
    const { clientId, emails, codeSentAtMs } = sending.gift;
    const [what, kind] =
      codeSentAtMs === null ? (["link", "invitation"] as const) : (["code", "code"] as const);
    const recent = recentEmails(kind, emails, nowMs).length;
    return {
      giftId,
      at,
      will:
        `send the ${what} of ${giftNumber(giftId)} of ${clientId} to its recipient ${whenText(sending, sendAtMs)}; ` +
        `it was sent ${plural(recent, "time")} in the last 24 hours`,
      subjects: [{ type: "gift", keys: [giftId] }],
      confirms: at,
    };
  },
  run: async (context, { giftId, at }) => {
    const { DB, nowMs } = context;
    const sendAtMs = Math.max(at ?? nowMs, nowMs);
    await namingInput(() => requestInvitation(DB, operatorGiftKey(giftId), { sendAtMs, nowMs }));
    return { text: await readSendingText(context, giftId) };
  },
});

/** The gift, if it can be sent. Errors: those of `requestInvitation`, `not_allowed_in_state`. */
async function planSending(
  context: OperatorContext,
  giftId: number,
  sendAtMs: number,
): Promise<Sending> {
  const { DB, nowMs } = context;
  const gift = await requireGiftToChange(DB, operatorGiftKey(giftId));
  await namingInput(() => decideInvitation(gift, { sendAtMs, nowMs }));
  const sending = await readSending(context, gift, sendAtMs);
  if (sending.obstacle === null) return sending;
  throw refusal(`${giftNumber(giftId)} cannot be sent: ${sending.obstacle}.`);
}

/** Errors: those of the work. Invalid fields are named as the input is. */
async function namingInput(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.fields) throw error;
    throw validationError(error.fields.map(({ message }) => ({ field: "at", message })));
  }
}
