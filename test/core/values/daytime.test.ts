// The time of day at which reminders are sent, compared with the time zones of the runtime.
import fc from "fast-check";
import { expect, test } from "vitest";
import { daytimeFrom, HOURS_AHEAD, noonFrom } from "../../../src/core/values/daytime.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/core/values/time.ts";

const ZONES = `
  AU Australia/Sydney, NZ Pacific/Auckland, KI Pacific/Tarawa, WS Pacific/Apia,
  US America/New_York, CA America/Toronto, BR America/Sao_Paulo, MX America/Mexico_City,
  CL America/Santiago, AR America/Argentina/Buenos_Aires, CO America/Bogota, PF Pacific/Tahiti,
  AS Pacific/Pago_Pago, TO Pacific/Tongatapu, FJ Pacific/Fiji, RU Europe/Moscow, DE Europe/Berlin,
  GB Europe/London, IE Europe/Dublin, PT Europe/Lisbon, ES Europe/Madrid, IS Atlantic/Reykjavik,
  GR Europe/Athens, MA Africa/Casablanca, EG Africa/Cairo, ZA Africa/Johannesburg, IR Asia/Tehran,
  IN Asia/Kolkata, NP Asia/Kathmandu, MM Asia/Yangon, AF Asia/Kabul, LK Asia/Colombo,
  CN Asia/Shanghai, ID Asia/Jakarta, JP Asia/Tokyo, IL Asia/Jerusalem`
  .split(",")
  .map((line) => line.trim().split(" ") as [country: string, zone: string]);

/** The times in the zone, such as `09:30`. Creating a format takes longer than using it. */
function clockOf(timeZone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  return (atMs) => format.format(atMs);
}

test.each(ZONES)(
  "in %s, reminders are sent between 9 and 17 o'clock in every month",
  (country, zone) => {
    const timeIn = clockOf(zone);
    for (let month = 0; month < 12; month++) {
      const fromMs = Date.UTC(2027, month, 15, month * 2, 17);
      const noonMs = noonFrom(fromMs, country);
      expect(noonMs - fromMs).toBeGreaterThanOrEqual(0);
      expect(noonMs - fromMs).toBeLessThan(DAY_MS);
      expect(["11:00", "12:00", "13:00"]).toContain(timeIn(noonMs));
      const times = Array.from({ length: 24 * 4 }, (_, quarter) =>
        timeIn(daytimeFrom(fromMs + quarter * 15 * MINUTE_MS, country)),
      );
      expect(times.filter((time) => time < "09:00" || time >= "17:00")).toEqual([]);
    }
  },
);

test("each listed country exists, and is listed once", () => {
  const listed = Object.values(HOURS_AHEAD).flatMap((codes) => codes.split(" "));
  expect(COUNTRIES.split(" ")).toEqual(expect.arrayContaining(listed));
  expect(new Set(listed).size).toBe(listed.length);
});

test("a time by day stays, and another one becomes the next noon", () => {
  const country = fc.constantFrom(...COUNTRIES.split(" "));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), country, (atMs, each) => {
      const day = daytimeFrom(atMs, each);
      expect([atMs, noonFrom(atMs, each)]).toContain(day);
      expect(daytimeFrom(day, each)).toBe(day);
    }),
  );
});
