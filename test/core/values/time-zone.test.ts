// Days in time zones.
import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, formatDay, HOUR_MS } from "../../../src/core/values/time.ts";
import { localTime, startOfDay } from "../../../src/core/values/time-zone.ts";

test.each([
  ["2026-11-26", "UTC", "2026-11-26T00:00:00.000Z"],
  ["2026-11-26", "Australia/Melbourne", "2026-11-25T13:00:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
  ["2026-11-26", "Asia/Kathmandu", "2026-11-25T18:15:00.000Z"],
  // The clocks of Santiago skip midnight.
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
])("%s begins in %s at %s", (day, zone, time) => {
  expect(new Date(startOfDay(day, zone) ?? 0).toISOString()).toBe(time);
});

test("a text that is no day has no beginning", () => {
  expect(startOfDay("2026-02-30", "UTC")).toBeUndefined();
  expect(startOfDay("2026-02-03T10:00:00Z", "UTC")).toBeUndefined();
});

const ZONES = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
];

test("a day begins with its first minute in each zone", () => {
  const days = fc.integer({ min: 0, max: 20_000 }).map((n) => formatDay(n * DAY_MS));
  fc.assert(
    fc.property(days, fc.constantFrom(...ZONES), (day, zone) => {
      const ms = startOfDay(day, zone) ?? NaN;
      expect(localTime(ms, zone).slice(0, 10)).toBe(day);
      expect(localTime(ms - 1, zone) < day).toBe(true);
      expect(localTime(ms + 20 * HOUR_MS, zone).slice(0, 10)).toBe(day);
    }),
  );
});
