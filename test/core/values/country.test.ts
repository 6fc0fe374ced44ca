import { describe, expect, test } from "vitest";
import { countryOf, hasNoPostcodes } from "../../../src/core/values/country.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

const CODES = COUNTRIES.split(" ");

describe("a country", () => {
  test("is recognised by its code, in any letter case", () => {
    for (const code of CODES) {
      for (const text of [code, code.toLowerCase(), ` ${code} `]) {
        expect([text, countryOf(text)]).toEqual([text, code]);
      }
    }
  });

  test("is recognised by the English name of the runtime, in any letter case", () => {
    for (const style of ["long", "short"] as const) {
      const names = new Intl.DisplayNames("en", { type: "region", style });
      for (const code of CODES) {
        const name = names.of(code) ?? "";
        for (const text of [name, name.toUpperCase()]) {
          expect([text, countryOf(text)]).toEqual([text, code]);
        }
      }
    }
  });

  test.each([
    ["US", "United States|The United States|U.S.|USA|U.S.A.|usa|United States of America"],
    ["GB", "United Kingdom|UK|U.K.|Great Britain|England|Scotland|Northern Ireland"],
    ["AU", "Australia|australia |A.U."],
    ["NL", "Netherlands|The Netherlands|Holland"],
    ["CI", "Côte d'Ivoire|Cote d’Ivoire|Ivory Coast"],
    ["CZ", "Czechia|Czech Republic"],
    ["TR", "Türkiye|Turkiye|Turkey"],
    ["BA", "Bosnia & Herzegovina|Bosnia and Herzegovina|Bosnia"],
    ["LC", "St. Lucia|St Lucia|Saint Lucia"],
    ["GW", "Guinea-Bissau|Guinea Bissau"],
    ["GN", "Guinea"],
    ["MM", "Myanmar (Burma)|Myanmar|Burma"],
    ["AX", "Åland Islands|Aland Islands"],
  ])("%s is recognised in common spellings: %s", (code, texts) => {
    for (const text of texts.split("|")) expect([text, countryOf(text)]).toEqual([text, code]);
  });

  test.each([
    ...["", " ", "-", "Deutschland", "日本", "Korea", "Congo", "New South Wales", "XX", "ZZ"],
    ...["EU", "AUS", "AU AU"],
  ])("is not recognised in %j", (text) => {
    expect(countryOf(text)).toBeUndefined();
  });

  test.each([
    ["China (Hong Kong)", "HK"],
    ["Ireland (Northern)", "GB"],
    ["Samoa (American)", "AS"],
    ["Korea (South)", "KR"],
    ["Denmark (Greenland)", "GL"],
    ["Germany (DE)", "DE"],
    ["Germany (EU)", "DE"],
    ["Australia (mainland) ", "AU"],
  ])("in brackets takes precedence over the name around them: %j", (text, code) => {
    expect(countryOf(text)).toBe(code);
  });

  test("is not searched for in text that is longer than any name", () => {
    expect(countryOf("AU".padEnd(100))).toBe("AU");
    expect(countryOf("AU".padEnd(101))).toBeUndefined();
    // Normalising this text would exceed the time limit of the test.
    expect(countryOf("(".repeat(1_000_000))).toBeUndefined();
  });
});

describe("a country without postcodes", () => {
  test.each(["AE", "hk", "Hong Kong SAR China", "The Bahamas", "St. Kitts & Nevis", "UAE", "Fiji"])(
    "is recognised as %j",
    (text) => {
      expect(hasNoPostcodes(text)).toBe(true);
    },
  );

  test.each(["", "AU", "Australia", "Niger", "Guinea", "Ireland", "Hong", "香港"])(
    "is not recognised as %j",
    (text) => {
      expect(hasNoPostcodes(text)).toBe(false);
    },
  );

  test("is one of ISO 3166-1", () => {
    const without = CODES.filter(hasNoPostcodes);
    expect(without).toHaveLength(63);
    expect(without).toContain("ZW");
  });
});
