// The rules of addresses in each country, compared with the data of libaddressinput.
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import formats from "../../../public/address-formats.json";
import { addressFormatOf } from "../../../src/features/redeem/address-format.ts";
import { postcodeIn, rulesOf, stateIn } from "../../../src/features/redeem/address-rules.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";
import { runs } from "../../support/runs.ts";
import { generateRules, packageCountry, rulesAsText } from "./address-data.ts";

const FILE = path.resolve(import.meta.dirname, "../../../public/addresses.json");
const RULES = generateRules();
const countries = { formats, countries: RULES };
const CODES = COUNTRIES.split(" ");
const WITH_POSTCODES = CODES.filter((code) => RULES[code]?.postcode !== undefined);
const postcode = (country: string, text: string) => postcodeIn(rulesOf(countries, country), text);
const state = (country: string, text: string) => stateIn(rulesOf(countries, country), text)?.value;

// `npx vitest run --project node address-rules -u` updates the file.
test("public/addresses.json is generated from the package", async () => {
  await expect(rulesAsText()).toMatchFileSnapshot(FILE);
});

describe("a postcode", () => {
  test("of each of the package's examples is valid, and is not changed again", () => {
    expect(WITH_POSTCODES.length).toBeGreaterThan(170);
    for (const code of WITH_POSTCODES) {
      for (const example of packageCountry(code)?.zipex?.split(",") ?? []) {
        const written = postcode(code, example);
        expect([code, example, written]).not.toContain(null);
        expect([code, postcode(code, written ?? "")]).toEqual([code, written]);
      }
    }
  });

  test("is recognised in any notation", () => {
    const fullWidth = (text: string) =>
      text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    const arabic = (text: string) =>
      text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    const notation = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
      (text: string) => text.replaceAll(/[ -]/g, ""),
      (text: string) => ` ${Array.from(text).join(" ")}  `,
      (text: string) => text.replaceAll(" ", "-"),
      fullWidth,
      arabic,
    );
    const code = fc.constantFrom(...WITH_POSTCODES);
    fc.assert(
      fc.property(code, notation, fc.nat(), (country, write, index) => {
        const { examples = [] } = RULES[country] ?? {};
        const example = examples[index % examples.length] ?? "";
        expect([country, postcode(country, write(example))]).toEqual([country, example]);
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ["GB", "sw1a1aa", "SW1A 1AA"],
    ["GB", "hello", null],
    ["AU", "ABCDE", null],
    ["AU", " 20 00 ", "2000"],
    ["US", "1", null],
    ["US", "95014", "95014"],
    ["US", "221621010", "22162-1010"],
    ["DE", "123", null],
    ["DE", "D-10115", "10115"],
    ["CA", "k1a0b1", "K1A 0B1"],
    ["NL", "1234ab", "1234 AB"],
    ["SE", "SE-114 55", "114 55"],
    ["SE", "11455", "114 55"],
    ["PL", "00950", "00-950"],
    ["PT", "1250 096", "1250-096"],
    ["BR", "40301110", "40301-110"],
    ["JP", "１５４ー００２３", "154-0023"],
    ["JP", "1540023", "154-0023"],
    ["AE", "anything", "anything"],
    ["EG", "١١٥٩٩", "11599"],
    ["IR", "۱۱۹۳۶۱۲۳۴۵", "11936-12345"],
    ["IN", "११००३४", "110034"],
    ["LV", "1010", "LV-1010"],
    ["TW", "106409", "106409"],
    ["GB", "x".repeat(100_000), null],
  ])("in %s, %j is %j", (country, text, expected) => {
    expect(postcode(country, text)).toBe(expected);
  });
});

describe("the states", () => {
  test("are a list in 42 countries, among them those whose form requires a state", () => {
    const listed = CODES.filter((code) => RULES[code]?.states);
    expect(listed).toHaveLength(42);
    const required = CODES.filter((code) =>
      addressFormatOf(formats, code).some(({ name, required }) => name === "state" && required),
    );
    // The package has no states of these, or an old list.
    const others = required.filter((code) => !listed.includes(code));
    expect(others.join(" ")).toBe("CO CR FM HN ID IQ PF PG");
  });

  test("are recognised by each of their names, and by no other state's", () => {
    for (const [code, rules] of Object.entries(RULES)) {
      for (const { value, name = value, also = [] } of rules?.states ?? []) {
        for (const text of [value, name, ...also, value.toLowerCase()]) {
          expect([code, text, state(code, text)]).toEqual([code, text, value]);
        }
      }
    }
  });

  test.each([
    ["AU", "New South Wales", "NSW"],
    ["US", "california", "CA"],
    ["JP", "Tokyo", "東京都"],
    ["JP", "東京", "東京都"],
    ["CN", "Shanghai", "上海市"],
    ["BR", "Sao Paulo", "SP"],
    ["MX", "Jalisco", "Jal."],
    ["ES", "València", "Valencia"],
    ["ES", "Valencia", "Valencia"],
    ["IE", "Cork", "Co. Cork"],
    ["AE", "دبي", "Dubai"],
    ["US", "Nowhere", undefined],
    ["DE", "Berlin", undefined],
    ["IE", "", undefined],
  ])("in %s, %j is %j", (country, text, expected) => {
    expect(state(country, text)).toBe(expected);
  });
});
