import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf, totalsOf as totals } from "../../../src/features/orders/totals.ts";
import { MAX_UNIT_MINOR } from "../../../src/core/values/money.ts";

const unitMinor = fc.integer({ min: 0, max: MAX_UNIT_MINOR });

const qty = fc.integer({ min: 1, max: 500 });

const basisPoints = fc.integer({ min: 0, max: 10_000 });

test("totals add up: 110 twice, shipping of 11 each, a fee of 4 %", () => {
  expect(totals(11_000, 1_100, 2, 400)).toEqual({
    productPriceMinor: 11_000,
    qty: 2,
    subtotalMinor: 22_000,
    shippingCostMinor: 2_200,
    orderFeeMinor: 968,
    orderTotalMinor: 25_168,
  });
});

test.each([
  ["JPY", 1_500, 800, 3, 2_300 * 3, 276],
  ["JPY", 12, 0, 1, 12, 0],
  ["JPY", 13, 0, 1, 13, 1],
  ["KWD", 1_250, 125, 3, 4_125, 165],
])(
  "totals in %s round the fee of 4 %% half up in the minor unit: %d + %d",
  (_, price, shipping, qty, sum, fee) => {
    const { orderFeeMinor, orderTotalMinor } = totals(price, shipping, qty, 400);
    expect([orderFeeMinor, orderTotalMinor]).toEqual([fee, sum + fee]);
  },
);

test("totals add up exactly, in safe integers, for any price, shipping, fee and quantity", () => {
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

test("the gifts of an order add up to its totals, and none has a negative fee", () => {
  fc.assert(
    fc.property(unitMinor, unitMinor, qty, basisPoints, (price, shippingMinor, qty, fee) => {
      const sum = totals(price, shippingMinor, qty, fee);
      const settings = { shippingMinor, feeBasisPoints: fee };
      const costs = Array.from({ length: qty }, (_, index) => costOf(sum, settings, index));
      const sumOf = (name: keyof (typeof costs)[number]) =>
        costs.reduce((total, cost) => total + cost[name], 0);
      expect(sumOf("productMinor")).toBe(sum.subtotalMinor);
      expect(sumOf("shippingMinor")).toBe(sum.shippingCostMinor);
      expect(sumOf("feeMinor")).toBe(sum.orderFeeMinor);
      expect(Math.min(...costs.map(({ feeMinor }) => feeMinor))).toBeGreaterThanOrEqual(0);
    }),
  );
});
