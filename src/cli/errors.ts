// The errors of commands, and their exit codes.
import { CommanderError } from "commander";
import { ApiError } from "../api-error.ts";
import { SupersededPublication } from "../catalogue/publish/staging.ts";
import { isLocked, isUnavailable } from "../db/faults.ts";

/** Scripts rely on these values. 0 means success. */
export const EXIT = { refused: 1, usage: 2, unreachable: 3, unexpected: 4 } as const;

/**
 * The command line is valid, but the command cannot be carried out and has changed nothing. The message is a sentence.
 */
export class Refusal extends Error {
  override name = "Refusal";
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

/** Whether the environment did not answer. It may have carried out the call. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isUnavailable(error) || `${error.message}\n${causeOf(error)}`.includes("fetch failed");
}

/** Drizzle wraps D1's errors. */
const causeOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message);

/**
 * The exit code and the message of an error. The message is null if commander has printed it. It is one line for an
 * expected error, and the stack for an unexpected error.
 */
export function describeError(error: unknown): { exitCode: number; message: string | null } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : EXIT.usage, message: null };
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
    return { exitCode: EXIT.unreachable, message: cause.split("\n", 1)[0] ?? "" };
  }
  return { exitCode: EXIT.unexpected, message: error.stack ?? message };
}
