// Sends a gift's link to its recipient by e-mail, or sends it again.
import { ApiError, validationError } from "../../core/api-error.ts";
import { giftNumber, splitSuborderId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import {
  type Invitation,
  planInvitation,
  requestInvitation,
} from "../../features/email/request.ts";
import { change, type OperatorContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { Refusal } from "../refusal.ts";
import { readEmailGift } from "../orders/email-queries.ts";
import { type Sending, sendingOf, sendingText, whenText } from "../orders/sending.ts";
import { unknownGift } from "./stop.ts";

/** Replaces an invitation that is still to be sent. One transaction. */
export const emailResend = change({
  name: "email resend",
  title: "Send the link by e-mail",
  description:
    "It replaces an invitation that is still to be sent, at most three times in 24 hours. After an e-mail has come back, correct the address instead.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    at: kinds.optional(
      kinds.time("Send it at", { hint: "Without it, it is sent as soon as possible." }),
    ),
  },
  examples: ["GO-00042-3", "GO-00042-3 --at 2027-01-31T09:00:00+10:00"],
  present: async (context, { gift = 0 }) => {
    await planSending(context, gift, null);
    return {};
  },
  plan: async (context, { gift: giftId, at = null }) => {
    const { gift, sendAtMs, sending } = await planSending(context, giftId, at);
    return {
      giftId,
      at,
      will:
        `send the link of ${giftNumber(giftId)} of ${gift.clientId} to its recipient ${whenText(sending, sendAtMs)}; ` +
        `it was sent ${plural(gift.recentMs.length, "time")} in the last 24 hours`,
      subjects: [{ type: "gift", keys: [giftId] }],
      confirms: at,
    };
  },
  run: async (context, { giftId, at }) => {
    const { DB, nowMs } = context;
    const request = { clientId: null, ...splitSuborderId(giftId), sendAtMs: at, nowMs };
    orThrow(await requestInvitation(DB, request), giftId);
    return { text: await sendingText(context, giftId) };
  },
});

/** Errors: `Refusal`, `ApiError` for the time. */
async function planSending(
  context: OperatorContext,
  giftId: number,
  sendAtMs: number | null,
): Promise<Invitation & { sending: Sending }> {
  const { DB, nowMs } = context;
  const key = splitSuborderId(giftId);
  const [mailed, planned] = await Promise.all([
    readEmailGift(DB, key),
    planInvitation(DB, { clientId: null, ...key, sendAtMs, nowMs }),
  ]);
  const invitation = orThrow(planned, giftId);
  if (!mailed) throw unknownGift(giftId);
  const sending = await sendingOf(context, mailed);
  if (sending.obstacle === null) return { ...invitation, sending };
  throw new Refusal(`${giftNumber(giftId)} cannot be sent: ${sending.obstacle}.`);
}

/** Errors: `Refusal`, `ApiError` for the time. */
function orThrow<T>(result: T | ApiError, giftId: number): T {
  if (!(result instanceof ApiError)) return result;
  if (result.code === "not_found") throw unknownGift(giftId);
  if (result.fields === undefined) throw new Refusal(result.message);
  throw validationError(result.fields.map(({ message }) => ({ field: "at", message })));
}
