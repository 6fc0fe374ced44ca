// The errors of commands, and their exit codes.
import { inspect } from "node:util";
import { CommanderError } from "commander";

/** Scripts rely on these names and values. 0 means success. */
export const EXIT = { refused: 1, usage: 2, unreachable: 3, unexpected: 4 } as const;

/** What each error means, for `--help`. */
export const MEANINGS: Record<keyof typeof EXIT, string> = {
  refused: "refused, or something needs attention: the output says what was changed",
  usage: "invalid command line",
  unreachable: "the environment does not respond. A change may have been made: see `audit list`",
  unexpected:
    "unexpected error, or a full disk: the changes are then complete and in the audit log",
};

/** An error as a line. With --json on the command line, it is JSON. */
export function errorText(exitCode: number, message: string, words: readonly string[]): string {
  const [code] = Object.entries(EXIT).find(([, value]) => value === exitCode) ?? [];
  const error = { status: "error", message, code, exit_code: exitCode };
  return words.includes("--json") ? JSON.stringify(error) : `error: ${message}`;
}

/** The command line is incomplete or invalid. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The output cannot be written. A change was made before. */
export class OutputError extends Error {
  override name = "OutputError";
}

/** The environment does not respond, or is not set up. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

/** The operator API has refused a valid request. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

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
  if (error instanceof RefusedError) return { exitCode: EXIT.refused, message };
  if (error instanceof UnreachableError) return { exitCode: EXIT.unreachable, message };
  const isExpected = error instanceof OutputError;
  return { exitCode: EXIT.unexpected, message: isExpected ? message : inspect(error) };
}
