// `email show`: the e-mails of a gift, the next one, and why there is none.
import type { Command } from "../command.ts";
import {
  type EmailGift,
  type ListedEmail,
  listEmailsOfOrder,
  readEmailGift,
} from "../../operator/email/queries.ts";
import { isSandbox } from "../../platform/configuration.ts";
import type { Bindings } from "../../platform/env.ts";
import { EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { findComplaints } from "../../features/email/outbox/queries.ts";
import { STOPPED_REASONS } from "../../features/email/request.ts";
import { stateOf } from "../../features/lifecycle/gift-state.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { Refusal } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { type Columns, fields, tableOf } from "../terminal.ts";

export const EMAIL_COLUMNS: Columns<ListedEmail> = {
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
LINK is the number of times the link was renewed before the e-mail, which may have had another address then. MESSAGE is
the id in the log of the e-mail service. Gift links are not shown.

Example:
  npm run ops -- email show GO-00042-3`,
    )
    .action(async (suborder, _options, command) => {
      const key = splitSuborderId(suborderIdOf(suborder, "<sub-order>"));
      const nowMs = Date.now();
      await runCommand(command, async (env) => {
        const gift = await requireEmailGift(env.DB, { ...key, nowMs });
        const filter = { ...key, statuses: EMAIL_STATUSES, limit: MAX_EMAILS };
        const emails = await listEmailsOfOrder(env.DB, filter);
        const { clientId, email, linkGeneration: generation, emailsStopped, nextEmail } = gift;
        const [kind, , atMs] = nextEmail ?? [];
        const shown = {
          ...{ suborder: suborderNumber(key.orderId, key.sequence), clientId, email },
          giftStatus: stateOf(gift, { generation, nowMs }),
          emailsStopped,
          next: kind && atMs ? `${kind}, ${formatDateTime(atMs)}` : null,
          obstacle: await obstacleTo(env, gift, nowMs),
        };
        print(command, { ...shown, emails }, () => [
          fields({
            gift: shown.suborder,
            client: clientId,
            email: email || null,
            "gift status": shown.giftStatus,
            "next e-mail": shown.next,
            "no e-mail because": shown.obstacle,
          }),
          "",
          tableOf(emails, {
            ...EMAIL_COLUMNS,
            LINK: (each) => each.linkGeneration,
            MESSAGE: (each) => each.messageId,
          }),
        ]);
      });
    });
}

/** More than a gift has. */
const MAX_EMAILS = 1_000;

/** Errors: `Refusal` if there is no such gift with a link. */
export async function requireEmailGift(
  db: D1Database,
  key: { orderId: number; sequence: number; nowMs: number },
): Promise<EmailGift> {
  const gift = await readEmailGift(db, key);
  if (gift) return gift;
  throw new Refusal(`there is no gift ${suborderNumber(key.orderId, key.sequence)} with a link.`);
}

/** Why no e-mails about the gift are sent at present, apart from its status. Null if there is no such reason. */
async function obstacleTo(env: Bindings, gift: EmailGift, nowMs: number): Promise<string | null> {
  const { emailsStopped, clientStatus, pausedUntilMs } = gift;
  if (env.EMAIL_FROM === "") return "e-mails are switched off in this environment";
  if (emailsStopped) return STOPPED_REASONS[emailsStopped];
  if (gift.inviteAtMs === null) return "the client sends the link";
  const complaints = await findComplaints(env.DB, [gift], isSandbox(env));
  if (complaints.size > 0) return "the owner of the address has reported an e-mail as spam";
  if (clientStatus === "suspended") return "the client is suspended";
  if (pausedUntilMs === null || pausedUntilMs <= nowMs) return null;
  return `${String(gift.pauseCode)} of the e-mail service: nothing is sent until ${formatDateTime(pausedUntilMs)}`;
}
