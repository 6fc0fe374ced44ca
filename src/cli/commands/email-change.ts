// `email resend` and `email stop`.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import { stopEmails } from "../../operator/email/queries.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  planInvitation,
  requestInvitation,
  STOPPED_REASONS,
} from "../../features/email/request.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, parseDayOrTimestamp } from "../../core/values/time.ts";
import { Refusal } from "../errors.ts";
import { parsed, suborderIdOf } from "../options.ts";
import { printChange, runChange } from "../run.ts";
import { plural } from "../terminal.ts";
import { requireEmailGift } from "./email-show.ts";

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
    .option(
      "--at <time>",
      "when, such as 2027-01-31 (UTC) or 2027-01-31T09:00:00+10:00 (default: now)",
    )
    .details(
      `
It replaces the time of an invitation that is still to be sent, and is sent within a minute after its time. The link
stays the same. A recipient is invited at most three times in 24 hours. For a gift whose e-mails have bounced, renew the
link with another address first: the new link is then sent by itself.`,
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
        if (result.code === "not_found")
          throw new Refusal(`there is no gift ${number} with a link.`);
        throw new Refusal(result.message.replace(/^send_at/, "--at"));
      };
      const plan = async ({ DB, EMAIL_FROM }: Bindings) => {
        if (EMAIL_FROM === "") throw new Refusal("e-mails are switched off in this environment.");
        const { gift, sendAtMs } = orThrow(await planInvitation(DB, request()));
        const recent = plural(gift.recentMs.length, "time");
        return {
          description:
            `send the link of ${number} of ${gift.clientId} to ${gift.email} ${whenOf(sendAtMs)}; ` +
            `it was sent ${recent} in the last 24 hours`,
          subjects,
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        const { gift, sendAtMs } = orThrow(await requestInvitation(DB, request()));
        const outcome = { suborder: number, email: gift.email, sendAtMs };
        const unpaid = gift.orderStatus === "created" ? ", once the order is paid" : "";
        printChange(
          command,
          outcome,
          `The link of ${number} is sent to ${gift.email} ${whenOf(sendAtMs)}${unpaid}.`,
        );
      });
    });
}

export function stopCommand(email: Command): void {
  email
    .command("stop <sub-order>")
    .description("send no further e-mails about a gift, which cannot be undone")
    .details(
      `
The gift can still be accepted with its link. E-mails also stop after a bounce or a complaint, until the link is renewed
with another address. Those of this command stay stopped.

Example:
  npm run ops -- email stop GO-00042-3`,
    )
    .action(async (suborder, _options, command) => {
      const { key, number, subjects } = giftOf(suborder);
      const alreadyStopped = (reason: string) =>
        new Refusal(
          `the e-mails of ${number} are stopped already: ${reason}. Nothing was changed.`,
        );
      const plan = async ({ DB }: Bindings) => {
        const gift = await requireEmailGift(DB, { ...key, nowMs: Date.now() });
        if (gift.erasedAtMs !== null) throw alreadyStopped("the data of its recipient was erased");
        const { emailsStopped: stopped } = gift;
        if (stopped === "stopped" || stopped === "unsubscribed") {
          throw alreadyStopped(STOPPED_REASONS[stopped]);
        }
        const next = gift.nextEmail ? `, of which the next one is ${gift.nextEmail[0]}` : "";
        return {
          description: `stop the e-mails about ${number} of ${gift.clientId} for good${next}`,
          subjects,
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        if (!(await stopEmails(DB, key))) throw alreadyStopped("it has changed in the meantime");
        const outcome = { suborder: number, emailsStopped: "stopped" };
        printChange(command, outcome, `No further e-mails are sent about ${number}.`);
      });
    });
}
