import { describe, expect, test } from "vitest";
import { readRegalo } from "../../../src/operator/catalogue/import/regalo.ts";
import { CLIENT_SETTINGS } from "../../../src/operator/client/settings.ts";
import { COUNTRIES, CURRENCIES, decimalsOf, OTHER_DECIMALS } from "../../../src/core/values/iso.ts";

import catalogue from "../../../seed/catalogue.json" with { type: "json" };

type Changes = { currency: string; price: string; shipping?: number };

/** The problems of a catalogue file whose products have this currency, price and shipping cost. */
function problemsOf({ currency, price, shipping = 0 }: Changes): string[] {
  const amount = { price, price_currency: currency };
  const products = catalogue.products.slice(0, 3).map((product) => ({
    ...product,
    ...("price_currency" in product && amount),
    ...("variations" in product && {
      variations: product.variations.map((each) => ({ ...each, ...amount })),
    }),
    shipping_cost: shipping,
  }));
  const { problems } = readRegalo({ products });
  return [...new Set(problems.map(({ field, reason }) => `${field} ${reason}`))];
}

test("currencies without two decimals are listed once, and are currencies of ISO 4217", () => {
  const others = Object.values(OTHER_DECIMALS).flatMap((codes) => codes.split(" "));
  expect(others.filter((code) => !CURRENCIES.split(" ").includes(code))).toEqual([]);
  expect(new Set(others).size).toBe(others.length);
  expect((["JPY", "AUD", "HUF", "KWD", "UYW"] as const).map(decimalsOf)).toEqual([0, 2, 2, 3, 4]);
});

describe.each([
  ["JPY", "1500", "1500.0", 500, 500.5, 0, "11000"],
  ["VND", "9999999999", "9999999999.0", 30_000, 0.5, 0, "11000"],
  ["EUR", "15.00", "15.0", 9.5, 9.505, 2, "110.00"],
  ["KWD", "1.250", "1.25", 0.125, 0.1255, 3, "11.000"],
  ["CLF", "0.1234", "0.123", 0.0001, 0.00001, 4, "1.1000"],
])("%s", (currency, price, wrong, shipping, wrongShipping, decimals, example) => {
  const rule = `must be an amount in ${currency}, which has ${String(decimals)} decimals`;

  test("is the currency of a catalogue file, whose prices have its decimals", () => {
    expect(problemsOf({ currency, price, shipping })).toEqual([]);
    const fields = ["price", ...[0, 1, 2, 3].map((n) => `variations[${String(n)}].price`)];
    expect(new Set(problemsOf({ currency, price: wrong }))).toEqual(
      new Set(fields.map((field) => `${field} ${rule}, such as "${example}"`)),
    );
  });

  test("limits the decimals of a shipping cost", () => {
    expect(problemsOf({ currency, price, shipping: wrongShipping })).toEqual([
      `shipping_cost ${rule}`,
    ]);
  });

  test("is the currency of a client", () => {
    expect(CLIENT_SETTINGS.currency.kind.schema().safeParse(currency).success).toBe(true);
  });
});

test("unknown currencies are refused, and their prices are not judged", () => {
  expect(problemsOf({ currency: "QQQ", price: "1.2345" })).toEqual(
    ["price_currency", ...[0, 1, 2, 3].map((n) => `variations[${String(n)}].price_currency`)].map(
      (field) => `${field} must be an ISO 4217 code, such as AUD`,
    ),
  );
});

test.each([
  ["currency", CURRENCIES, /^[A-Z]{3}$/, 164],
  ["region", COUNTRIES, /^[A-Z]{2}$/, 250],
] as const)("every %s has a name, and is listed once", (type, list, form, count) => {
  const codes = list.split(" ");
  const names = new Intl.DisplayNames("en", { type });
  for (const code of codes) {
    expect(code).toMatch(form);
    expect(names.of(code)).not.toBe(code);
  }
  expect(codes).toEqual([...new Set(codes)].sort());
  expect(codes).toHaveLength(count);
});
