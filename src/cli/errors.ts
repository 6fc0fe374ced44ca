// The errors of commands, and their exit codes.
import { inspect } from "node:util";
import { CommanderError } from "@commander-js/extra-typings";
import { ApiError } from "../core/api-error.ts";
import { Refusal } from "../operator/refusal.ts";
import { SupersededPublication } from "../operator/catalogue/publish/staging.ts";
import { isLocked, isUnavailable } from "../platform/db/faults.ts";

/** Scripts rely on these names and values. 0 means success. */
export const EXIT = { refused: 1, usage: 2, unreachable: 3, unexpected: 4 } as const;

/** What each error means, for `--help`. */
export const MEANINGS: Record<keyof typeof EXIT, string> = {
  refused:
    "refused, nothing was changed. If only some rows of a file were refused, the others are recorded. " +
    "`health`: something is wrong",
  usage: "invalid command line",
  unreachable:
    "the environment cannot be reached or does not respond. A change may have been made: see `audit list`",
  unexpected:
    "unexpected error, or a full disk: the changes are then complete and in the audit log",
};

/** Prints an error on stderr. With --json on the command line, it is one line of JSON. */
export function printError(exitCode: number, message: string, words: readonly string[]): void {
  const [code] = Object.entries(EXIT).find(([, value]) => value === exitCode) ?? [];
  const error = { status: "error", message, code, exit_code: exitCode };
  console.error(words.includes("--json") ? JSON.stringify(error) : `error: ${message}`);
}

/** The command line is incomplete or invalid. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The environment does not respond, or is not set up. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

const NO_TABLES =
  'the database has no tables yet. Run "npm run setup", or apply the migrations ' +
  'with "npx wrangler d1 migrations apply DB".';

const LOCKED = "the local database is locked by another process. Try again.";

const AGAIN = '(Try again. A change may have been made: "audit list" then has an entry of it.)';

/** Whether the environment did not answer. It may have carried out the call. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const text = `${error.message}\n${causeOf(error)}`;
  return (
    [error, error.cause].some(isUnavailable) ||
    text.includes("fetch failed") ||
    text.includes(NOT_D1)
  );
}

/** D1's error if another server has answered, such as Cloudflare's rate limit in front of the remote bindings. */
const NOT_D1 = "Failed to parse body as JSON, got: ";

/** Drizzle wraps D1's errors. */
const causeOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message);

/**
 * The exit code and the message of an error. The exit code is 0 if commander has printed the help that the command line
 * asks for. The message is one line for an expected error, and the stack with its causes for an unexpected error.
 */
export function describeError(error: unknown): { exitCode: number; message: string } {
  if (error instanceof CommanderError) {
    const isHelp = error.code === "commander.help";
    const message = isHelp ? "a command is missing." : error.message.replace(/^error: /, "");
    return { exitCode: error.exitCode === 0 ? 0 : EXIT.usage, message };
  }
  if (!(error instanceof Error)) return { exitCode: EXIT.unexpected, message: String(error) };
  const { message } = error;
  if (error instanceof UsageError) return { exitCode: EXIT.usage, message };
  if (
    error instanceof Refusal ||
    error instanceof ApiError ||
    error instanceof SupersededPublication
  ) {
    return { exitCode: EXIT.refused, message };
  }
  if (error instanceof UnreachableError) return { exitCode: EXIT.unreachable, message };

  const cause = causeOf(error);
  if (cause.includes("no such table")) return { exitCode: EXIT.unreachable, message: NO_TABLES };
  if (isLocked(error)) return { exitCode: EXIT.unreachable, message: LOCKED };
  if (isUnanswered(error)) {
    const [reason = ""] = cause.replace("D1_ERROR: ", "").replace(NOT_D1, "").split("\n", 1);
    return {
      exitCode: EXIT.unreachable,
      message: `the database did not answer: ${reason} ${AGAIN}`,
    };
  }
  return { exitCode: EXIT.unexpected, message: inspect(error) };
}
