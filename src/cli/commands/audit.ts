// `audit …`: lists the log of the operator's changes.
import type { Command } from "../command.ts";
import { changeText } from "../../operator/audit/change-text.ts";
import { type AuditFilter, listAudit } from "../../operator/audit/queries.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { dayOption, limitOption, orderOrGiftOf } from "../options.ts";
import { printTable, runCommand } from "../run.ts";

export function auditCommands(program: Command): void {
  const audit = program.command("audit").description("list the changes that operators made");

  audit
    .command("list")
    .description("list changes, newest first: who, when, what, and the state before and after")
    .option("--client <id>", "only changes of this client and of its orders and endpoints")
    .option("--order <order>", "only changes of this order and its gifts")
    .option("--by <name>", "only changes by the operator with this name")
    .option("--since <date>", "only changes on this day or later, such as 2026-05-01 (UTC)")
    .option("--until <date>", "only changes before this day (UTC)")
    .option("--limit <number>", "maximum number of entries", "50")
    .details(
      `
Changes through the API and by recipients are not listed: see \`event list\`. --json shows the complete states.`,
    )
    .examples(
      "audit list --client acme --env production",
      "audit list --by ada --since 2026-05-01 --json",
    )
    .action(async (options, command) => {
      const filter: AuditFilter = {
        clientId: options.client,
        orderId: orderOrGiftOf(options.order, "--order")?.orderId,
        actor: options.by,
        sinceMs: dayOption("--since", options.since),
        untilMs: dayOption("--until", options.until),
        limit: limitOption(options.limit),
      };
      await runCommand(command, async ({ DB }) => {
        printTable(command, await listAudit(DB, filter), {
          DATE: (each) => formatDateTime(each.createdAtMs),
          BY: (each) => each.actor,
          ACTION: (each) => each.action,
          OBJECT: (each) => `${each.subjectType} ${each.subject}`,
          CLIENT: (each) => each.clientId,
          REASON: (each) => each.reason,
          CHANGE: changeText,
        });
      });
    });
}
