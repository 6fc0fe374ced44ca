// The log: a JSON object on each line. It must not contain secrets or personal data.
import type { ErrorCode } from "../core/api-error.ts";
import { isUnavailable } from "./db/faults.ts";

/** Something that is logged. Alerts and searches rely on the names, which docs/OPERATING.md describes. */
type Event = "request" | "carrier.unknown_number";

/** A failure. The request itself may still succeed. */
type Fault =
  | "request.failed"
  | "page.failed"
  | "configuration.invalid"
  | "rate_limiter.failed"
  | "cache.read_failed"
  | "cache.write_failed"
  | "cache.delete_failed"
  | "cache.refresh_failed"
  | "credential.use_failed"
  | "vendor.telling_failed"
  | "webhook.nudge_failed"
  | "webhook.delivery_failed"
  | "carrier.number_refused"
  | "carrier.registration_failed"
  | "cron.task_failed"
  | "gift.opening_failed"
  | "email.failed"
  | "email.nudge_failed"
  | "email.refused"
  | "email.report_invalid"
  | "email.run_failed"
  | "expiry.failed"
  | "health.publish_failed"
  | "metrics.write_failed";

export type LogEvent = Event | Fault;

export function logEvent(event: Event, fields: Record<string, unknown>): void {
  console.log(JSON.stringify({ event, ...fields }));
}

/** Logs a fault, with the error code that a caller would receive, and the stacks of the error and of its cause. */
export function logFault(
  event: Fault,
  error: unknown,
  context: Record<string, unknown> = {},
): void {
  const code: ErrorCode = isUnavailable(error) ? "service_unavailable" : "internal_error";
  console.error(JSON.stringify({ event, ...context, code, ...describe(error) }));
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  // D1's error has SQLite's as its cause.
  return { error: error.stack, ...(error.cause instanceof Error && { cause: error.cause.stack }) };
}
