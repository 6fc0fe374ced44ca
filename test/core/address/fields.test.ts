import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Address } from "../../../src/core/address/address.ts";
import { checkAddress } from "../../../src/core/address/check.ts";
import { ADDRESS_RULES } from "../../../src/operator/address-rules.ts";
import {
  addressFormatOf as formatOf,
  displayLines as linesOf,
} from "../../../src/core/address/format.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";
import { runs } from "../../support/runs.ts";

const CODES = COUNTRIES.split(" ");
const OTHER_TEXT = ["", "Atlantis", "XX", "S Z"];

/** The package has no postcodes for them. */
const EMPTY = ["LC", "MS", "PS", "TT", "WS"];

const missingIn = (address: Address) => {
  const delivery = { locations: [], isRequired: true };
  const { problems } = checkAddress(address, ADDRESS_RULES, delivery);
  return [...problems].filter(([, problem]) => problem === "required");
};

const addressFormatOf = (country: string) => formatOf(ADDRESS_RULES, country);
const displayLines = (address: Address) => linesOf(ADDRESS_RULES, address);
const namesOf = (country: string) => addressFormatOf(country).map(({ name }) => name);
const fieldOf = (country: string, name: string) =>
  addressFormatOf(country).find((field) => field.name === name);

describe("the fields of an address", () => {
  test("contain each line and the city, and the postcode where there are postcodes", () => {
    for (const country of [...CODES, ...OTHER_TEXT]) {
      const names = namesOf(country);
      const { postcode: pattern } = ADDRESS_RULES.countries[country] ?? {};
      const hasPostcode =
        pattern !== undefined || OTHER_TEXT.includes(country) || EMPTY.includes(country);
      const postcode = hasPostcode ? ["postcode_zipcode"] : [];
      const always = ["address_line_1", "address_line_2", ...postcode, "suburb"];
      expect([country, names.filter((name) => name !== "state").sort()]).toEqual([country, always]);
      expect(names.indexOf("address_line_2")).toBe(names.indexOf("address_line_1") + 1);
      expect(names.filter((name) => name === "state").length).toBeLessThanOrEqual(1);
    }
  });

  test("require at least those that the API requires", () => {
    for (const country of [...CODES, "Atlantis"]) {
      const required = addressFormatOf(country).filter((field) => field.required);
      const address = Object.fromEntries(required.map(({ name }) => [name, "x"]));
      expect([country, missingIn({ ...address, country })]).toEqual([country, []]);
    }
  });

  test("include the state that the postal authority requires", () => {
    const required = CODES.filter((code) => fieldOf(code, "state")?.required);
    expect(required.join(" ")).toBe(
      "AE AS AU BR CA CN CO CR ES FM HK HN ID IN IQ IT JM JP KN KR MH MP PF PG PW RU SO SV TW UA UM US VE VI",
    );
  });

  test.each([
    ["US", "address_line_1* address_line_2 suburb*:city state* postcode_zipcode*:zip"],
    ["AU", "address_line_1* address_line_2 suburb* state* postcode_zipcode*:postcode"],
    ["DE", "address_line_1* address_line_2 postcode_zipcode*:postcode suburb*:city"],
    ["FR", "address_line_1* address_line_2 postcode_zipcode*:postcode suburb*:city"],
    ["GB", "address_line_1* address_line_2 suburb*:city postcode_zipcode*:postcode"],
    ["IE", "address_line_1* address_line_2 suburb*:city state:county postcode_zipcode:eircode"],
    ["IN", "address_line_1* address_line_2 suburb*:city postcode_zipcode*:pin state*"],
    [
      "JP",
      "postcode_zipcode*:postcode state*:prefecture suburb*:city address_line_1* address_line_2",
    ],
    [
      "CN",
      "postcode_zipcode*:postcode state*:province suburb*:city address_line_1* address_line_2",
    ],
    ["HU", "suburb*:city address_line_1* address_line_2 postcode_zipcode*:postcode"],
    ["AE", "address_line_1* address_line_2 suburb:city state*:emirate"],
    ["HK", "address_line_1* address_line_2 suburb:district state*:region"],
    [
      "CO",
      "address_line_1* address_line_2 suburb*:city state*:department postcode_zipcode:postcode",
    ],
    ["GH", "address_line_1* address_line_2 suburb*:city"],
    ["XX", "address_line_1* address_line_2 suburb*:city state:region postcode_zipcode:postcode"],
  ])("in %s are in the country's order, with its labels (*: required)", (country, expected) => {
    const actual = addressFormatOf(country).map(({ name, label, required }) =>
      [name, required && "*", name !== label && `:${label}`].filter(Boolean).join(""),
    );
    expect(actual.join(" ")).toBe(expected);
  });

  test("are the same for the code and the English name of a country", () => {
    expect(addressFormatOf("Japan")).toEqual(addressFormatOf("JP"));
    expect(addressFormatOf("jp")).toEqual(addressFormatOf("JP"));
  });

  test.each([
    ["SG", "Singapore"],
    ["GI", "Gibraltar"],
    ["MO", "Macao"],
    ["MC", "Monaco"],
    ["VA", "Vatican City"],
    ["DE", ""],
    ["", ""],
  ])("start with the city of a country that is one city: %s with %j", (country, initial) => {
    expect(fieldOf(country, "suburb")?.initial).toBe(initial);
  });

  test("have at most 16 kinds of labels", () => {
    const labels = CODES.flatMap((code) => addressFormatOf(code).map(({ label }) => label));
    expect([...new Set(labels)].sort()).toEqual([
      ...["address_line_1", "address_line_2", "city", "county", "department", "district"],
      ...["eircode", "emirate", "pin", "postcode", "prefecture", "province", "region", "state"],
      ...["suburb", "zip"],
    ]);
  });
});

describe("an address as lines", () => {
  const of = (country: string, postcode: string, suburb: string, state: string, line: string) =>
    displayLines({ address_line_1: line, suburb, state, postcode_zipcode: postcode, country });

  test.each([
    [of("DE", "10115", "Berlin", "", "Chausseestr. 1"), ["Chausseestr. 1", "10115 Berlin"]],
    [of("Germany", "10115", "Berlin", "", "Weg 1"), ["Weg 1", "10115 Berlin"]],
    [of("US", "78701", "Austin", "TX", "1 Main St"), ["1 Main St", "Austin, TX 78701"]],
    [of("PR", "00901", "San Juan", "", "1 Calle Sol"), ["1 Calle Sol", "San Juan PR 00901"]],
    [of("AU", "2000", "Sydney", "NSW", "1 Pitt St"), ["1 Pitt St", "Sydney NSW 2000"]],
    [
      of("JP", "150-0001", "渋谷区", "東京都", "神宮前1-2"),
      ["150-0001", "東京都渋谷区", "神宮前1-2"],
    ],
    [of("JP", "150-0001", "Shibuya", "Tokyo", "1-2"), ["150-0001", "Tokyo Shibuya", "1-2"]],
    [of("BR", "01310-100", "São Paulo", "SP", "Rua 1"), ["Rua 1", "São Paulo-SP", "01310-100"]],
    [of("BR", "01310-100", "São Paulo", "", "Rua 1"), ["Rua 1", "São Paulo", "01310-100"]],
    [of("US", "78701", "", "TX", "1 Main St"), ["1 Main St", "TX 78701"]],
    [of("TR", "06420", "Çankaya", "Ankara", "Sokak 1"), ["Sokak 1", "06420 Çankaya/Ankara"]],
    [of("SG", "018956", "Singapore", "", "10 Bay"), ["10 Bay", "Singapore 018956"]],
    [of("Atlantis", "1", "Poseidonis", "West", "2 Sea"), ["2 Sea", "Poseidonis West 1"]],
    [of("DE", "10115", "Berlin", "Berlin", "Weg 1"), ["Weg 1", "10115 Berlin"]],
    [of("ES", "28001", "Madrid", "Madrid", "Calle 1"), ["Calle 1", "28001 Madrid"]],
    [of("HK", "999077", "Central", "", "1 Road"), ["1 Road", "Central", "999077"]],
  ])("%j", (actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test("has both address lines, and no empty ones", () => {
    expect(displayLines({ address_line_1: "1", address_line_2: "2", country: "DE" })).toEqual([
      "1",
      "2",
    ]);
    expect(displayLines({ address_line_1: " ", suburb: " " })).toEqual([]);
    expect(displayLines({})).toEqual([]);
  });

  test("contains every value exactly once", () => {
    const value = (text: string) => fc.constantFrom(text, undefined);
    const addresses = fc.record<Address>({
      address_line_1: value("1"),
      address_line_2: value("2"),
      suburb: value("3"),
      state: value("4"),
      postcode_zipcode: value("5"),
      country: fc.constantFrom(...CODES, ...OTHER_TEXT, undefined),
    });
    fc.assert(
      fc.property(addresses, ({ country, ...address }) => {
        const shown = displayLines({ ...address, country })
          .join("")
          .replaceAll(/\D/g, "");
        const given = Object.values(address).filter((each) => each !== undefined);
        expect(Array.from(shown).sort()).toEqual(given.sort());
      }),
      { numRuns: runs(500) },
    );
  });
});
