// The formats of addresses, compared with the data of libaddressinput. Only this test uses the package.
import { formatAddress } from "localized-address-format";
import { expect, test } from "vitest";
import type { Address } from "../../../src/core/address/address.ts";
import { ADDRESS_RULES } from "../../../src/operator/address-rules.ts";
import {
  addressFormatOf as formatOf,
  displayLines as linesInCountry,
} from "../../../src/core/address/format.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

const CODES = COUNTRIES.split(" ");
const addressFormatOf = (country: string) => formatOf(ADDRESS_RULES, country);
const displayLines = (address: Address) => linesInCountry(ADDRESS_RULES, address);
const namesOf = (country: string) => addressFormatOf(country).map(({ name }) => name);

/** Values in Chinese characters, between which no spaces are inserted. */
const SYMBOLS = { address_line_1: "住", suburb: "市", state: "州", postcode_zipcode: "号" };

/** Prefixes and names of the country, which the page leaves out. */
const withoutCountry = (lines: string[]) =>
  lines
    .map((line) => line.replace(/^([A-Z]{1,3}-?|〒) ?(?=号)/, ""))
    .filter((line) => !["ÅLAND", "GUERNSEY", "JERSEY"].includes(line));

/** Where the package has no city, has the address inside another line, or has no format. */
const DIFFERENT: Record<string, string[]> = {
  AE: ["住", "市", "州"],
  CI: ["住", "市"],
  GI: ["住", "市", "号"],
  GN: ["住", "号 市"],
  HK: ["住", "市", "州"],
  JP: ["号", "州市", "住"],
  KY: ["住", "市 号"],
  LC: ["住", "市 号"],
  MO: ["住", "市"],
  MS: ["住", "市 号"],
  MZ: ["住", "号 市 州"],
  NR: ["住", "市"],
  PS: ["住", "市 号"],
  SG: ["住", "市 号"],
  TT: ["住", "市 号"],
  WS: ["住", "市 号"],
};

const linesOf = (code: string) => {
  const entries = Object.entries(SYMBOLS).filter(([name]) =>
    namesOf(code).includes(name as keyof typeof SYMBOLS),
  );
  return displayLines({ ...Object.fromEntries(entries), country: code });
};
const linesOfPackage = (code: string) =>
  withoutCountry(
    formatAddress({
      postalCountry: code,
      addressLines: [SYMBOLS.address_line_1],
      locality: SYMBOLS.suburb,
      administrativeArea: SYMBOLS.state,
      postalCode: namesOf(code).includes("postcode_zipcode") ? SYMBOLS.postcode_zipcode : "",
    }),
  );

test("the order of the lines is that of libaddressinput, with a list of differences", () => {
  const different = CODES.filter((code) => code in DIFFERENT);
  expect(different).toEqual(Object.keys(DIFFERENT).sort());
  for (const code of CODES) {
    const ofPackage = linesOfPackage(code);
    expect([code, linesOf(code)]).toEqual([code, DIFFERENT[code] ?? ofPackage]);
    if (DIFFERENT[code]) expect([code, ofPackage]).not.toEqual([code, DIFFERENT[code]]);
  }
});
