// Whether and when the link of a gift is sent by e-mail: the rule of all sentences and buttons about it.
import { giftNumber } from "../../core/values/ids.ts";
import { formatDateTime, MINUTE_MS } from "../../core/values/time.ts";
import { readAddress } from "../../features/email/outbox/claim-queries.ts";
import { MAX_TO_ADDRESS_A_DAY, plannedEmail } from "../../features/schedule/next-email.ts";
import { lastEmail } from "../../features/schedule/queries.ts";
import { STOPPED_REASONS } from "../../features/lifecycle/send.ts";
import { type ChangingGift, requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { isSandbox } from "../../platform/configuration.ts";
import type { OperatorContext } from "../declaration/declare.ts";

type Context = Pick<OperatorContext, "DB" | "EMAIL_FROM" | "ENVIRONMENT" | "nowMs">;

export interface Sending {
  gift: ChangingGift;
  nowMs: number;
  /** Why no e-mail is sent until something is changed. Null if there is no such reason. */
  obstacle: string | null;
}

/** `dueMs`: when the next e-mail is to be sent. One round trip. */
export async function readSending(
  context: Context,
  gift: ChangingGift,
  dueMs: number,
): Promise<Sending> {
  const { nowMs } = context;
  const atMs = Math.max(dueMs, nowMs, gift.pausedUntilMs ?? 0);
  const address = await readAddress(context.DB, gift, { atMs, isSandbox: isSandbox(context) });
  return {
    gift,
    nowMs,
    obstacle:
      context.EMAIL_FROM === ""
        ? "e-mails are switched off in this environment"
        : gift.emailsStopped
          ? STOPPED_REASONS[gift.emailsStopped]
          : address.hasComplained
            ? "the owner of the address has reported an e-mail as spam"
            : address.isLimited && gift.codeSentAtMs === null
              ? `its address has got ${String(MAX_TO_ADDRESS_A_DAY)} e-mails today (UTC), the maximum number`
              : null,
  };
}

/** Why another e-mail to the same address would not arrive either. */
const WRONG_ADDRESS = ["hard_bounce", "suppressed", "invalid_address", "undeliverable"];

/** Whether the last e-mail to the present address did not arrive because of the address. */
export function isWrongAddress({ gift }: Sending): boolean {
  const last = lastEmail(gift);
  return !last?.addressChanged && WRONG_ADDRESS.includes(last?.reason ?? "");
}

/** When the invitation is to be sent, perhaps after a reminder. Null if none is planned. */
export function invitationMs({ gift, nowMs }: Pick<Sending, "gift" | "nowMs">): number | null {
  const { inviteAtMs, orderStatus } = gift;
  const planned = plannedEmail(gift, nowMs);
  if (planned?.kind === "invitation") return planned.atMs;
  const isLater = planned !== null && (inviteAtMs ?? 0) > nowMs;
  return isLater || orderStatus === "created" ? inviteAtMs : null;
}

/** When an e-mail that is due at this time is sent, such as `within a minute, once the order is paid`. */
export function whenText(sending: Sending, dueMs: number): string {
  const { gift, nowMs } = sending;
  const atMs = Math.max(dueMs, gift.pausedUntilMs ?? 0);
  return [
    atMs > nowMs + MINUTE_MS ? `at ${formatDateTime(atMs)} (UTC)` : "within a minute",
    ...(gift.orderStatus === "created" ? ["once the order is paid"] : []),
    ...(gift.clientStatus === "suspended" ? ["once the client is active again"] : []),
    ...(isWrongAddress(sending) ? ["unless its address is refused again"] : []),
  ].join(", ");
}

/** What has become of the invitation after a change, in a sentence. Empty if none is to be sent. Two round trips. */
export async function readSendingText(context: Context, giftId: number): Promise<string> {
  const gift = await requireGiftToChange(context.DB, operatorGiftKey(giftId));
  const atMs = invitationMs({ gift, nowMs: context.nowMs });
  if (atMs === null) return "";
  const sending = await readSending(context, gift, atMs);
  const link = `The link of ${giftNumber(giftId)}`;
  return sending.obstacle === null
    ? `${link} is sent to its recipient ${whenText(sending, atMs)}.`
    : `${link} is not sent by e-mail, because ${sending.obstacle}.`;
}
