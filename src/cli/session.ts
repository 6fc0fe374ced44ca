// What all commands have in common: the environment they work on, the question before a change, their output.
import type { Command } from "commander";
import { forgetClient } from "../clients/cache.ts";
import type { Bindings } from "../env.ts";
import { Refusal, Usage } from "./failures.ts";
import { type Target, withPlatform } from "./platform.ts";
import { confirm } from "./terminal.ts";

interface GlobalOptions {
  env: Target["environment"];
  yes?: true;
  json?: true;
  persistTo?: string;
}

const globals = (command: Command) => command.optsWithGlobals<GlobalOptions>();

/** Runs a command that changes nothing. */
export function reading<T>(command: Command, work: (env: Bindings) => Promise<T>): Promise<T> {
  const { env, persistTo } = globals(command);
  return withPlatform({ environment: env, persistTo }, work);
}

/** Runs a command that changes something: on a deployed environment only after a yes. */
export async function changing<T>(
  command: Command,
  what: string,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  await agree(command, what);
  return reading(command, work);
}

/** Asks before a change of a deployed environment. Errors: `Usage`, `Refusal`. */
export async function agree(command: Command, what: string): Promise<void> {
  const { env, yes } = globals(command);
  if (env === "local" || yes) return;
  if (!process.stdin.isTTY) {
    throw new Usage(`to ${what} on ${env} without being asked, add --yes.`);
  }
  if (!(await confirm(`This will ${what} on ${env}. Go on?`))) {
    throw new Refusal("nothing was changed.");
  }
}

/**
 * Prints each warning, and at a terminal asks whether to go on; without one, or with --yes, the command goes on.
 * Errors: `Refusal` when the answer is no.
 */
export async function warn(command: Command, warnings: string[], question: string): Promise<void> {
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (warnings.length === 0 || globals(command).yes || !process.stdin.isTTY) return;
  if (!(await confirm(question))) throw new Refusal("nothing was changed.");
}

/**
 * Lets the edge read the client's record anew. What was changed is committed already, and no record gets older
 * than a minute, so that KV which cannot be reached is worth a word and no failure.
 */
export async function forgetAtEdge({ KV }: Bindings, clientId: string): Promise<void> {
  try {
    await forgetClient(KV, clientId);
  } catch {
    console.error(
      "note: KV cannot be reached: the change is made, and known everywhere in a minute.",
    );
  }
}

/** Prints `value` for scripts, or its text for people. */
export function show(command: Command, value: unknown, text: string | (() => string)): void {
  if (globals(command).json) console.log(JSON.stringify(value, null, 2));
  else console.log(typeof text === "string" ? text : text());
}
