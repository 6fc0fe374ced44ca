// The rules of `send_at`.
import { validationError } from "../../core/api-error.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { DAY_MS } from "../../core/values/time.ts";

/** The largest number of days between a request and its `send_at`. */
const MAX_DAYS_AHEAD = 366;

/** Why an e-mail cannot be sent at this time. Null if it can. A time in the past means now. */
export function sendAtProblem(
  sendAtMs: number,
  { nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number | null },
): string | null {
  if (sendAtMs > nowMs + MAX_DAYS_AHEAD * DAY_MS) return "must be at most a year ahead";
  if (expiresAtMs === null || sendAtMs < expiresAtMs) return null;
  return `must not be after the last day to accept the gift, ${redeemByOf(expiresAtMs)}`;
}

/** The refusal of e-mails in an environment without a sender. */
export const notAvailable = (field: string) =>
  validationError([{ field, message: "is not available: e-mails are switched off" }]);
