// The deadline of D1 calls. A call without one may take longer than a caller waits.
import { within } from "../../core/deadline.ts";
import { wrapCalls } from "./wrapped-calls.ts";
import { whenUnlocked } from "./locked.ts";

const D1_DEADLINE_MS = 10_000;

/** The database with a deadline on each call. `onCall` is called before each call. */
export function withDeadline(
  d1: D1Database,
  onCall?: () => void,
  deadlineMs = D1_DEADLINE_MS,
): D1Database {
  return wrapCalls(d1, (call) => {
    onCall?.();
    return within(deadlineMs, "D1", whenUnlocked(call));
  });
}
