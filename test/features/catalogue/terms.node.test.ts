import { expect, test } from "vitest";
import { MAX_UNIT_MINOR } from "../../../src/core/values/money.ts";
import { priceTerm } from "../../../src/features/catalogue/terms.ts";

test("prices with shipping have the order of their amounts, up to the largest", () => {
  const amounts = [0, 99, 2_000_000_000, 10_000_000_000, MAX_UNIT_MINOR, 2 * MAX_UNIT_MINOR];
  const terms = amounts.map((minor) => priceTerm("unit", "IRR", minor));
  expect(terms.toSorted()).toEqual(terms);
});
