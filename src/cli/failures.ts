// How a command can fail, and what its exit code says of it.
import { CommanderError } from "commander";
import { UnreadableFile } from "../catalogue/import/source.ts";
import { ApiError } from "../errors.ts";

/** Scripts rely on these: 0 is done. */
export const EXIT = { refused: 1, usage: 2, unreachable: 3 } as const;

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

/** One sentence for a person, without a stack, and the exit code; no sentence where one was printed. */
export function describe(error: unknown): { exitCode: number; message: string | null } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : EXIT.usage, message: null };
  }
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Usage) return { exitCode: EXIT.usage, message: text };
  if (error instanceof Refusal || error instanceof ApiError || error instanceof UnreadableFile) {
    return { exitCode: EXIT.refused, message: text };
  }
  if (error instanceof Unreachable) return { exitCode: EXIT.unreachable, message: text };
  // Drizzle puts D1's own words behind its own.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : text;
  if (cause.includes("no such table")) {
    return {
      exitCode: EXIT.unreachable,
      message:
        'the database has no tables yet: run "npm start" once, or apply the migrations ' +
        'with "npx wrangler d1 migrations apply DB".',
    };
  }
  return { exitCode: EXIT.unreachable, message: cause.split("\n", 1)[0] ?? "" };
}
