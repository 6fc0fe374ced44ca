// `restore …`: keeps what a restore of the database must not undo.
import { existsSync } from "node:fs";
import type { Command } from "../command.ts";
import { FINISH_RESTORE } from "../../operator/recovery/finish.ts";
import { readRestoreState, type RestoreState } from "../../operator/recovery/queries.ts";
import { Refusal } from "../../operator/refusal.ts";
import { plural } from "../../core/values/plural.ts";
import { DAY_MS, parseDayOrTimestamp } from "../../core/values/time.ts";
import { readInput } from "../input-file.ts";
import { parsed, requireOne } from "../options.ts";
import {
  invalidateClient,
  operatorOf,
  printChange,
  runCommand,
  runOperation,
  writeOutput,
} from "../run.ts";

/** Time Travel reaches back 30 days. */
const REACH_MS = 31 * DAY_MS;

interface Prepared extends RestoreState {
  environment: string;
  preparedAtMs: number;
}

export function restoreCommands(program: Command): void {
  const restore = program
    .command("restore")
    .description("keep what a restore of the database must not undo (docs/RESTORE.md)");

  restore
    .command("prepare <file>")
    .description("write what a restore with Time Travel must not undo, without personal data")
    .details(
      `
Run it when requests are stopped, before the restore. The file has the last ids and sequences, and what restricts access
or concerns recipients: revoked credential sets, suspended clients, stopped endpoints, replaced links, complaints,
stopped e-mails and erased gifts.`,
    )
    .examples("restore prepare restore.json --env production")
    .action((file, _options, command) =>
      runCommand(command, async ({ DB, ENVIRONMENT }) => {
        if (existsSync(file))
          throw new Refusal(`${file} exists. It may be that of the last restore.`);
        const preparedAtMs = Date.now();
        const state = await readRestoreState(DB, preparedAtMs - REACH_MS);
        const prepared: Prepared = { environment: ENVIRONMENT, preparedAtMs, ...state };
        await writeOutput(command, file, [JSON.stringify(prepared)]);
      }),
    );

  restore
    .command("finish [file]")
    .description("make a restored database safe to use, before requests are let in again")
    .option(
      "--restored-to <time>",
      "without a file: the time of the imported export, such as 2026-11-22T09:30:00Z",
    )
    .details(
      `
Reserves the ids and sequences that were given out, inserts the event data.restored for each client that has lost events,
and applies the other contents of the file. Gifts that were erased are erased again. If one of them is open again although
it had ended, it is cancelled first. Running the command again changes nothing.

With --restored-to it is not known which ids and sequences were given out. They continue ten million later for each minute
since that time, and everything else must be repeated by hand.`,
    )
    .examples(
      "restore finish restore.json --env production",
      "restore finish --restored-to 2026-11-22T09:30:00Z --env production",
    )
    .action(async (file, options, command) => {
      const rule = "--restored-to must be a time in the past, such as 2026-05-01T09:30:00Z";
      const restoredToMs = parsed(options.restoredTo, parseTime, rule);
      requireOne("<file> or --restored-to", file, restoredToMs);
      const environment = command.optsWithGlobals()["env"] as string;
      const from =
        file === undefined
          ? { restoredToMs: restoredToMs ?? 0 }
          : await readPrepared(file, environment);
      const input = { from, actor: operatorOf(command) };
      await runOperation(command, FINISH_RESTORE, input, async (done, _plan, env) => {
        const { ids, events, restrictions, lostClients, erased, notErased } = done;
        for (const clientId of new Set(restrictions.map((each) => each.clientId))) {
          await invalidateClient(env, clientId);
        }
        printChange(command, done, [
          `Reserved ids: ${Object.keys(ids).join(", ") || "none"}.`,
          `Told ${plural(events.length, "client")} of the restore.`,
          `Access is restricted in ${plural(restrictions.length, "case")}.`,
          `Lost clients: ${lostClients.join(", ") || "none"}.`,
          `Erased again: ${erased.join(", ") || "none"}.`,
          ...notErased.map(
            ({ suborder, reason }) => `Not erased: ${suborder} ${reason}. Erase it by hand.`,
          ),
          ...(file === undefined ? [UNKNOWN] : []),
        ]);
      });
    });
}

const UNKNOWN =
  "Not known: revoked credential sets, suspended clients, disabled endpoints, renewed links, complaints, stopped " +
  "e-mails and erasures since that time. Repeat them by hand.";

function parseTime(text: string): number | undefined {
  const timeMs = parseDayOrTimestamp(text);
  return timeMs !== undefined && timeMs <= Date.now() ? timeMs : undefined;
}

const PARTS = ["ids", "catalogues", "events", "restrictions", "complaints", "gifts"];

/** Errors: `Refusal`. */
async function readPrepared(file: string, environment: string): Promise<Prepared> {
  const text = await readInput(file, "a file of restore prepare", (bytes) =>
    new TextDecoder().decode(bytes),
  );
  try {
    const prepared = JSON.parse(text) as Prepared;
    const isComplete = PARTS.every((part) => part in prepared);
    if (prepared.environment === environment && isComplete) return prepared;
  } catch {
    // Refused below.
  }
  throw new Refusal(`${file} is not a complete file of "restore prepare" for ${environment}.`);
}
