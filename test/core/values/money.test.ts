import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountAsNumber,
  formatAmount,
  formatCurrency,
  parseAmount,
  shareOf,
} from "../../../src/core/values/money.ts";

describe("amounts as text", () => {
  test("are parsed to the amounts that were formatted", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (minor) => {
        expect(parseAmount(formatAmount(minor))).toBe(minor);
        expect(amountAsNumber(minor).toFixed(2)).toBe(formatAmount(minor));
      }),
    );
  });

  test.each(["", "-1", "1.234", "1,00", "1e3", " 1", "0x10", ".5", "1."])(
    "are refused in the form %j",
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  test("have a sign if negative, and the symbol of their currency", () => {
    expect(formatAmount(-968)).toBe("-9.68");
    expect(formatCurrency(9_906_444, "AUD")).toBe("A$99,064.44");
    expect(formatCurrency(5, "GBP")).toBe("£0.05");
  });
});

// By default, workerd's Intl shows amounts in the first four without decimals.
test.each([
  ["HUF", "HUF 99,064.40"],
  ["COP", "COP 99,064.40"],
  ["IDR", "IDR 99,064.40"],
  ["PKR", "PKR 99,064.40"],
  ["TWD", "NT$99,064.40"],
])("amounts in %s have two decimals", (currency, text) => {
  expect(formatCurrency(9_906_440, currency).replace("\u00a0", " ")).toBe(text);
  expect(formatCurrency(-5, currency)).toMatch(/^-.*0\.05$/);
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
