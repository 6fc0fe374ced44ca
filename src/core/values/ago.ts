// How long ago something happened, which is the same in all time zones.
import { plural } from "./plural.ts";
import { DAY_MS, HOUR_MS } from "./time.ts";

/** `just now`, `5 hours ago` or `3 days ago`. */
export function agoText(ms: number, nowMs: number): string {
  const hours = Math.floor((nowMs - ms) / HOUR_MS);
  if (hours < 1) return "just now";
  return hours < 48
    ? `${plural(hours, "hour")} ago`
    : `${plural(Math.floor((nowMs - ms) / DAY_MS), "day")} ago`;
}
