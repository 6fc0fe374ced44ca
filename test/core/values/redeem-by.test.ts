import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dayIn,
  expiryOf,
  nextExpiryCheck,
  redeemByOf,
  redeemByRange,
} from "../../../src/core/values/redeem-by.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";

const at = (iso: string) => Date.parse(iso);
const day = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc.integer({ min: at("2020-01-01"), max: at("2150-01-01") });

describe("expiryOf", () => {
  test.for([
    ["2027-01-31", "2027-02-01T12:00:00Z"],
    ["2026-12-31", "2027-01-01T12:00:00Z"],
    ["2028-02-28", "2028-02-29T12:00:00Z"],
    ["2028-02-29", "2028-03-01T12:00:00Z"],
    ["2100-02-28", "2100-03-01T12:00:00Z"],
  ] as const)("of %s is %s, when the day has ended everywhere", ([redeemBy, iso]) => {
    expect(expiryOf(redeemBy)).toBe(at(iso));
  });

  test.for(["2027-02-29", "2100-02-29", "2027-04-31", "2027-13-01", "2027-1-1", "tomorrow", ""])(
    "of %j is undefined",
    (redeemBy) => {
      expect(expiryOf(redeemBy)).toBeUndefined();
    },
  );

  test("and redeemByOf are inverse, and the expiry is after the day at every offset", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -12, max: 14 }), (redeemBy, offsetHours) => {
        const expiresAtMs = expiryOf(redeemBy) as number;
        expect(redeemByOf(expiresAtMs)).toBe(redeemBy);
        const endsMs = at(`${redeemBy}T00:00:00Z`) + DAY_MS - offsetHours * HOUR_MS;
        expect(expiresAtMs).toBeGreaterThanOrEqual(endsMs);
      }),
    );
    expect(redeemByOf(null)).toBeNull();
  });
});

describe("redeemByRange", () => {
  test.for([
    ["2026-11-21T00:00:00.000Z", "2026-11-21", "2031-11-21"],
    ["2026-11-21T23:59:59.999Z", "2026-11-21", "2031-11-21"],
    ["2028-02-28T10:00:00.000Z", "2028-02-28", "2033-02-28"],
    ["2028-02-29T10:00:00.000Z", "2028-02-29", "2033-03-01"],
    ["2027-03-01T10:00:00.000Z", "2027-03-01", "2032-03-01"],
  ] as const)("at %s is from %s to %s", ([iso, first, last]) => {
    expect(redeemByRange(at(iso))).toEqual({ first, last });
  });

  test("has only days whose gifts have not expired, and every default of a client", () => {
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 1_826 }), (nowMs, days) => {
        const { first, last } = redeemByRange(nowMs);
        expect(expiryOf(first)).toBeGreaterThan(nowMs);
        expect(last > first).toBe(true);
        const redeemBy = dayIn(days, nowMs);
        expect(redeemBy > first).toBe(true);
        // Five years without two leap days, such as those around 2100, have fewer than 1,826 days.
        expect((expiryOf(redeemBy) as number) - (expiryOf(last) as number)).toBeLessThanOrEqual(
          DAY_MS,
        );
      }),
    );
  });
});

describe("nextExpiryCheck", () => {
  const expiresAtMs = at("2027-02-01T12:00:00Z");
  const of = (iso: string) => new Date(nextExpiryCheck(expiresAtMs, at(iso))).toISOString();

  test("is 14 days before the expiry, then 3 days before, then the expiry", () => {
    expect(of("2026-11-21T00:00:00Z")).toBe("2027-01-18T12:00:00.000Z");
    expect(of("2027-01-18T11:59:59.999Z")).toBe("2027-01-18T12:00:00.000Z");
    expect(of("2027-01-18T12:00:00Z")).toBe("2027-01-29T12:00:00.000Z");
    expect(of("2027-01-29T11:59:59.999Z")).toBe("2027-01-29T12:00:00.000Z");
    expect(of("2027-01-29T12:00:00Z")).toBe("2027-02-01T12:00:00.000Z");
    expect(of("2027-02-01T12:00:00Z")).toBe("2027-02-01T12:00:00.000Z");
    expect(of("2027-03-01T12:00:00Z")).toBe("2027-02-01T12:00:00.000Z");
  });

  test("is after the present time and at most the expiry, and at most three checks follow each other", () => {
    fc.assert(
      fc.property(day, time, (redeemBy, startMs) => {
        const expiry = expiryOf(redeemBy) as number;
        fc.pre(startMs < expiry);
        const checks: number[] = [];
        for (let nowMs = startMs; nowMs < expiry; nowMs = checks.at(-1) as number) {
          checks.push(nextExpiryCheck(expiry, nowMs));
          expect(checks.at(-1)).toBeGreaterThan(nowMs);
        }
        expect(checks.at(-1)).toBe(expiry);
        expect(checks.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
