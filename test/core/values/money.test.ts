import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCIES, type Currency, decimalsOf } from "../../../src/core/values/iso.ts";
import {
  amountAsNumber,
  formatAmount,
  formatCurrency,
  parseAmount,
  shareOf,
} from "../../../src/core/values/money.ts";

const CODES = CURRENCIES.split(" ") as Currency[];
const anyCurrency = fc.oneof(fc.constantFrom(...CODES), fc.constantFrom("JPY", "KWD", "CLF"));

describe("amounts as text", () => {
  test("are parsed to the amounts that were formatted, in every currency", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), anyCurrency, (minor, currency) => {
        const text = formatAmount(minor, currency);
        expect(parseAmount(text, currency)).toBe(minor);
        expect(amountAsNumber(minor, currency).toFixed(decimalsOf(currency))).toBe(text);
      }),
    );
  });

  test.each(["", "-1", "1.234", "1,00", "1e3", " 1", "0x10", ".5", "1.", "12345678901234"])(
    "are refused in the form %j",
    (text) => {
      expect(parseAmount(text, "AUD")).toBeUndefined();
    },
  );

  test.each([
    ["JPY", 1_500, "1500", 1500, "¥1,500"],
    ["VND", 0, "0", 0, "₫0"],
    ["AUD", -968, "-9.68", -9.68, "-A$9.68"],
    ["AUD", 9_906_444, "99064.44", 99064.44, "A$99,064.44"],
    ["GBP", 5, "0.05", 0.05, "£0.05"],
    ["KWD", 1_234, "1.234", 1.234, "KWD 1.234"],
    ["KWD", -7, "-0.007", -0.007, "-KWD 0.007"],
    ["CLF", 1, "0.0001", 0.0001, "CLF 0.0001"],
    // Intl shows amounts in these without decimals, or the others in LAK. ISO 4217 decides.
    ["HUF", 9_906_440, "99064.40", 99064.4, "HUF 99,064.40"],
    ["IDR", 9_906_440, "99064.40", 99064.4, "IDR 99,064.40"],
    ["TWD", 9_906_440, "99064.40", 99064.4, "NT$99,064.40"],
    ["LAK", 9_906_440, "99064.40", 99064.4, "LAK 99,064.40"],
    ["IQD", 9_906_440, "9906.440", 9906.44, "IQD 9,906.440"],
    ["UYW", 9_906_440, "990.6440", 990.644, "UYW 990.6440"],
  ] as const)("of %s have its decimals: %d is %s", (currency, minor, text, number, formatted) => {
    expect(formatAmount(minor, currency)).toBe(text);
    expect(amountAsNumber(minor, currency)).toBe(number);
    expect(formatCurrency(minor, currency).replace("\u00a0", " ")).toBe(formatted);
  });

  test("cannot be formatted or parsed without a currency, or with one that is not in the list", () => {
    // @ts-expect-error The currency is missing.
    expect(() => formatAmount(1)).not.toThrow();
    // @ts-expect-error The currency is missing.
    expect(() => parseAmount("1")).not.toThrow();
    // @ts-expect-error The currency is missing.
    expect(() => amountAsNumber(1)).not.toThrow();
    // @ts-expect-error The currency is not in the list.
    expect(() => formatCurrency(1, "QQQ")).not.toThrow();
  });
});

const basisPoints = fc.integer({ min: 0, max: 10_000 });

describe("shareOf", () => {
  test.each([
    [1, 5_000, 1],
    [1, 4_999, 0],
    [125, 400, 5],
    [12, 400, 0],
    [13, 400, 1],
    [0, 10_000, 0],
    [12_345, 10_000, 12_345],
  ])("of %d by %d basis points is %d, rounded half up", (amount, points, share) => {
    expect(shareOf(amount, points)).toBe(share);
  });

  test("is the exact share rounded half up, for any amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 52 }), basisPoints, (amount, points) => {
        const exact = (BigInt(amount) * BigInt(points) + 5_000n) / 10_000n;
        expect(BigInt(shareOf(amount, points))).toBe(exact);
      }),
    );
  });
});
