import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountAsNumber,
  formatAmount,
  formatCurrency,
  MAX_UNIT_MINOR,
  parseAmount,
  shareOf,
} from "../../src/values/money.ts";
import { totalsOf as totals } from "../../src/orders/totals.ts";

const unitMinor = fc.integer({ min: 0, max: MAX_UNIT_MINOR });
const qty = fc.integer({ min: 1, max: 500 });
const basisPoints = fc.integer({ min: 0, max: 10_000 });

describe("totals", () => {
  test("follow the example of decision 6: 110 twice, shipping 11 each, a fee of 4 %", () => {
    expect(totals(11_000, 1_100, 2, 400)).toEqual({
      productPriceMinor: 11_000,
      qty: 2,
      subtotalMinor: 22_000,
      shippingCostMinor: 2_200,
      orderFeeMinor: 968,
      orderTotalMinor: 25_168,
    });
  });

  test("add up exactly, in safe integers, for any price, shipping, fee and quantity", () => {
    fc.assert(
      fc.property(unitMinor, unitMinor, qty, basisPoints, (price, shipping, qty, fee) => {
        const sum = totals(price, shipping, qty, fee);
        expect(Number.isSafeInteger(sum.orderTotalMinor)).toBe(true);
        expect(BigInt(sum.subtotalMinor)).toBe(BigInt(price) * BigInt(qty));
        expect(BigInt(sum.shippingCostMinor)).toBe(BigInt(shipping) * BigInt(qty));
        expect(sum.orderTotalMinor).toBe(
          sum.subtotalMinor + sum.shippingCostMinor + sum.orderFeeMinor,
        );
      }),
    );
  });
});

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

  test("is the exact share rounded half up, however large the amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 52 }), basisPoints, (amount, points) => {
        const exact = (BigInt(amount) * BigInt(points) + 5_000n) / 10_000n;
        expect(BigInt(shareOf(amount, points))).toBe(exact);
      }),
    );
  });
});

describe("amounts as text", () => {
  test("read back as they were written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (minor) => {
        expect(parseAmount(formatAmount(minor))).toBe(minor);
        expect(amountAsNumber(minor).toFixed(2)).toBe(formatAmount(minor));
      }),
    );
  });

  test.each(["", "-1", "1.234", "1,00", "1e3", " 1", "0x10", ".5", "1."])(
    "are refused when they read %j",
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  test("show a debt with its sign, and a currency by its symbol", () => {
    expect(formatAmount(-968)).toBe("-9.68");
    expect(formatCurrency(9_906_444, "AUD")).toBe("A$99,064.44");
    expect(formatCurrency(5, "GBP")).toBe("£0.05");
  });
});
