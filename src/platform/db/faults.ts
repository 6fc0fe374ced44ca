// Classifies D1's errors, and retries work after transient ones.
// D1's list of errors: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
import { DeadlineError } from "../../core/deadline.ts";

/**
 * Errors that the runtime may throw without D1's prefix, or with a text of another layer. The statement may have been
 * executed.
 */
const TRANSIENT = [
  "Network connection lost",
  "internal error; reference",
  "Failed to parse body as JSON",
  "object to be reset",
  "Can't read from request stream because client disconnected",
  "reset because its code was updated",
];

/** D1 is overloaded or has reached a limit. An immediate retry would add to the load. */
const OVERLOADED = [
  "overloaded",
  "Too many requests queued",
  "exceeded timeout",
  "exceeded its memory limit",
  "exceeded its CPU time limit",
  "SQLITE_NOMEM",
];

/** The statement or its values are wrong: SQLite's codes, which end its messages, and texts without a code. Those of D1 name SQL. */
const SQL_FAULTS = [
  ...["ERROR", "CONSTRAINT", "MISMATCH", "TOOBIG", "RANGE", "AUTH"].map((code) => `SQLITE_${code}`),
  ...["constraint failed", "syntax error", "no such ", "has no column", "already exists"],
  ...["datatype mismatch", "too big", "SQL "],
];

/** Whether a retry may succeed at once. The work must be safe to repeat. */
function isTransient(error: unknown): boolean {
  return !contains(error, OVERLOADED) && (contains(error, TRANSIENT) || isFaultOfD1(error));
}

/** Whether D1 was unreachable, too slow, overloaded, or busy with an export. A later attempt may succeed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DeadlineError || contains(error, OVERLOADED) || isTransient(error);
}

/** Whether D1 failed, and not the statement. D1's documentation does not list all of its messages. */
function isFaultOfD1(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!error.message.startsWith("D1_ERROR")) return isFaultOfD1(error.cause);
  return !contains(error, SQL_FAULTS);
}

/** Whether the message of the error or of its cause contains one of the phrases. */
function contains(error: unknown, phrases: string[]): boolean {
  if (!(error instanceof Error)) return false;
  return phrases.some((phrase) => error.message.includes(phrase)) || contains(error.cause, phrases);
}

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 80;

/**
 * Runs `work`, and retries it on transient errors, at most three attempts in all. `work` must be safe to repeat,
 * because a failed attempt may have been committed. It gets the number of the attempt, from 1 (DECISIONS.md: Failed
 * placements are retried with a new attempt id).
 */
export async function retrying<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === MAX_TRIES || !isTransient(error)) throw error;
      // Exponential backoff with full jitter, so that requests that failed together do not retry together.
      await scheduler.wait(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
