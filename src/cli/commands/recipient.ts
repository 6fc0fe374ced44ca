// `recipient …`: exports, erases and corrects the personal data of recipients.
import type { Command, TypedCommand } from "../command.ts";
import type { ErasureState, GiftSelection } from "../../operator/privacy/queries.ts";
import { ERASE_RECIPIENT } from "../../operator/privacy/erase-recipient.ts";
import { EXPORT_COLUMNS, type ExportRow, exportRow } from "../../operator/privacy/export.ts";
import {
  findGifts,
  MAX_GIFTS,
  type PersonQuery,
  readAllStates,
  readAllStored,
} from "../../operator/privacy/recipients.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { csvParts } from "../../operator/files/csv-output.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { repeated, requireOne, suborderIdOf, textOption } from "../options.ts";
import { CountedRows, jsonParts } from "../output.ts";
import {
  inTransactions,
  isJson,
  printChange,
  runOperation,
  runRecorded,
  writeOutput,
} from "../run.ts";
import { wrapped } from "../terminal.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { correctCommand } from "./recipient-correct.ts";

const withPersonOptions = <Args extends unknown[]>(command: TypedCommand<Args>) =>
  command
    .option(
      "--email <address>",
      "all gifts with exactly this e-mail address, in upper or lower case",
    )
    .option("--suborder <sub-order>", "one gift, such as GO-00042-3; may be repeated", repeated)
    .option("--client <id>", "only gifts of this client");

type PersonOptions = ReturnType<ReturnType<typeof withPersonOptions>["opts"]>;

const REASON = "why, such as the number of the request; kept in the audit log, so no personal data";

export function recipientCommands(program: Command): void {
  const recipient = program
    .command("recipient")
    .description("export, erase and correct the personal data of recipients");

  withPersonOptions(recipient.command("export"))
    .description("write everything that is stored about a recipient, in JSON or CSV")
    .option("--csv", "write CSV instead of JSON")
    .option("--output <file>", "write to this file, which only you can read")
    .option("--reason <text>", REASON)
    .details(
      `
The audit log records the export, with the number of each gift and without personal data.

A gift is an object in JSON and a row in CSV, with these columns:
${wrapped(EXPORT_COLUMNS.join(", "))}

Examples:
  npm run -s ops -- recipient export --email ada@example.com --output ada.json --reason "Request 17"
  npm run -s ops -- recipient export --suborder GO-00042-3 --csv --env production`,
    )
    .action(async (options, command) => {
      const person = personOf(options);
      const { csv, output } = options;
      if (csv && isJson(command)) {
        throw new UsageError("give either --csv or --json.");
      }
      const reason = reasonOf(options.reason);
      await runRecorded(command, reason, async ({ DB }, record) => {
        const selection = await selectGifts(DB, person, options);
        // Before the data is written, so that no export is without an entry.
        for (const ids of chunksOf(selection.ids, MAX_GIFTS)) {
          await record(ids, { exported: csv ? "csv" : "json" });
        }
        const rows = new CountedRows(rowsOf(DB, selection));
        const parts = csv ? csvParts(EXPORT_COLUMNS, asCells(rows)) : jsonParts(rows);
        await writeOutput(command, output, parts, rows);
      });
    });

  withPersonOptions(recipient.command("erase"))
    .description(
      "erase names, addresses, messages and notes of a recipient for good; amounts, states and events stay",
    )
    .option("--skip-unfinished", "leave gifts that are open or to be shipped, and erase the others")
    .requiredOption("--reason <text>", REASON)
    .details(
      `
The data of a gift that can still be accepted, or that is to be shipped, is needed. If there is such a gift, nothing is
erased: cancel it with "order cancel", or ship it, or use --skip-unfinished. Data of shipped gifts is erased, even if
they are not delivered. Backups contain the data until they are deleted. docs/OPERATING.md describes how to answer a
request.

Examples:
  npm run ops -- recipient erase --email ada@example.com --reason "Request 17"
  npm run ops -- recipient erase --suborder GO-00042-3 --suborder GO-00051-1 --reason 18 --env production`,
    )
    .action(async (options, command) => {
      const person = personOf(options);
      const { skipUnfinished = false } = options;
      const reason = reasonOf(options.reason) ?? undefined;
      const erasure = {
        skipUnfinished,
        reason,
        selection: (DB: D1Database) => selectGifts(DB, person, options),
        inTransactions: (
          chunks: ErasureState[][],
          erase: (chunk: ErasureState[]) => Promise<void>,
        ) =>
          inTransactions(command, { chunks, noun: "gift", verb: "erase", done: "erased" }, erase),
      };
      await runOperation(command, ERASE_RECIPIENT, erasure, ({ lines, refusal, ...outcome }) => {
        printChange(command, outcome, lines);
        if (refusal) throw refusal;
      });
    });

  correctCommand(recipient);
}

/** Errors: `UsageError`. */
function reasonOf(reason: string | undefined): string | null {
  if (reason === undefined) return null;
  textOption("--reason", reason, 200);
  if (reason.includes("@")) throw new UsageError("--reason must not contain an e-mail address.");
  return reason;
}

async function* rowsOf(DB: D1Database, selection: GiftSelection): AsyncGenerator<ExportRow[]> {
  for await (const chunk of readAllStored(DB, selection)) yield chunk.map(exportRow);
}

/** The rows of a CSV file, with metadata, search terms and earlier tracking as JSON. */
async function* asCells(chunks: AsyncIterable<ExportRow[]>) {
  for await (const rows of chunks) {
    yield rows.map((row) => ({
      ...row,
      order_metadata: row.order_metadata && JSON.stringify(row.order_metadata),
      metadata: row.metadata && JSON.stringify(row.metadata),
      search_terms: row.search_terms && JSON.stringify(row.search_terms),
      earlier_tracking: JSON.stringify(row.earlier_tracking),
    }));
  }
}

function personOf({ email, suborder }: PersonOptions): PersonQuery {
  requireOne("--email or --suborder", email, suborder);
  if (email === undefined) {
    const ids = (suborder ?? []).map((gift) => suborderIdOf(gift, "--suborder"));
    return { suborderIds: [...new Set(ids)] };
  }
  if (/^[^\s@].*@.*[^\s@]$/su.test(email.trim())) return { email };
  throw new UsageError(`--email must be an e-mail address: ${email}`);
}

/** Errors: `Refusal` if there is no such client or gift. */
async function selectGifts(DB: D1Database, person: PersonQuery, { client }: PersonOptions) {
  if (client !== undefined) await requireClient(DB, client);
  const clientId = client ?? null;
  const of = client === undefined ? "" : ` of client ${client}`;
  const ids = await findGifts(DB, person, clientId);
  if ("email" in person) {
    if (ids.length === 0) throw new Refusal(`no gift${of} has this e-mail address.`);
    return { ids, clientId };
  }
  const known = new Set((await readAllStates(DB, { ids, clientId })).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return { ids, clientId };
  const { orderId, sequence } = splitSuborderId(unknown);
  throw new Refusal(`there is no gift ${suborderNumber(orderId, sequence)}${of}.`);
}
