// The lists of codes, against what this machine knows of them: it may know more or less, but not otherwise.
import { describe, expect, test } from "vitest";
import { COUNTRIES, CURRENCIES, hasNoPostcodes } from "../../src/iso.ts";

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

describe("a country without postcodes", () => {
  test.each([
    "AE",
    "HK",
    "hong kong",
    "Hong Kong SAR China",
    "The Bahamas",
    "St. Kitts & Nevis",
    "UAE",
  ])("is recognised as %j", (text) => {
    expect(hasNoPostcodes(text)).toBe(true);
  });

  test.each([
    "São Tomé and Príncipe",
    "Côte d'Ivoire",
    "Côte d’Ivoire",
    "Curaçao",
    " fiji ",
    "Timor-Leste",
  ])("is recognised as %j, whatever its accents and punctuation", (text) => {
    expect(hasNoPostcodes(text)).toBe(true);
  });

  test.each(["", "AU", "Australia", "Niger", "Guinea", "Congolese", "Hong", "香港"])(
    "is not %j",
    (text) => {
      expect(hasNoPostcodes(text)).toBe(false);
    },
  );

  test("is known by its code and by the name that this machine has for it", () => {
    const names = new Intl.DisplayNames("en", { type: "region" });
    const codes = COUNTRIES.split(" ").filter(hasNoPostcodes);
    expect(codes.filter((code) => !hasNoPostcodes(names.of(code) ?? ""))).toEqual([]);
    const named = COUNTRIES.split(" ").filter((code) => hasNoPostcodes(names.of(code) ?? ""));
    expect(named).toEqual(codes);
  });
});
