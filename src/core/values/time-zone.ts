// Days in time zones.
import { parseUtc } from "./time.ts";

/** By time zone: creating a format is slow. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** `2026-05-01 14:30` in the zone, which has an IANA name. */
export function localTime(ms: number, timeZone: string): string {
  const styles = { dateStyle: "short", timeStyle: "short" } as const;
  const format = FORMATS.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, ...styles });
  FORMATS.set(timeZone, format);
  return format.format(ms);
}

/** The zone's canonical name. Undefined if the runtime does not have it. */
export function knownTimeZone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  const [day = "", clock] = localTime(ms, timeZone).split(" ");
  return (parseUtc(day, `${clock ?? ""}:00`) ?? ms) - Math.floor(ms / 60_000) * 60_000;
}

/** The time of midnight in the zone. A day whose clocks skip midnight begins at the next minute. Undefined if it does not exist. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  const midnightMs = parseUtc(day);
  if (midnightMs === undefined) return undefined;
  const before = midnightMs - offsetAt(midnightMs - 86_400_000, timeZone);
  const after = midnightMs - offsetAt(midnightMs + 86_400_000, timeZone);
  const candidates = [Math.min(before, after), Math.max(before, after)];
  return (
    candidates.find((ms) => localTime(ms, timeZone) === `${day} 00:00`) ??
    candidates.find((ms) => localTime(ms, timeZone).startsWith(day))
  );
}
