// `email resend` and `email stop`.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import { stopEmailsForGood } from "../../operator/email/queries.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  planInvitation,
  requestInvitation,
  STOPPED_REASONS,
} from "../../features/email/request.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, parseDayOrTimestamp } from "../../core/values/time.ts";
import { Refusal } from "../../operator/refusal.ts";
import { parsed, suborderIdOf } from "../options.ts";
import { printChange, runChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { requireEmailGift, unknownGift } from "./email-show.ts";

const giftOf = (text: string) => {
  const id = suborderIdOf(text, "<sub-order>");
  const key = splitSuborderId(id);
  const number = suborderNumber(key.orderId, key.sequence);
  return { key, number, subjects: [{ type: "gift" as const, keys: [id] }] };
};

export function resendCommand(email: Command): void {
  email
    .command("resend <sub-order>")
    .description("send a gift's link to its recipient by e-mail, or send it again")
    .option("--at <time>", "when, such as 2027-01-31 (UTC) or 2027-01-31T09:00:00+10:00")
    .details(
      `
Without --at, the invitation is sent now. It replaces one that is still to be sent. The link stays the same. A recipient
is invited at most three times in 24 hours. After a bounce, renew the link with another address instead: the new link is
then sent to it.`,
    )
    .examples(
      "email resend GO-00042-3",
      "email resend GO-00042-3 --at 2027-01-31T09:00:00+10:00 --env production",
    )
    .action(async (suborder, { at }, command) => {
      const { key, number, subjects } = giftOf(suborder);
      const sendAtMs =
        parsed(at, parseDayOrTimestamp, "--at must be a day or a timestamp with an offset") ?? null;
      const request = () => ({ ...key, clientId: null, sendAtMs, nowMs: Date.now() });
      const whenOf = (atMs: number) =>
        atMs > Date.now() ? `at ${formatDateTime(atMs)} (UTC)` : "now";
      const orThrow = <T>(result: T | ApiError): T => {
        if (!(result instanceof ApiError)) return result;
        if (result.code === "not_found") throw unknownGift(number);
        throw new Refusal(result.message.replace(/^send_at/, "--at"));
      };
      const plan = async ({ DB, EMAIL_FROM }: Bindings) => {
        if (EMAIL_FROM === "") throw new Refusal("e-mails are switched off in this environment.");
        const { gift, sendAtMs } = orThrow(await planInvitation(DB, request()));
        const description =
          `send the link of ${number} of ${gift.clientId} to ${gift.email} ${whenOf(sendAtMs)}; ` +
          `it was sent ${plural(gift.recentMs.length, "time")} in the last 24 hours`;
        return { description, subjects };
      };
      await runChange(command, plan, async ({ DB }) => {
        const { gift, sendAtMs } = orThrow(await requestInvitation(DB, request()));
        const outcome = { suborder: number, email: gift.email, sendAtMs };
        const unpaid = gift.orderStatus === "created" ? ", once the order is paid" : "";
        const when = `${whenOf(sendAtMs)}${unpaid}`;
        printChange(command, outcome, `The link of ${number} is sent to ${gift.email} ${when}.`);
      });
    });
}

export function stopCommand(email: Command): void {
  email
    .command("stop <sub-order>")
    .description("send no further e-mails about a gift, which cannot be undone")
    .details(
      `
The gift can still be accepted with its link. E-mails that stopped after a bounce or a complaint start again when the link
is renewed with another address. With this command, they do not.`,
    )
    .examples("email stop GO-00042-3")
    .action(async (suborder, _options, command) => {
      const { key, number, subjects } = giftOf(suborder);
      const plan = async ({ DB }: Bindings) => {
        const { clientId, emailsStopped } = await requireEmailGift(DB, key);
        if (emailsStopped === "stopped" || emailsStopped === "unsubscribed") {
          throw new Refusal(
            `the e-mails of ${number} are stopped already: ${STOPPED_REASONS[emailsStopped]}. Nothing was changed.`,
          );
        }
        return {
          description: `stop the e-mails about ${number} of ${clientId} for good`,
          subjects,
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        await stopEmailsForGood(DB, key);
        const outcome = { suborder: number, emailsStopped: "stopped" };
        printChange(command, outcome, `No further e-mails are sent about ${number}.`);
      });
    });
}
