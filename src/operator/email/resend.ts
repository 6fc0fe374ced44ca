// Sends a gift's link to its recipient by e-mail, or sends it again.
import { ApiError } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { planInvitation, requestInvitation } from "../../features/email/request.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { giftOf, unknownGift } from "./email-gift.ts";

interface Resending {
  /** The sub-order's id. */
  giftId: number;
  /** Null means now. */
  sendAtMs: number | null;
}

type Plan = PlannedChange & Resending;

interface Resent {
  suborder: string;
  email: string;
  sendAtMs: number;
  /** The outcome in a sentence. */
  text: string;
}

/** Replaces an invitation that is still to be sent. One transaction. */
export const RESEND_EMAIL: Change<Resending, Plan, Resent> = {
  action: "email resend",
  plan: async ({ DB, EMAIL_FROM }, { giftId, sendAtMs }, nowMs) => {
    if (EMAIL_FROM === "") throw new Refusal("e-mails are switched off in this environment.");
    const { key, number, subjects } = giftOf(giftId);
    const request = { ...key, clientId: null, sendAtMs, nowMs };
    const planned = orThrow(await planInvitation(DB, request), number);
    const { gift } = planned;
    const description =
      `send the link of ${number} of ${gift.clientId} to its recipient ${whenOf(planned.sendAtMs, nowMs)}; ` +
      `it was sent ${plural(gift.recentMs.length, "time")} in the last 24 hours`;
    return { giftId, sendAtMs, description, subjects };
  },
  run: async ({ DB }, { giftId, sendAtMs }, nowMs) => {
    const { key, number: suborder } = giftOf(giftId);
    const request = { ...key, clientId: null, sendAtMs, nowMs };
    const sent = orThrow(await requestInvitation(DB, request), suborder);
    const { email, orderStatus } = sent.gift;
    const unpaid = orderStatus === "created" ? ", once the order is paid" : "";
    const when = `${whenOf(sent.sendAtMs, nowMs)}${unpaid}`;
    const text = `The link of ${suborder} is sent to ${email} ${when}.`;
    return { suborder, email, sendAtMs: sent.sendAtMs, text };
  },
};

const whenOf = (atMs: number, nowMs: number) =>
  atMs > nowMs ? `at ${formatDateTime(atMs)} (UTC)` : "within a minute";

function orThrow<T>(result: T | ApiError, number: string): T {
  if (!(result instanceof ApiError)) return result;
  if (result.code === "not_found") throw unknownGift(number);
  throw new Refusal(result.message.replace(/^send_at/, "the time"));
}
