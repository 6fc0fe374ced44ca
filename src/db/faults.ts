// Which of D1's errors mean that a later try may succeed.
// The list of them: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
import { DeadlineError } from "../deadline.ts";

/** Transient errors: D1's documentation says to retry. The statement may or may not have been carried out. */
const TRANSIENT = [
  "Network connection lost",
  "Replica disconnected from primary",
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
  "Can't read from request stream because client disconnected",
];

/** Another process writes to the local database. The call, or the bookmark of a read, was rolled back. */
const LOCKED = ["SQLITE_BUSY", "Failed to get session commit token"];

/** D1 cannot keep up, or was stopped at a limit: to retry at once would make it worse. */
const OVERLOADED = [
  "overloaded",
  "Too many requests queued",
  "exceeded timeout",
  "exceeded its memory limit",
  "exceeded its CPU time limit",
];

/** Whether the same work may be retried at once. Only for work that is safe to repeat. */
function isTransient(error: unknown): boolean {
  return says(error, TRANSIENT);
}

/** Whether the local database was locked by another process. */
export function isLocked(error: unknown): boolean {
  return says(error, LOCKED);
}

/** Whether D1 could not be reached, did not answer in time or could not keep up: a later try may succeed. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof DeadlineError ||
    isLocked(error) ||
    says(error, TRANSIENT) ||
    says(error, OVERLOADED)
  );
}

/** Whether the error's message, or that of its cause, has one of the phrases. */
function says(error: unknown, phrases: string[]): boolean {
  if (!(error instanceof Error)) return false;
  return phrases.some((phrase) => error.message.includes(phrase)) || says(error.cause, phrases);
}

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 80;

/**
 * Does `work`, and retries it on transient errors, with three tries at most. `work` must be safe to repeat: the
 * failed try may have been committed. It gets the number of the try, from 1 (decision 26).
 */
export async function retrying<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === MAX_TRIES || !isTransient(error)) throw error;
      // Exponential backoff with full jitter: requests that failed together are spread over the whole pause.
      await scheduler.wait(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
