// `audit …`: lists the log of the operator's changes.
import type { Command } from "../command.ts";
import { type AuditFilter, listAudit } from "../../operator/audit/queries.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { dayOption, limitOption, orderOrGiftOf } from "../options.ts";
import { printTable, runCommand } from "../run.ts";
import { statusLabel } from "../terminal.ts";

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

export type States = Pick<
  Awaited<ReturnType<typeof listAudit>>[number],
  "subjectType" | "subject" | "before" | "after"
>;

/** The fields that differ, such as `status: active -> suspended`. Of a new object, all fields that are not null. */
export function changeText({ subjectType, subject, before, after }: States): string {
  if (after === null) return "deleted";
  // An account is named by its client and its currency. An order has its currency in its state.
  const currency = subjectType === "account" ? subject.split(" ").at(-1) : after["currency"];
  return Object.entries(after)
    .map(([name, value]) => ({ name, from: before?.[name] ?? null, to: value ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map(({ name, from, to }) => {
      const label = name.replace(/(Minor|Ms)$/, "");
      const valueText = (value: unknown) => textOf(name, value, currency as Currency);
      const toText = valueText(to);
      return `${label}: ${before === null ? toText : `${valueText(from)} -> ${toText}`}`;
    })
    .join(", ");
}

function textOf(name: string, value: unknown, currency: Currency): string {
  if (value === null) return "-";
  if (typeof value === "number" && name.endsWith("Minor")) return formatAmount(value, currency);
  if (typeof value === "number" && name.endsWith("Ms")) return formatDateTime(value);
  return typeof value === "string" ? statusLabel(value) : JSON.stringify(value);
}
