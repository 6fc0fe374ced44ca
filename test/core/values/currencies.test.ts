// Amounts have two decimals, so operators' input with a currency of zero or three decimals is refused.
import { describe, expect, test } from "vitest";
import catalogue from "../../../seed/catalogue.json" with { type: "json" };
import { readRegalo } from "../../../src/operator/catalogue/import/regalo.ts";
import { currencyOption } from "../../../src/cli/options.ts";
import { NewProfileInput } from "../../../src/operator/clients/input.ts";
import { CURRENCIES, CURRENCIES_WITHOUT_TWO_DECIMALS } from "../../../src/core/values/iso.ts";

const UNSUPPORTED = CURRENCIES_WITHOUT_TWO_DECIMALS.split(" ");
const rule = (currency: string) =>
  `must be a currency with two decimals: ${currency} is not supported`;

/** The problems of a catalogue file in `currency`. */
function problemsOf(currency: string): string[] {
  const products = catalogue.products.slice(0, 3).map((product) => ({
    ...product,
    ...("price_currency" in product && { price_currency: currency }),
    ...("variations" in product && {
      variations: product.variations.map((each) => ({ ...each, price_currency: currency })),
    }),
  }));
  const { problems } = readRegalo(JSON.stringify({ products }));
  return [...new Set(problems.map(({ reason }) => reason))];
}

test("every unsupported currency is one of ISO 4217", () => {
  expect(UNSUPPORTED.filter((code) => !CURRENCIES.split(" ").includes(code))).toEqual([]);
  expect(UNSUPPORTED).toEqual([...new Set(UNSUPPORTED)].sort());
});

describe.each(["JPY", "KWD", "CLF"])("%s", (currency) => {
  test("is refused in a catalogue file, for simple and variable products", () => {
    expect(problemsOf(currency)).toEqual([rule(currency)]);
  });

  test("is refused as --currency of credit and of shops' files", () => {
    expect(() => currencyOption(currency)).toThrow(`--currency ${currency} ${rule(currency)}`);
  });

  test("is refused as a client's default currency", () => {
    const profile = { name: "A", billing: "credit", feeBasisPoints: 0, defaultCurrency: currency };
    const { error } = NewProfileInput.safeParse(profile);
    expect(error?.issues.map(({ message }) => message)).toEqual([rule(currency)]);
  });
});

test("currencies with two decimals are accepted, and unknown ones are refused", () => {
  expect(problemsOf("EUR")).toEqual([]);
  expect(problemsOf("QQQ")).toContain("must be an ISO 4217 code, such as AUD");
  expect(currencyOption("EUR")).toBe("EUR");
  expect(currencyOption(undefined)).toBeUndefined();
  expect(() => currencyOption("eur")).toThrow("must be an ISO 4217 code, such as AUD");
});
