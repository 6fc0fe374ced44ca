// `email …`: shows the e-mails to recipients, and changes what is sent.
import type { Command } from "../command.ts";
import { listEmails, type ListedEmail, listEmailsOfOrder } from "../../operator/email/queries.ts";
import { EMAIL_STATUSES, type EmailStatus } from "../../core/values/email-kinds.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { UsageError } from "../errors.ts";
import { dayOption, limitOption, orderOrGiftOf } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { tableOf } from "../terminal.ts";
import { requireClient } from "./client.ts";
import { resendCommand, stopCommand } from "./email-change.ts";
import { previewCommand } from "./email-preview.ts";
import { EMAIL_COLUMNS, showEmailsCommand } from "./email-show.ts";
import { requireOrder } from "./order-preview.ts";

const DEFAULT_DAYS = 7;

export function emailCommands(program: Command): void {
  const email = program
    .command("email")
    .description("show the e-mails to recipients, send an invitation again, or stop the e-mails");

  email
    .command("list")
    .description("list the e-mails of all clients, a client, an order or a gift")
    .option("--order <order>", "only the e-mails of this order or gift: by gift, oldest first")
    .option("--client <id>", "only the e-mails of this client")
    .option(
      "--since <date>",
      "only e-mails that were attempted or have failed on this day (UTC) or later, or are attempted again",
    )
    .choice("--status <status>", "only e-mails with this status, or with a problem", [
      "problem",
      ...EMAIL_STATUSES,
    ])
    .option("--limit <number>", "maximum number of e-mails", "50")
    .details(
      `
Without --order, the newest e-mails are first, and --since is 7 days ago. The date is that of the last attempt. The
address is the present one. problem selects all statuses except sent and delivered: docs/OPERATING.md describes them.`,
    )
    .examples(
      "email list --client acme --status problem --since 2026-05-01",
      "email list --order GO-00042",
      "email list --status bounced --limit 1000 --json",
    )
    .action(async ({ order, client: clientId = null, since, status, limit: text }, command) => {
      const key = orderOrGiftOf(order, "--order");
      if (key && (clientId ?? since) != null) {
        throw new UsageError("--order cannot be combined with --client and --since.");
      }
      const nowMs = Date.now();
      const sinceMs = dayOption("--since", since) ?? nowMs - DEFAULT_DAYS * DAY_MS;
      const limit = limitOption(text);
      const filter = { statuses: statusesOf(status), limit: limit + 1 };
      await runCommand(command, async ({ DB }) => {
        if (clientId !== null) await requireClient(DB, clientId);
        if (key) await requireOrder(DB, key.orderId);
        const found = await (key
          ? listEmailsOfOrder(DB, { ...key, ...filter })
          : listEmails(DB, { clientId, sinceMs, nowMs, ...filter }));
        const emails = found.slice(0, limit).map(withNumber);
        print(command, { emails, complete: found.length <= limit }, () => [
          tableOf(emails, {
            "SUB-ORDER": (each) => each.suborder,
            CLIENT: (each) => each.clientId,
            EMAIL: (each) => each.email,
            ...EMAIL_COLUMNS,
          }),
          ...(found.length > limit ? ["", "There are more. Use --limit."] : []),
        ]);
      });
    });

  showEmailsCommand(email);
  resendCommand(email);
  previewCommand(email);
  stopCommand(email);
}

function statusesOf(status: "problem" | EmailStatus | undefined): readonly EmailStatus[] {
  if (status === undefined) return EMAIL_STATUSES;
  if (status !== "problem") return [status];
  return EMAIL_STATUSES.filter((each) => each !== "sent" && each !== "delivered");
}

const withNumber = (email: ListedEmail) => ({
  suborder: suborderNumber(email.orderId, email.sequence),
  ...email,
});
