// How a command can fail, and what its exit code says of it.
import { CommanderError } from "commander";
import { SupersededPublication } from "../catalogue/publish/staging.ts";
import { isLocked, isUnavailable } from "../db/faults.ts";
import { ApiError } from "../api-error.ts";

/** Scripts rely on these: 0 is done. */
const EXIT = { refused: 1, usage: 2, unreachable: 3, unforeseen: 4 } as const;

/** What was asked is not possible as things are; nothing has been changed. One sentence. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** The command line is not complete or not valid. */
export class Usage extends Error {
  override name = "Usage";
}

/** The environment does not answer, or is not set up. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

const NO_TABLES =
  'the database has no tables yet: run "npm run setup", or apply the migrations ' +
  'with "npx wrangler d1 migrations apply DB".';

const LOCKED = "another process keeps the local database locked: try again.";

/**
 * One sentence for a person and the exit code; no sentence where one was printed. Only what nobody foresaw
 * comes with its stack, for whoever mends it.
 */
export function describe(error: unknown): { exitCode: number; message: string | null } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : EXIT.usage, message: null };
  }
  if (!(error instanceof Error)) return { exitCode: EXIT.unforeseen, message: String(error) };
  const { message } = error;
  if (error instanceof Usage) return { exitCode: EXIT.usage, message };
  if (
    error instanceof Refusal ||
    error instanceof ApiError ||
    error instanceof SupersededPublication
  ) {
    return { exitCode: EXIT.refused, message };
  }
  if (error instanceof Unreachable) return { exitCode: EXIT.unreachable, message };

  // Drizzle puts D1's own words behind its own.
  const cause = error.cause instanceof Error ? error.cause.message : message;
  if (cause.includes("no such table")) return { exitCode: EXIT.unreachable, message: NO_TABLES };
  if (isLocked(error)) return { exitCode: EXIT.unreachable, message: LOCKED };
  if (isUnavailable(error) || `${message}\n${cause}`.includes("fetch failed")) {
    return { exitCode: EXIT.unreachable, message: cause.split("\n", 1)[0] ?? "" };
  }
  return { exitCode: EXIT.unforeseen, message: error.stack ?? message };
}
