// What D1 says when it is not the statement's fault.

/** Passing troubles between us and the database; the statement may or may not have run. */
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
];

/** The database is there but cannot keep up: asking again at once would make it worse. */
const OVERLOADED = ["overloaded", "Too many requests queued", "exceeded timeout"];

/** Whether the same work may be tried again at once. Only for work that is safe to do twice. */
function isTransient(error: unknown): boolean {
  return says(error, TRANSIENT);
}

/** Whether the database could not be reached or could not keep up: a later try may succeed. */
export function isUnavailable(error: unknown): boolean {
  return says(error, TRANSIENT) || says(error, OVERLOADED);
}

/** D1 may put the failure itself into the cause. */
function says(error: unknown, phrases: string[]): boolean {
  if (!(error instanceof Error)) return false;
  return phrases.some((phrase) => error.message.includes(phrase)) || says(error.cause, phrases);
}

const MAX_TRIES = 3;
const PAUSE_MS = 40;

/**
 * Does `work`, and again where D1 fails in passing, three times at most, with a random pause between. `work`
 * must be safe to do twice: the failed try may have been committed. It is told which try it is, from 1
 * (decision 26).
 */
export async function retrying<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === MAX_TRIES || !isTransient(error)) throw error;
      // Random, so that many who failed together do not come back together.
      await scheduler.wait(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}
