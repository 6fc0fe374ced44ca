// The last day on which a gift can be redeemed, and the time at which it expires.
import { DAY_MS, HOUR_MS, parseUtc } from "./time.ts";

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
  return new Date(expiresAtMs - LAST_OFFSET_MS - DAY_MS).toISOString().slice(0, 10);
}
