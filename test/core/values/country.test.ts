import path from "node:path";
import countries from "world-countries";
import { describe, expect, test } from "vitest";
import { countryOf } from "../../../src/core/values/country.ts";
import { countryNamesAsText } from "./country-data.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

/** The names that differ most from those in use. */
const ISO_NAMES = {
  BO: "Bolivia (Plurinational State of)",
  BQ: "Bonaire, Sint Eustatius and Saba",
  BN: "Brunei Darussalam",
  CC: "Cocos (Keeling) Islands (the)",
  CD: "Congo (the Democratic Republic of the)",
  CG: "Congo",
  CI: "Côte d'Ivoire",
  FK: "Falkland Islands (the) [Malvinas]",
  FM: "Micronesia, Federated States of",
  HM: "Heard Island and McDonald Islands",
  IR: "Iran, Islamic Republic of",
  KP: "Korea (the Democratic People's Republic of)",
  LA: "Lao People's Democratic Republic (the)",
  MD: "Moldova, Republic of",
  MF: "Saint Martin (French part)",
  MK: "Macedonia, the former Yugoslav Republic of",
  PS: "Palestine, State of",
  SH: "Saint Helena, Ascension and Tristan da Cunha",
  SX: "Sint Maarten (Dutch part)",
  SY: "Syrian Arab Republic",
  TW: "Taiwan (Province of China)",
  TZ: "Tanzania, United Republic of",
  UM: "United States Minor Outlying Islands (the)",
  VA: "Holy See (Vatican City State)",
  VE: "Venezuela (Bolivarian Republic of)",
  VG: "Virgin Islands, British",
  VI: "Virgin Islands, U.S.",
  VN: "Viet Nam",
};

const CODES = COUNTRIES.split(" ");

const FILE = path.resolve(import.meta.dirname, "../../../src/core/values/country-names.ts");

// `npx vitest run --project node country -u` updates the file.
test("src/core/values/country-names.ts is generated from the package", async () => {
  await expect(countryNamesAsText()).toMatchFileSnapshot(FILE);
});

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
    ["NZ", "NZL|nzl|NZ - New Zealand|New Zealand (NZ)|NZ, New Zealand|Aotearoa|Neuseeland"],
    ["DE", "DEU|Deutschland|Alemania|Allemagne|Federal Republic of Germany"],
    ["BR", "Brasil|Brésil|ブラジル|巴西"],
    ["RU", "Россия|Russian Federation|Rusia"],
    ["JP", "日本|Japón|Japon|Giappone"],
    ["HK", "HKG|Hong Kong SAR|Hong Kong SAR, China|香港|中国香港特别行政区"],
    ["AE", "ARE|UAE|الإمارات العربية المتحدة"],
    ["CD", "Congo, the Democratic Republic of the|刚果（金）|DRC"],
    ["KR", "Korea, Republic of|Republic of Korea|한국|대한민국"],
    ["TW", "Taiwan, Province of China|台灣|臺灣"],
    ["GB", "United Kingdom of Great Britain and Northern Ireland (the)|Wales"],
  ])("%s is recognised by its codes and in other languages: %s", (code, texts) => {
    for (const text of texts.split("|")) expect([text, countryOf(text)]).toEqual([text, code]);
  });

  test("is recognised by its code of three letters and each of its names that is one word", () => {
    // Kosovo has no code of three letters in ISO 3166-1, and both parts of Saint-Martin have its name.
    const excepted = ["UNK", "Saint-Martin"];
    const unknown = countries.flatMap(({ cca2, cca3, name }) =>
      [cca3, name.common, ...Object.values(name.native).map(({ common }) => common)]
        .filter(
          (text) => countryOf(text) !== cca2 && !/[ \u0f0b]/.test(text) && !excepted.includes(text),
        )
        .map((text) => `${cca2} ${text}`),
    );
    expect(unknown).toEqual([]);
  });

  test("is recognised by the short name of ISO 3166-1", () => {
    const unknown = Object.entries(ISO_NAMES).filter(([code, name]) => countryOf(name) !== code);
    expect(unknown).toEqual([]);
  });

  test.each([
    ...["", " ", "-", "Korea", "刚果", "New South Wales", "XX", "ZZ", "EU", "AU AU"],
    ...["Paris, France", "NZ - Australia", "Georgia, USA", "Wonderland", "12345", "XYZ"],
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
