import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDateTime, parseDayOrTimestamp, parseUtc } from "../../../src/core/values/time.ts";

describe("parseUtc", () => {
  test("returns the start of a day in UTC, or a time of the day", () => {
    expect(parseUtc("2026-05-31")).toBe(Date.UTC(2026, 4, 31));
    expect(parseUtc("2026-05-31", "23:59:59")).toBe(Date.UTC(2026, 4, 31, 23, 59, 59));
    expect(parseUtc("2026-05-31", "09:30")).toBe(Date.UTC(2026, 4, 31, 9, 30));
    expect(parseUtc("2026-05-31", "09:30:00", "+02:00")).toBe(Date.UTC(2026, 4, 31, 7, 30));
  });

  test("returns undefined if the day or the time does not exist", () => {
    expect(parseUtc("2026-02-29")).toBeUndefined();
    expect(parseUtc("2026-02-28", "25:00:00")).toBeUndefined();
    expect(parseUtc("2026-02-28", "noon")).toBeUndefined();
    expect(parseUtc("2026-02-28", "12:00:00", "CET")).toBeUndefined();
  });
});

describe("parseDayOrTimestamp", () => {
  test.for<[text: string, iso: string]>([
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2026-05-01T09:30:00Z", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01t09:30:00z", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T09:30:00.5Z", "2026-05-01T09:30:00.500Z"],
    ["2026-05-01T09:30:00.123456789Z", "2026-05-01T09:30:00.123Z"],
    ["2026-05-01T00:30:00+02:00", "2026-04-30T22:30:00.000Z"],
    ["2026-12-31T23:59:59-23:59", "2027-01-01T23:58:59.000Z"],
    ["2026-05-01T09:30:00-00:00", "2026-05-01T09:30:00.000Z"],
    ["1969-12-31", "1969-12-31T00:00:00.000Z"],
    ["0000-01-01", "0000-01-01T00:00:00.000Z"],
  ])("reads %s as %s", ([text, iso]) => {
    expect(parseDayOrTimestamp(text)).toBe(Date.parse(iso));
  });

  test.for([
    ...["", " ", "today", "2026", "2026-05", "20260501", "2026-5-1", "26-05-01", "+02026-05-01"],
    ...["2026-02-30", "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-05-00"],
    ...["2026-05-01T09:30:00", "2026-05-01T09:30Z", "2026-05-01 09:30:00Z", "2026-05-01Z"],
    ...["2026-05-01T24:00:00Z", "2026-05-01T09:60:00Z", "2026-05-01T09:30:60Z"],
    ...["2026-05-01T09:30:00+0200", "2026-05-01T09:30:00+24:00", "2026-05-01T09:30:00+02:60"],
    ...["2026-05-01T09:30:00 02:00", "2026-05-01T09:30:00.Z", "2026-02-30T09:30:00Z"],
    ...[" 2026-05-01", "2026-05-01 ", "2026-05-01\n", "２０２６-05-01", "1777593600000"],
  ])("refuses %j", (text) => {
    expect(parseDayOrTimestamp(text)).toBeUndefined();
  });

  test("reads every timestamp that toISOString writes", () => {
    const years = { min: new Date("0000-01-01"), max: new Date("9999-12-31T23:59:59.999Z") };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
        expect(parseDayOrTimestamp(date.toISOString())).toBe(date.getTime());
        const day = date.toISOString().slice(0, 10);
        expect(parseDayOrTimestamp(day)).toBe(Date.parse(`${day}T00:00:00.000Z`));
      }),
    );
  });
});

describe("formatDateTime", () => {
  test("writes the minute in UTC", () => {
    expect(formatDateTime(Date.UTC(2026, 2, 9, 7, 5, 59, 999))).toBe("2026-03-09 07:05");
  });
});
