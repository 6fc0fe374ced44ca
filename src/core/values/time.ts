// Times are epoch milliseconds, except in requests and responses.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * The time of a day such as `2026-05-31`, in UTC or at an offset such as `+02:00`. Undefined if the day or the time does
 * not exist.
 */
export function parseUtc(day: string, time = "00:00:00", offset = "Z"): number | undefined {
  const startMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  // Date.parse returns 2 March for 30 February.
  const exists = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day);
  const ms = exists ? Date.parse(`${day}T${time}${offset}`) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** A day, or an RFC 3339 timestamp. */
export const DAY_OR_TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?)([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** Parses a day, which means its start in UTC, or an RFC 3339 timestamp. Undefined for any other text. */
export function parseDayOrTimestamp(text: string): number | undefined {
  const [, day, time, offset] = DAY_OR_TIMESTAMP.exec(text) ?? [];
  return day === undefined ? undefined : parseUtc(day, time, offset?.toUpperCase());
}

/** `YYYY-MM-DD HH:MM` in UTC, the format of `order_date`. */
export function formatDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 16).replace("T", " ");
}

/** RFC 3339 in UTC. Null stays null. */
export const optionalTimestamp = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString();

/** `YYYY-MM-DD` in UTC. */
export const formatDay = (epochMs: number): string => formatDateTime(epochMs).slice(0, 10);

/** Null stays null. */
export const optionalDateTime = (epochMs: number | null): string | null =>
  epochMs === null ? null : formatDateTime(epochMs);
