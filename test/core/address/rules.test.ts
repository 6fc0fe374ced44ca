// The rules of addresses in each country, compared with the data of libaddressinput.
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import formats from "../../../public/address-formats.json";
import { addressFormatOf } from "../../../src/core/address/format.ts";
import {
  isDoubtful,
  nearestState,
  postcodeIn,
  rulesOf,
  stateIn,
} from "../../../src/core/address/rules.ts";
import { countryOf } from "../../../src/core/values/country.ts";
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

test("postcodes of a country's code need no names of countries, which are slow to load", async () => {
  vi.resetModules();
  const names = vi.spyOn(Intl, "DisplayNames");
  const fresh = await import("../../../src/core/address/rules.ts");
  for (const [country, text] of [
    ["AU", "2000"],
    ["DE", "1"],
    ["GB", "sw1a1aa"],
    ["JE", "je2 3ab"],
    ["SE", "SE-114 55"],
  ] as const) {
    fresh.postcodeIn(fresh.rulesOf(countries, country), text);
  }
  const { length } = names.mock.calls;
  names.mockRestore();
  expect(length).toBe(0);
});

// `npx vitest run --project node address-rules -u` updates the file.
test("public/addresses.json is generated from the package", async () => {
  await expect(rulesAsText()).toMatchFileSnapshot(FILE);
});

/** The rows of a table: the country, what is typed, and the result. */
const rowsOf = (table: string): [string, string, string][] =>
  table
    .trim()
    .split(/ *\n *| \| /)
    .flatMap((part) => {
      const [country = "", list = ""] = part.split(/: (.*)/);
      return list.split("; ").map((each): [string, string, string] => {
        const [typed = "", result = ""] = each.split(" > ");
        return [country, typed, result];
      });
    });

/** For each country, what is typed and how it is written. `no`: it is refused. */
const POSTCODES: Record<string, string> = {
  "are written as in their country": `
    GB: sw1a1aa > SW1A 1AA; hello > no | AU: ABCDE > no; 20 00 > 2000
    US: 1 > no; 95014 > 95014; 221621010 > 22162-1010
    DE: 123 > no; D-10115 > 10115; ABCD10115 > no | CA: k1a0b1 > K1A 0B1
    NL: 1234ab > 1234 AB; NL1234AB > 1234 AB
    SG: S(048616) > 048616; Singapore 018956 > 018956; sg 018956 > 018956; FR 018956 > no
    SE: SE-114 55 > 114 55; 11455 > 114 55; SE11455 > 114 55 | PL: 00950 > 00-950
    PT: 1250 096 > 1250-096 | BR: 40301110 > 40301-110
    JP: １５４ー００２３ > 154-0023; 1540023 > 154-0023 | AE: anything > anything
    EG: ١١٥٩٩ > 11599; 4460001 > 4460001; 446000 > no | IR: ۱۱۹۳۶۱۲۳۴۵ > 11936-12345
    IN: ११००३४ > 110034 | LV: 1010 > 1010; LV-1050 > LV-1050; LV1050 > LV-1050
    TW: 106409 > 106409 | AZ: AZ1000 > 1000; AZ 1000 > 1000
    KZ: a15e2m4 > A15E2M4; KZ040900 > 040900
    SA: 12643-2121 > 12643-2121; 126432121 > 12643-2121 | PY: 001001 > 001001
    VE: 1010-A > 1010-A; 1010a > 1010-A | LT: LT01100 > 01100; LT-01100 > 01100
    MD: MD2001 > 2001 | DK: DK2100 > 2100 | CH: CH8001 > 8001 | FI: FI00100 > 00100
    HT: HT6120 > 6120 | AX: AX22100 > 22100 | AD: AD500 > AD500
    BM: HM12 > HM 12; HM GX > HM GX | IE: d02x285 > D02 X285; D6W XY00 > D6W XY00
  `,
  "get no letters that were not typed": `
    GB: 4 2AB > no | CA: 3Z 2Y7 > no | MT: 1234 > no
    IE: Dublin 4 > no; X285 > no; A6W XY00 > no | AD: 500 > 500 | BB: 23026 > 23026
    VG: 1110 > 1110 | GI: 11 1AA > no | IM: 2 1AA > no | BN: 2328 > no | SZ: 100 > no
  `,
  "get the letters of the island": `
    JE: 2 3ab > JE2 3AB | GG: 1 1AA > GY1 1AA; GY11AA > GY1 1AA
    KY: 1-1100 > KY1-1100; 11100 > KY1-1100
  `,
  "lose no letter or digit": `
    GB: ÉC1Y 8SY > no | MT: ßA 1234 > no | DE: 10115é > no | TH: ๑๐๑๕๐ > 10150 | BD: ১৩৪০ > 1340
    PR: 00930-1234 > 00930-1234 | PE: CALLAO 2 > CALLAO 2 | OM: PC 112 > PC 112
    JP: 〒154-0023 > 154-0023
  `,
  "may begin with the code of their country, and of no other": `
    DE: FR 75008 > no | FR: D-75008 > no; F-75008 > 75008 | US: TX 78701 > 78701 | CH: ZH 8001 > no
    NL: NL-1012 AB > 1012 AB | CA: CA K1A 0B1 > K1A 0B1 | FI: FIN-00100 > 00100
    LU: L-4750 > 4750 | AX: FI-22100 > 22100 | SV: CP 1101 > CP 1101; 1101 > 1101
  `,
  "are refused if no place has them": `
    FR: 00000 > no | LV: LV-0000 > no | IS: 000 > no | JP: 000-0000 > no | GB: GIR 0AA > GIR 0AA
    CA: T0L 0H0 > T0L 0H0; X0Z 1A1 > no | ES: 53001 > no; 00123 > no; 52001 > 52001
    NL: 0012 AB > no | DE: 00115 > no; 01067 > 01067
    US: 00123 > no; 00501 > 00501; 96201 > 96201 | TR: 82000 > no
    RU: 900000 > no; 101000 > 101000 | IT: 34100 > 34100; 49100 > no | IN: 900056 > 900056
    PH: 1000 > 1000 | EG: 3725005 > 3725005
  `,
};

/** For each country, what is typed and the state of the list. */
const STATES = `
  AU: New South Wales > NSW; Victoria, Australia > VIC | CA: PEI > PE; CA-QC > QC
  US: california > CA; Nowhere > no; US-CA > CA; Washington, D.C. > DC; State of New York > NY; TX - Texas > TX
  RU: Moscow > Москва; RU-MOW > Москва; Moscow Region > Московская область; Tatarstan > Республика Татарстан
  IT: Lombardia > Lombardia; Tuscany > Toscana; Milan > MI; Provincia di Milano > MI; Südtirol > BZ
  ES: Cataluña > Catalunya; Catalonia > Catalunya; ES-CT > Catalunya; Comunidad de Madrid > Madrid; Seville > Sevilla
  IN: New Delhi > Delhi; Orissa > Odisha; IN-MH > Maharashtra | MX: D.F. > CDMX; Estado de México > Méx.
  KR: Gyeonggi Province > 경기도 | CN: CN-BJ > 北京市; Tibet > 西藏自治区 | PH: NCR > Metro Manila; Calabarzon > Calabarzon
  AE: Emirate of Dubai > Dubai; RAK > Ras al Khaimah | HK: NT > New Territories | UA: Kyiv > місто Київ
  IR: IR-23 > no | IE: Leinster > Leinster | BR: SP - São Paulo > SP; SP - Rio de Janeiro > no
  JP: Osaka Prefecture > 大阪府; Tokyo-to > 東京都 | JP: Tokyo > 東京都; 東京 > 東京都
  CN: Shanghai > 上海市 | BR: Sao Paulo > SP | MX: Jalisco > Jal.
  ES: València > Valencia; Valencia > Valencia; Bizkaia > Vizcaya; Gipuzkoa > Guipúzcoa; Araba > Álava; Illes Balears > Islas Baleares; Gerona > Girona; Lleida > Lérida; A Coruña > La Coruña; Orense > Ourense
  IE: Cork > Co. Cork; County Cork > Co. Cork; Co Cork > Co. Cork; Dublin 6 > Co. Dublin; dublin 6w > Co. Dublin
  AE: دبي > Dubai | VE: Distrito Federal > Distrito Capital; Vargas > La Guaira
  IN: LA > Ladakh | KR: 강원도 > 강원특별자치도; 강원 > 강원특별자치도; Jeonbuk State > 전북특별자치도; 전라북도 > 전북특별자치도
  AR: CABA > Ciudad Autónoma de Buenos Aires; Capital Federal > Ciudad Autónoma de Buenos Aires
  TW: 臺北市 > 台北市; 臺東 > 台東縣; 桃園縣 > 桃園市 | HK: 九龍 > Kowloon | DE: Berlin > no
`;

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
        const [letters = ""] = /^[A-Z]*/.exec(bodyOf(text)) ?? [];
        const isOwn = state(code, letters) !== undefined || countryOf(letters) === code;
        const signs = isOwn ? [...prefixes.split(" "), letters] : prefixes.split(" ");
        const own = signs.flatMap((each) => `${each}${bodyOf(written)}`);
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
});

test.each(Object.entries(POSTCODES))("postcodes %s", (_, table) => {
  for (const [country, typed, written] of rowsOf(table)) {
    expect([country, typed, postcode(country, typed)]).toEqual([
      ...[country, typed, written === "no" ? null : written],
    ]);
  }
  expect(postcode("GB", "x".repeat(100_000))).toBeNull();
});

describe("the states", () => {
  test("are a list in 42 countries, among them those whose form requires a state", () => {
    const listed = CODES.filter((code) => RULES[code]?.states);
    expect(listed).toHaveLength(42);
    const required = CODES.filter((code) =>
      addressFormatOf(countries, code).some(({ name, required }) => name === "state" && required),
    );
    // The package has no states of these, or an old list.
    const others = required.filter((code) => !listed.includes(code));
    expect(others.join(" ")).toBe("AS CO CR FM HN ID IQ MH MP PF PG PW UM VI");
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

  test("are recognised by other names, spellings and old names", () => {
    for (const [country, typed, found] of rowsOf(STATES)) {
      expect([country, typed, state(country, typed)]).toEqual([
        ...[country, typed, found === "no" ? undefined : found],
      ]);
    }
    expect(state("IE", "")).toBeUndefined();
  });

  test.each([
    ["IE", "Leinster", "D02 X285", false],
    ["IT", "Lombardia", "MI 20121", false],
    ["IT", "RM", "MI 20121", true],
    ["US", "TX", "CA 90001", true],
    ["CA", "QC", "M5V 2T6", true],
  ])("of %s: %s and the postcode %s", (country, typed, postcode, doubtful) => {
    expect(isDoubtful(rulesOf(countries, country), typed, postcode)).toBe(doubtful);
  });

  test("have a nearest name in the script of the text", () => {
    const table =
      "RU: Moskow > Moscow; Масква > Москва | AE: Dubia > Dubai | US: Califrnia > California; 加州 > AL | IT: Lombard > Lombardy | CA: Ont. > Ontario; Sask > Saskatchewan | US: Minn. > Minnesota | AU: Vict. > Victoria";
    for (const [country, typed, nearest] of rowsOf(table)) {
      expect([typed, nearestState(rulesOf(countries, country), typed)]).toEqual([typed, nearest]);
    }
  });
});
