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
const WITH_LETTERS = WITH_POSTCODES.filter((code) =>
  /[A-Z]/.test(RULES[code]?.examples?.[0] ?? ""),
);
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

  test("has the typed letters and digits, except a prefix of its country", () => {
    const mutated = fc
      .tuple(
        fc.oneof(fc.constantFrom(...WITH_POSTCODES), fc.constantFrom(...WITH_LETTERS)),
        fc.nat(),
        fc.constantFrom("", "D-", "FR ", "LV", "EC", "MT-"),
        fc.oneof(fc.constant(0), fc.nat(12)),
        fc.nat(4),
        fc.string({ unit: fc.constantFrom(...Array.from("aBZ019 -")), maxLength: 3 }),
      )
      .map(([code, index, prefix, at, removed, added]): [string, string] => {
        const { examples = [] } = RULES[code] ?? {};
        const example = Array.from(examples[index % examples.length] ?? "");
        example.splice(at, removed, added);
        return [code, prefix + example.join("")];
      });
    const bodyOf = (text: string) => text.toUpperCase().replaceAll(/[ -]/g, "");
    fc.assert(
      fc.property(mutated, ([code, text]) => {
        const written = postcode(code, text);
        if (written === null) return;
        const { prefixes = "" } = RULES[code] ?? {};
        const island = { JE: "JE", GG: "GY", KY: "KY" }[code];
        const own = prefixes.split(" ").flatMap((each) => `${each}${bodyOf(written)}`);
        const allowed = [bodyOf(written), ...own];
        if (island !== undefined) allowed.push(bodyOf(written).replace(island, ""));
        expect([code, allowed]).toEqual([code, expect.arrayContaining([bodyOf(text)])]);
      }),
      { numRuns: runs(20_000) },
    );
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
    ["LV", "1010", "1010"],
    ["TW", "106409", "106409"],
    ["GB", "x".repeat(100_000), null],
    ["AZ", "AZ1000", "1000"],
    ["AZ", "AZ 1000", "1000"],
    ["KZ", "a15e2m4", "A15E2M4"],
    ["KZ", "KZ040900", "040900"],
    ["SA", "12643-2121", "12643-2121"],
    ["SA", "126432121", "12643-2121"],
    ["EG", "4460001", "4460001"],
    ["EG", "446000", null],
    ["PY", "001001", "001001"],
    ["VE", "1010-A", "1010-A"],
    ["VE", "1010a", "1010-A"],
    ["LT", "LT01100", "01100"],
    ["LT", "LT-01100", "01100"],
    ["MD", "MD2001", "2001"],
    ["DK", "DK2100", "2100"],
    ["CH", "CH8001", "8001"],
    ["FI", "FI00100", "00100"],
    ["SE", "SE11455", "114 55"],
    ["HT", "HT6120", "6120"],
    ["AX", "AX22100", "22100"],
    ["NL", "NL1234AB", "1234 AB"],
    ["LV", "LV-1050", "LV-1050"],
    ["LV", "LV1050", "LV-1050"],
    ["AD", "AD500", "AD500"],
    ["BM", "HM12", "HM 12"],
    ["BM", "HM GX", "HM GX"],
    ["IE", "d02x285", "D02 X285"],
    ["IE", "D6W XY00", "D6W XY00"],
    ["DE", "ABCD10115", null],
    // No letter is added.
    ["GB", "4 2AB", null],
    ["CA", "3Z 2Y7", null],
    ["MT", "1234", null],
    ["IE", "Dublin 4", null],
    ["IE", "X285", null],
    ["IE", "A6W XY00", null],
    ["AD", "500", "500"],
    ["BB", "23026", "23026"],
    ["VG", "1110", "1110"],
    ["GI", "11 1AA", null],
    ["IM", "2 1AA", null],
    ["BN", "2328", null],
    ["SZ", "100", null],
    // Except that of the island.
    ["JE", "2 3ab", "JE2 3AB"],
    ["GG", "1 1AA", "GY1 1AA"],
    ["GG", "GY11AA", "GY1 1AA"],
    ["KY", "1-1100", "KY1-1100"],
    ["KY", "11100", "KY1-1100"],
    // No letter or digit is lost.
    ["GB", "ÉC1Y 8SY", null],
    ["MT", "ßA 1234", null],
    ["DE", "10115é", null],
    ["TH", "๑๐๑๕๐", "10150"],
    ["BD", "১৩৪০", "1340"],
    ["PR", "00930-1234", "00930-1234"],
    ["PE", "CALLAO 2", "CALLAO 2"],
    ["OM", "PC 112", "PC 112"],
    ["JP", "〒154-0023", "154-0023"],
    // The prefix of another country, and of this one.
    ["DE", "FR 75008", null],
    ["FR", "D-75008", null],
    ["US", "TX 78701", null],
    ["CH", "ZH 8001", null],
    ["FR", "F-75008", "75008"],
    ["NL", "NL-1012 AB", "1012 AB"],
    ["CA", "CA K1A 0B1", "K1A 0B1"],
    ["FI", "FIN-00100", "00100"],
    ["LU", "L-4750", "4750"],
    ["AX", "FI-22100", "22100"],
    ["SV", "CP 1101", "CP 1101"],
    ["SV", "1101", "1101"],
    // No place has these.
    ["FR", "00000", null],
    ["LV", "LV-0000", null],
    ["IS", "000", null],
    ["JP", "000-0000", null],
    ["GB", "GIR 0AA", "GIR 0AA"],
    ["CA", "T0L 0H0", "T0L 0H0"],
    ["ES", "53001", null],
    ["ES", "00123", null],
    ["ES", "52001", "52001"],
    ["NL", "0012 AB", null],
    ["DE", "00115", null],
    ["DE", "01067", "01067"],
    ["US", "00123", null],
    ["US", "00501", "00501"],
    ["US", "96201", "96201"],
    ["TR", "82000", null],
    ["RU", "900000", null],
    ["RU", "101000", "101000"],
    ["CA", "X0Z 1A1", null],
    ["IT", "34100", "34100"],
    ["IT", "49100", null],
    ["IN", "900056", "900056"],
    ["PH", "1000", "1000"],
    ["EG", "3725005", "3725005"],
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
    ["VE", "Distrito Federal", "Distrito Capital"],
    ["VE", "Vargas", "La Guaira"],
    ["IN", "LA", "Ladakh"],
    ["KR", "강원도", "강원특별자치도"],
    ["KR", "강원", "강원특별자치도"],
    ["KR", "Jeonbuk State", "전북특별자치도"],
    ["KR", "전라북도", "전북특별자치도"],
    ["ES", "Bizkaia", "Vizcaya"],
    ["ES", "Gipuzkoa", "Guipúzcoa"],
    ["ES", "Araba", "Álava"],
    ["ES", "Illes Balears", "Islas Baleares"],
    ["ES", "Gerona", "Girona"],
    ["ES", "Lleida", "Lérida"],
    ["ES", "A Coruña", "La Coruña"],
    ["ES", "Orense", "Ourense"],
    ["AR", "CABA", "Ciudad Autónoma de Buenos Aires"],
    ["AR", "Capital Federal", "Ciudad Autónoma de Buenos Aires"],
    ["TW", "臺北市", "台北市"],
    ["TW", "臺東", "台東縣"],
    ["TW", "桃園縣", "桃園市"],
    ["HK", "九龍", "Kowloon"],
    ["IE", "County Cork", "Co. Cork"],
    ["IE", "Co Cork", "Co. Cork"],
    ["IE", "Dublin 6", "Co. Dublin"],
    ["IE", "dublin 6w", "Co. Dublin"],
    ["US", "Nowhere", undefined],
    ["DE", "Berlin", undefined],
    ["IE", "", undefined],
  ])("in %s, %j is %j", (country, text, expected) => {
    expect(state(country, text)).toBe(expected);
  });
});
