// `statement`: a client's statement of a month.
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { currencyOption, parsed } from "../options.ts";
import type { Parts } from "../output.ts";
import { isJson, runCommand, writeOutput } from "../run.ts";
import { STATEMENT_COLUMNS, statementCsv } from "../../operator/credit/statement-csv.ts";
import {
  isFinalAt,
  type Month,
  parseMonth,
  readStatement,
  type StatementSource,
  statementSource,
} from "../../operator/credit/month-statement.ts";
import { requireClient } from "../../operator/clients/require-client.ts";

const FORMATS = ["json", "csv"] as const;

export function statementCommand(program: Command): void {
  program
    .command("statement <client>")
    .description("show what a client has ordered and paid in a month, with balances and fees")
    .requiredOption("--month <month>", "the month, such as 2026-11 (UTC)")
    .option("--currency <code>", "only this currency (default: all currencies)")
    .choice("--format <format>", "json (the default) or csv", FORMATS)
    .option("--output <file>", "write to this file, which only you can read")
    .details(
      `
The entries are those of the ledgers. An order on invoice is in the month in which it was placed. Its cancellations,
its payment and its refund are in the months in which they were made, so a statement does not change once it is final,
one hour after the end of its month. Orders of the online store are not included. The console has the statement as a
page to print.

Columns of the CSV:
${Object.entries(STATEMENT_COLUMNS)
  .map(([name, description]) => `  ${name.padEnd(16)}${description}`)
  .join("\n")}
A cell that a spreadsheet could read as a formula begins with an apostrophe.`,
    )
    .examples(
      "statement acme --month 2026-11",
      "statement acme --month 2026-11 --currency AUD --format csv > acme.csv",
    )
    .action(async (clientId, options, command) => {
      const nowMs = Date.now();
      const month = monthOption(options.month, nowMs);
      const currency = currencyOption(options.currency);
      if (options.format === "csv" && isJson(command))
        throw new UsageError("give either --json or --format csv.");
      await runCommand(command, async ({ DB, ENVIRONMENT: environment }) => {
        const { name: clientName } = await requireClient(DB, clientId);
        const isFinal = isFinalAt(month, nowMs);
        const createdAtMs = isFinal ? null : nowMs;
        const source = await statementSource(
          DB,
          { environment, clientId, clientName, ...month, createdAtMs, isFinal },
          currency,
        );
        await writeOutput(command, options.output, await partsOf(options.format, source));
      });
    });
}

/** Errors: `UsageError` if it is no month, or has not begun. */
function monthOption(text: string, nowMs: number): Month {
  const month = parsed(text, parseMonth, "--month must be a month such as 2026-11");
  if (month.fromMs > nowMs) throw new UsageError(`--month ${text} has not begun.`);
  return month;
}

/** CSV is read and written page by page. JSON begins with totals, so it is read whole. */
async function partsOf(
  format: "json" | "csv" | undefined,
  source: StatementSource,
): Promise<Parts> {
  if (format === "csv") return statementCsv(source);
  return [`${JSON.stringify(await readStatement(source), null, 2)}\n`];
}
