// Runs commands with the bindings of their environment, and handles confirmations, warnings and output.
import type { Command } from "commander";
import { forgetClient } from "../clients/cache.ts";
import type { Bindings } from "../env.ts";
import { type Target, withBindings } from "./bindings.ts";
import { Refusal, UsageError } from "./errors.ts";
import { confirm } from "./terminal.ts";

interface GlobalOptions {
  env: Target["environment"];
  yes?: true;
  json?: true;
  persistTo?: string;
}

const globals = (command: Command) => command.optsWithGlobals<GlobalOptions>();

/** Runs a command with the bindings of its environment. */
export function runCommand<T>(command: Command, work: (env: Bindings) => Promise<T>): Promise<T> {
  const { env, persistTo } = globals(command);
  return withBindings({ environment: env, persistTo }, work);
}

/** Runs a command that changes something, after confirmation if the environment is deployed. */
export async function runChange<T>(
  command: Command,
  change: string,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  await confirmChange(command, change);
  return runCommand(command, work);
}

/**
 * Asks for confirmation if the environment is deployed. `change` follows "This will". Errors: `UsageError`, `Refusal`.
 */
export async function confirmChange(command: Command, change: string): Promise<void> {
  const { env, yes } = globals(command);
  if (env === "local" || yes) return;
  if (!process.stdin.isTTY) {
    throw new UsageError(`add --yes to ${change} on ${env} without confirmation.`);
  }
  if (!(await confirm(`This will ${change} on ${env}. Continue?`))) {
    throw new Refusal("nothing was changed.");
  }
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
export async function invalidateClient({ KV }: Bindings, clientId: string): Promise<void> {
  try {
    await forgetClient(KV, clientId);
  } catch {
    console.error("note: KV cannot be reached. The change is saved and takes effect in a minute.");
  }
}

/** Prints `value` as JSON with --json, otherwise `text`. */
export function print(command: Command, value: unknown, text: string | (() => string)): void {
  if (globals(command).json) console.log(JSON.stringify(value, null, 2));
  else console.log(typeof text === "string" ? text : text());
}
