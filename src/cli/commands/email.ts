// `email …`: shows the e-mails to recipients, and changes what is sent.
import type { Command } from "../command.ts";
import { listEmails } from "../../operator/email/queries.ts";
import { EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { dayOption, limitOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { tableOf } from "../terminal.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { resendCommand, stopCommand } from "./email-change.ts";
import { EMAIL_COLUMNS, showEmailsCommand } from "./email-show.ts";

const DEFAULT_DAYS = 7;

export function emailCommands(program: Command): void {
  const email = program
    .command("email")
    .description("show the e-mails to recipients, send an invitation again, or stop the e-mails");

  email
    .command("list")
    .description("list the e-mails of all clients or of a client, newest first")
    .option("--client <id>", "only the e-mails of this client")
    .option(
      "--since <date>",
      "only e-mails that were attempted or have failed on this day (UTC) or later, or are attempted again (default: 7 days ago)",
    )
    .choice("--status <status>", "only e-mails with this status, or with a problem", [
      "problem",
      ...EMAIL_STATUSES,
    ])
    .option("--limit <number>", "maximum number of e-mails", "50")
    .details(
      `
DATE is the time of the last attempt. EMAIL is the present address of the recipient. \`problem\` is every status except
\`sent\` and \`delivered\`. docs/OPERATING.md describes them. "order show" and "email show" list those of an order or a gift.`,
    )
    .examples(
      "email list --client acme --status problem --since 2026-05-01",
      "email list --status bounced --limit 1000 --json",
    )
    .action(async ({ client: clientId = null, since, status, limit: text }, command) => {
      const nowMs = Date.now();
      const sinceMs = dayOption("--since", since) ?? nowMs - DEFAULT_DAYS * DAY_MS;
      const limit = limitOption(text);
      const statuses = EMAIL_STATUSES.filter((each) =>
        status === "problem" ? each !== "sent" && each !== "delivered" : each === (status ?? each),
      );
      await runCommand(command, async ({ DB }) => {
        if (clientId !== null) await requireClient(DB, clientId);
        const filter = { clientId, sinceMs, nowMs, statuses, limit: limit + 1 };
        const found = await listEmails(DB, filter);
        const emails = found.slice(0, limit).map((each) => ({
          suborder: suborderNumber(each.orderId, each.sequence),
          ...each,
        }));
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
  stopCommand(email);
}
