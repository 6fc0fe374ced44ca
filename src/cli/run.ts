// Runs commands with the bindings of their environment, and handles confirmations, warnings and output.
import path from "node:path";
import type { Command } from "./command.ts";
import { recordReading } from "../operator/audit/reading.ts";
import {
  type Auditing,
  auditingOf,
  type Change,
  type PlannedChange,
  readOnly,
} from "../operator/change.ts";
import { invalidated } from "../operator/clients/invalidate.ts";
import type { Bindings } from "../platform/env.ts";
import { type Target, withBindings } from "./bindings.ts";
import { Refusal } from "../operator/refusal.ts";
import { UsageError } from "./errors.ts";
import { operatorOption } from "./options.ts";
import { type Parts, writeParts } from "./output.ts";
import type { Transactions } from "../operator/transactions.ts";
import { plural } from "../core/values/plural.ts";
import { type Columns, confirm, progressBar, tableOf } from "./terminal.ts";

interface GlobalOptions {
  env: Target["environment"];
  as?: string;
  yes?: true;
  json?: true;
  persistTo?: string;
}

const globals = (command: Command) => command.optsWithGlobals() as unknown as GlobalOptions;

/** Whether --json is given. */
export const isJson = (command: Command) => globals(command).json === true;

/**
 * Runs a command that only reads, with the bindings of its environment. Its database refuses writes. The last argument of
 * `work` permits them, for what is not an operator's change.
 */
export function runCommand<T>(
  command: Command,
  work: (env: Bindings, writable: D1Database) => Promise<T>,
): Promise<T> {
  return withBindings(targetOf(command), (env) => work(readOnly(env), env.DB));
}

/**
 * Runs a command that only reads, and that records in the audit log what it reads. Its database refuses writes. Errors:
 * `UsageError`.
 */
export function runRecorded<T>(
  command: Command,
  reason: string | null,
  work: (
    env: Bindings,
    record: (giftIds: readonly number[], state: object) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const action = nameOf(command);
  const actor = operatorOf(command);
  return withBindings(targetOf(command), (env) =>
    work(readOnly(env), (giftIds, state) =>
      recordReading(env.DB, {
        actor,
        action,
        reason,
        requestId: null,
        nowMs: Date.now(),
        subjects: { type: "gift", keys: giftIds },
        state,
      }),
    ),
  );
}

function targetOf(command: Command): Target {
  const { env: environment, persistTo } = globals(command);
  return { environment, persistTo };
}

/** Plans, confirms and runs a change, and prints its outcome. Errors: `UsageError`, `Refusal`. */
export const runOperation = <Input, Plan extends PlannedChange, Outcome>(
  command: Command,
  change: Change<Input, Plan, Outcome>,
  input: Input,
  show: (outcome: Outcome, plan: Plan, env: Bindings) => void | Promise<void>,
): Promise<void> =>
  runChange(
    command,
    (env) => change.plan(env, input, Date.now()),
    async (env, plan, auditing) => {
      await show(await change.run(env, plan, Date.now(), auditing), plan, env);
    },
  );

/**
 * Runs a command that changes something (DECISIONS.md: A change is planned, confirmed and carried out once). `plan` reads what the
 * change needs. Its database refuses writes. If the environment is deployed, the operator confirms the plan's description. `work`
 * gets the plan, and bindings whose database writes the audit log. Work with several transactions gets a database for the
 * objects of each transaction from its last argument. Errors: `UsageError`, `Refusal`.
 */
export async function runChange<Plan extends PlannedChange>(
  command: Command,
  plan: (env: Bindings) => Plan | Promise<Plan>,
  work: (env: Bindings, plan: Plan, auditing: Auditing) => Promise<void>,
): Promise<void> {
  const { env: environment, yes } = globals(command);
  const isDeployed = environment !== "local";
  const action = nameOf(command);
  const actor = operatorOf(command);
  if (isDeployed && !yes && !process.stdin.isTTY) {
    throw new UsageError(`add --yes to run ${action} on ${environment} without confirmation.`);
  }
  await withBindings(targetOf(command), async (env) => {
    const planned = await plan(readOnly(env));
    const { description, subjects } = planned;
    if (isDeployed && description !== null) {
      console.error(`Environment: ${environment}. Operator: ${actor}.`);
      if (yes) console.error(`This will ${description}.`);
      else if (!(await confirm(`This will ${description}. Continue?`))) {
        throw new Refusal("nothing was changed.");
      }
    }
    const operator = { actor, requestId: null, reason: null };
    const auditing = auditingOf(env, action, planned, operator, Date.now());
    await work({ ...env, DB: auditing(subjects) }, planned, auditing);
  });
}

/** The operator's name for the audit log. Errors: `UsageError` if it is missing. */
export function operatorOf(command: Command): string {
  const { env: environment, as: name } = globals(command);
  return operatorOption(name, environment !== "local");
}

/** The name of the command with its group, if it has one. */
function nameOf(command: Command): string {
  const group = command.parent;
  return group?.parent ? `${group.name()} ${command.name()}` : command.name();
}

/**
 * Prints each warning. In a terminal, asks whether to continue. Without a terminal, or with --yes, the command
 * continues. Errors: `Refusal` if the operator does not confirm.
 */
export async function warn(command: Command, warnings: string[], question: string): Promise<void> {
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (warnings.length === 0 || globals(command).yes || !process.stdin.isTTY) return;
  if (!(await confirm(question))) throw new Refusal("nothing was changed.");
}

/**
 * Invalidates the client's cached record after a change. The change is already committed, and cached records expire
 * within a minute, so an unreachable KV is reported as a note and not as an error.
 */
export async function invalidateClient(env: Bindings, clientId: string): Promise<void> {
  if ((await invalidated(env, clientId)).warnings.length > 0) noteStaleClient();
}

export function noteStaleClient(): void {
  console.error("note: KV cannot be reached. The change is saved and takes effect in a minute.");
}

/** Shows the progress of a long change on stderr. With --json, it shows nothing. */
export function showProgress(
  command: Command,
  total: number,
  verb: string,
): (done: number) => void {
  return isJson(command) ? () => undefined : progressBar(total, verb);
}

/**
 * Does the work on one chunk after the other, each in its own transaction, and shows the progress if there are several.
 * If one fails, prints how many items are done.
 */
export async function inTransactions<Item>(
  command: Command,
  { chunks, noun, verb, done }: Transactions<Item>,
  work: (chunk: Item[]) => Promise<void>,
): Promise<void> {
  const total = chunks.flat().length;
  const onProgress = chunks.length > 1 && showProgress(command, total, done);
  let count = 0;
  for (const chunk of chunks) {
    await work(chunk).catch((error: unknown) => {
      console.error(
        `note: ${String(count)} of ${plural(total, noun)} were ${done}. ` +
          `Run the command again to ${verb} the others.`,
      );
      throw error;
    });
    count += chunk.length;
    if (onProgress) onProgress(count);
  }
}

/** A text, or its lines. */
type Text = string | string[] | (() => string | string[]);

const textOf = (text: Text) => [typeof text === "function" ? text() : text].flat().join("\n");

/** Prints `value` as JSON with --json, otherwise the text. */
export function print(command: Command, value: unknown, text: Text): void {
  console.log(isJson(command) ? JSON.stringify(value, null, 2) : textOf(text));
}

/** Prints the rows as JSON with --json, otherwise as a table. */
export function printTable<Row>(command: Command, rows: Row[], columns: Columns<Row>): void {
  print(command, rows, () => tableOf(rows, columns));
}

/**
 * Writes the parts to the file, and prints what was written: as JSON with --json, otherwise on stderr. If no file is given,
 * writes them to stdout. Errors: `UsageError`.
 */
export async function writeOutput(
  command: Command,
  file: string | undefined,
  parts: Parts,
  rows?: { count: number },
): Promise<void> {
  const bytes = await writeParts(file, parts);
  if (file === undefined) return;
  const written = { file: path.resolve(file), ...(rows && { rows: rows.count }), bytes };
  if (isJson(command)) console.log(JSON.stringify(written, null, 2));
  else {
    const size = plural(bytes, "byte");
    const content = rows ? `${plural(rows.count, "row")} (${size})` : size;
    console.error(`Wrote ${content} to ${written.file}.`);
  }
}

/** Prints the result of a change, with the environment first. */
export function printChange(command: Command, value: object, text: Text): void {
  const { env: environment } = globals(command);
  print(command, { environment, ...value }, () => [`Environment: ${environment}`, textOf(text)]);
}
