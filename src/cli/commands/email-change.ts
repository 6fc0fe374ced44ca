// `email resend` and `email stop`.
import type { Command } from "../command.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import { RESEND_EMAIL } from "../../operator/email/resend.ts";
import { STOP_EMAILS } from "../../operator/email/stop.ts";
import { parsed, suborderIdOf } from "../options.ts";
import { printChange, runOperation } from "../run.ts";

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
      const giftId = suborderIdOf(suborder, "<sub-order>");
      const sendAtMs =
        parsed(at, parseDayOrTimestamp, "--at must be a day or a timestamp with an offset") ?? null;
      await runOperation(command, RESEND_EMAIL, { giftId, sendAtMs }, ({ text, ...outcome }) => {
        printChange(command, outcome, text);
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
      const giftId = suborderIdOf(suborder, "<sub-order>");
      await runOperation(command, STOP_EMAILS, { giftId }, (outcome) => {
        printChange(command, outcome, `No further e-mails are sent about ${outcome.suborder}.`);
      });
    });
}
