// Times are epoch milliseconds, except in requests and responses.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** `YYYY-MM-DD HH:MM` in UTC, the format of `order_date`. */
export function formatDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 16).replace("T", " ");
}
