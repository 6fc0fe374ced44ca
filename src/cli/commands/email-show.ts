// `email show`: the e-mails of a gift, the next one, and why there is none.
import type { Command } from "../command.ts";
import { requireEmailGift } from "../../operator/email/email-gift.ts";
import type { EmailGift } from "../../operator/email/queries.ts";
import { isSandbox } from "../../platform/configuration.ts";
import type { Bindings } from "../../platform/env.ts";
import { hasComplaint } from "../../features/email/outbox/claim-queries.ts";
import { STOPPED_REASONS } from "../../features/email/request.ts";
import { stateOf } from "../../features/lifecycle/gift-state.ts";
import { readEmails, type SentEmail } from "../../features/orders/email-queries.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { suborderIdOf } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { type Columns, fields, tableOf } from "../terminal.ts";

export const EMAIL_COLUMNS: Columns<Omit<SentEmail, "message">> = {
  KIND: (each) => each.kind,
  STATUS: (each) => each.status,
  DATE: (each) => formatDateTime(each.attemptedAtMs),
  ATTEMPTS: (each) => each.attempts,
  NEXT: (each) => optionalDateTime(each.nextAttemptAtMs),
  REASON: (each) => each.reason,
};

export function showEmailsCommand(email: Command): void {
  email
    .command("show <sub-order>")
    .description("show the e-mails of a gift, the next one, and why no more are sent")
    .details(
      `
LINK is the number of times that the link was renewed before the e-mail. MESSAGE is the id in the log of the e-mail
service. Gift links are not shown.`,
    )
    .examples("email show GO-00042-3")
    .action(async (suborder, _options, command) => {
      const key = splitSuborderId(suborderIdOf(suborder, "<sub-order>"));
      const nowMs = Date.now();
      await runCommand(command, async (env) => {
        const gift = await requireEmailGift(env.DB, key);
        const { sent, next } = await readEmails(env.DB, key);
        const { clientId, email, linkGeneration: generation, emailsStopped } = gift;
        const [first] = next;
        const reason = first?.reason ? `, ${first.reason}` : "";
        const shown = {
          suborder: suborderNumber(key.orderId, key.sequence),
          clientId,
          email,
          giftStatus: stateOf(gift, { generation, nowMs }),
          emailsStopped,
          next: first ? `${first.kind}, ${formatDateTime(first.atMs)}${reason}` : null,
          obstacle: await obstacleTo(env, gift, nowMs),
          // The message contains the gift link.
          emails: sent.map((each) => ({ ...each, message: undefined })),
        };
        print(command, shown, () => [
          fields({
            gift: shown.suborder,
            client: clientId,
            email: email || null,
            "gift status": shown.giftStatus,
            "next e-mail": shown.next,
            "no e-mail because": shown.obstacle,
          }),
          "",
          tableOf(sent, {
            ...EMAIL_COLUMNS,
            LINK: (each) => each.linkGeneration,
            MESSAGE: (each) => each.messageId,
          }),
        ]);
      });
    });
}

/** Why no e-mails about the gift are sent at present, apart from its status. Null if there is no such reason. */
async function obstacleTo(env: Bindings, gift: EmailGift, nowMs: number): Promise<string | null> {
  const { emailsStopped, clientStatus, pausedUntilMs } = gift;
  if (env.EMAIL_FROM === "") return "e-mails are switched off in this environment";
  if (emailsStopped) return STOPPED_REASONS[emailsStopped];
  if (gift.inviteAtMs === null) return "the client sends the link";
  if (await hasComplaint(env.DB, gift, isSandbox(env)))
    return "the owner of the address has reported an e-mail as spam";
  if (clientStatus === "suspended") return "the client is suspended";
  if (pausedUntilMs === null || pausedUntilMs <= nowMs) return null;
  return `${String(gift.pauseCode)} of the e-mail service: nothing is sent until ${formatDateTime(pausedUntilMs)}`;
}
