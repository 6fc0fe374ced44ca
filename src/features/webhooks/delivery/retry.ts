// When a failed delivery is attempted again, and when an endpoint is disabled.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../core/values/time.ts";

/** The waits between the attempts to send an event. After the last wait there is one final attempt. */
const RETRY_DELAYS_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Longer than any delay with its jitter. A later time was computed with a wrong clock and counts as due. */
export const MAX_RETRY_DELAY_MS = 36 * HOUR_MS;

/** Up to a tenth is added to each delay, so that events that failed together are not all sent at the same time. */
const JITTER = 0.1;

/**
 * When to attempt the event again after `attempts` failed attempts. Null if there is no further attempt. `retryAfterMs`
 * is the minimum wait, from the endpoint's Retry-After header.
 */
export function nextAttemptAt(
  attempts: number,
  nowMs: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const withJitterMs = delayMs * (1 + JITTER * Math.random());
  return nowMs + Math.ceil(Math.max(withJitterMs, retryAfterMs ?? 0));
}

/** The failed attempts since the last success. */
export interface Failures {
  /** Without those of a run that also had a success. */
  failures: number;
  /** The time of the first of them. Null if there is none. */
  failingSinceMs: number | null;
}

/** With this number of consecutive failures, the endpoint counts as down. With fewer, it may only refuse one event. */
const DOWN_FAILURES = 5;

export const isDown = ({ failures }: Failures) => failures >= DOWN_FAILURES;

const DISABLE_AFTER_MS = 5 * 24 * HOUR_MS;
/** A single attempt with a wrong clock must not disable an endpoint. */
const DISABLE_AFTER_FAILURES = 10;

/** Whether the endpoint has failed for so long that it is disabled. */
export function hasFailedForDays({ failures, failingSinceMs }: Failures, nowMs: number): boolean {
  return (
    failures >= DISABLE_AFTER_FAILURES &&
    failingSinceMs !== null &&
    nowMs - failingSinceMs >= DISABLE_AFTER_MS
  );
}
