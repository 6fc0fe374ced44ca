// The last day on which a gift can be redeemed, the time at which it expires, and the times of its reminders.
import { DAY_MS, formatDay, HOUR_MS, parseUtc } from "./time.ts";

/** A day such as `2027-01-31` ends last at the offset −12:00, 12 hours after it ends in UTC. */
const LAST_OFFSET_MS = 12 * HOUR_MS;

/**
 * When gifts with this last day expire: the time at which the day has ended everywhere (DECISIONS.md: A gift expires
 * when its last day has ended everywhere). Undefined if the day does not exist.
 */
export function expiryOf(redeemBy: string): number | undefined {
  const startMs = parseUtc(redeemBy);
  return startMs === undefined ? undefined : startMs + DAY_MS + LAST_OFFSET_MS;
}

/** The last day of a gift that expires at this time. Null for a gift that does not expire. */
export function redeemByOf(expiresAtMs: number): string;
export function redeemByOf(expiresAtMs: number | null): string | null;
export function redeemByOf(expiresAtMs: number | null): string | null {
  if (expiresAtMs === null) return null;
  return formatDay(expiresAtMs - LAST_OFFSET_MS - DAY_MS);
}

/** The day, in UTC, that is `days` days after this time. */
export function dayIn(days: number, nowMs: number): string {
  return formatDay(nowMs + days * DAY_MS);
}

const MAX_YEARS = 5;

/** The days that a new order may have as its last day: from today in UTC to the same date in five years. */
export function redeemByRange(nowMs: number): { first: string; last: string } {
  const now = new Date(nowMs);
  // 29 February becomes 1 March if the fifth year is not a leap year.
  const lastMs = Date.UTC(now.getUTCFullYear() + MAX_YEARS, now.getUTCMonth(), now.getUTCDate());
  return { first: formatDay(nowMs), last: formatDay(lastMs) };
}

/** How long before the expiry recipients should be reminded. */
export const REMINDERS_MS = [14 * DAY_MS, 3 * DAY_MS] as const;

/**
 * The time of the next check by the cron handler: the first reminder after `nowMs`, or the expiry if there is no such
 * reminder.
 */
export function nextExpiryCheck(expiresAtMs: number, nowMs: number): number {
  const reminders = REMINDERS_MS.map((beforeMs) => expiresAtMs - beforeMs);
  return reminders.find((atMs) => atMs > nowMs) ?? expiresAtMs;
}
