// The fields of an address in each country: their order, their labels, and which ones the form requires
// (DECISIONS.md: Address fields follow the country).
import type { Address } from "../../platform/db/schema.ts";
import { countryOf, hasNoPostcodes } from "../../core/values/country.ts";

/** The key of a label in the translated texts. */
export type FieldLabel =
  "address_line_1" | "address_line_2" | SuburbLabel | StateLabel | PostcodeLabel;
type SuburbLabel = "city" | "suburb" | "district";
type StateLabel =
  "region" | "state" | "province" | "prefecture" | "county" | "department" | "emirate";
type PostcodeLabel = "postcode" | "zip" | "pin" | "eircode";

export interface FormattedField {
  name: Exclude<keyof Address, "country">;
  label: FieldLabel;
  /** Whether the form requires the field. The API requires fewer fields: `missingFields` in src/features/orders/address.ts. */
  required: boolean;
  /** The value to start with. Empty, except for the city of a country that is one city. */
  initial: string;
}

/** Lists of country codes, separated by spaces. */
type Lists<Key extends string> = Partial<Record<Key, string>>;

/**
 * A: the address lines, C: `suburb`, S: `state`, Z: `postcode_zipcode`, |: a new line. Other characters separate two
 * values. Countries that are not listed have the format `A|Z C`, or `A|C` without postcodes.
 */
const FORMATS: Lists<string> = {
  "A|C Z": "BH BM BN BT GU IL JO KH KY LB LC LS MS MT MV NP NZ PS SA SG TT VC WS",
  "A|C|Z": "AF AI FK GB GG GI GS IM IO JE KE LK NA PN SD SH SZ TC VG ZA",
  "A|C S Z": "AS AU CA CC CX FM HM MH MP NF PW UM VI",
  "A|C|S": "AE HK JM PA SC SR TV",
  "A|Z C S": "EE ES IT LT MZ PF UY",
  "A|Z C|S": "AR CL CV MY UZ",
  "A|C|S|Z": "EG IE RU UA",
  "A|C|S Z": "ID MN TH VN",
  "A|Z|C": "AL EC MU OM",
  "A|C Z|S": "IN NG PE",
  "A|C, S Z": "BB SO US",
  "Z|SC|A": "CN JP TW",
  "A|C, S": "BS KN",
  "A|C, S|Z": "HN IQ",
  "A|C - Z": "BD",
  "A|C PR Z": "PR",
  "A|C S|Z": "CU",
  "A|C Z S": "PG",
  "A|C Z, S": "VE",
  "A|C, S, Z": "CO",
  "A|C, Z": "MM",
  "A|C-S|Z": "BR",
  "A|C-Z": "PK",
  "A|C|Z S": "PH",
  "A|S, C|Z": "CR",
  "A|S|C": "KI",
  "A|S|C, Z": "LV",
  "A|Z C, S": "MX",
  "A|Z C/S": "TR",
  "A|Z S C": "RO",
  "A|Z, C|S": "BY",
  "A|Z- C": "GT",
  "A|Z-C|S": "SV",
  "A|Z|C, S": "NI",
  "A|Z|C|S": "AM",
  "C|A|Z": "HU",
  "S C|A|Z": "KR",
  "S|C|A": "KP",
  "S|C|A|Z": "IR",
  "Z|S|C|A": "KZ",
};

const FORMAT_OF_OTHER_TEXT = "A|C S Z";

const STATE_LABELS: Lists<StateLabel> = {
  state: "AS AU BR CC CX FM HM IN MH MP MX MY NF NG PW UM US VE VI",
  province: "AR CA CN CR CU ES ID IQ IR IT KP KR MN MZ PA PG PH TH TR VN",
  prefecture: "JP",
  county: "EE IE LT RO TW",
  department: "CO HN NI SV UY",
  emirate: "AE",
};

const STATE_IS_REQUIRED =
  "AU BR CA CN CO CR ES FM HN ID IN IQ IT JM JP KN KR MX PF PG RU SO SV TW US VE";

/** Carriers there call before each delivery, because addresses do not lead to the door, or need the number to accept a parcel. */
const PHONE_IS_REQUIRED = "AE BH CN IN KW OM QA SA";

const SUBURB_LABELS: Lists<SuburbLabel> = {
  suburb: "AU CC CX HM NF",
  district: "HK NR PE SD SY TR TW",
};

const POSTCODE_LABELS: Lists<PostcodeLabel> = {
  zip: "AS FM GU MH MP PH PR PW UM US VI",
  pin: "IN",
  eircode: "IE",
};

/** Countries that are one city, with the city's name. */
const CITIES: Lists<string> = {
  Gibraltar: "GI",
  Macao: "MO",
  Monaco: "MC",
  Singapore: "SG",
  "Vatican City": "VA",
};

/** The key of the list that contains the code. Codes have two letters, so a match is always a whole code. */
function keyOf<Key extends string>(lists: Lists<Key>, code: string | undefined): Key | undefined {
  if (code === undefined) return undefined;
  return (Object.keys(lists) as Key[]).find((key) => lists[key]?.includes(code));
}

function formatOf(code: string | undefined): string {
  if (code === undefined) return FORMAT_OF_OTHER_TEXT;
  return keyOf(FORMATS, code) ?? (hasNoPostcodes(code) ? "A|C" : "A|Z C");
}

/** Whether the form requires a phone number. `country` is a code or an English name. */
export const phoneIsRequired = (country: string): boolean =>
  PHONE_IS_REQUIRED.split(" ").includes(countryOf(country) ?? "");

/** The letters that the format does not contain. All formats contain A and C. */
const lettersOutside = (format: string) => ["S", "Z"].filter((letter) => !format.includes(letter));

const field = (
  name: FormattedField["name"],
  label: FieldLabel,
  { required = true, initial = "" } = {},
): FormattedField => ({ name, label, required, initial });

/**
 * The fields of the form after the country, in order. `country` is a code or an English name. For other text, every
 * field is shown. A state or postcode of `address` that the country's format does not contain has a field too, because
 * it is part of the address, and the recipient must be able to remove it.
 */
export function addressFormatOf(
  country: string,
  address: Partial<Record<FormattedField["name"], string | undefined>> = {},
): FormattedField[] {
  const code = countryOf(country);
  const stateIsRequired = code !== undefined && STATE_IS_REQUIRED.includes(code);
  const fields: Record<string, FormattedField[]> = {
    A: [
      field("address_line_1", "address_line_1"),
      field("address_line_2", "address_line_2", { required: false }),
    ],
    C: [
      field("suburb", keyOf(SUBURB_LABELS, code) ?? "city", { initial: keyOf(CITIES, code) ?? "" }),
    ],
    S: [field("state", keyOf(STATE_LABELS, code) ?? "region", { required: stateIsRequired })],
    Z: [field("postcode_zipcode", keyOf(POSTCODE_LABELS, code) ?? "postcode")],
  };
  const format = formatOf(code);
  const fieldsOf = (letters: Iterable<string>) =>
    Array.from(letters, (letter) => fields[letter] ?? []).flat();
  return [
    ...fieldsOf(format),
    ...fieldsOf(lettersOutside(format))
      .filter(({ name }) => address[name])
      .map((field) => ({ ...field, required: false })),
  ];
}

/**
 * The address as lines, in the order of its country and without the country. A state or postcode that is not part of
 * the country's format has a line of its own, so that the lines contain the whole address.
 */
export function displayLines(address: Address): string[] {
  const { address_line_1, address_line_2, suburb: C, postcode_zipcode: Z } = address;
  const format = formatOf(countryOf(address.country ?? ""));
  // A city that is also a state, or that was entered with its state, is not repeated: 上海市.
  const S =
    /S ?C/.test(format) && C && address.state && C.startsWith(address.state) ? "" : address.state;
  return [...format.split("|"), ...lettersOutside(format)]
    .flatMap((line) => (line === "A" ? [address_line_1, address_line_2] : fill(line, { C, S, Z })))
    .flatMap((line) => line?.trim() || []);
}

/** Replaces the letters by their values. A separator is used between two values only. */
function fill(line: string, values: Record<string, string | undefined>): string {
  let filled = "";
  for (const [, separator = "", letter = ""] of line.matchAll(/([^CSZ]*)([CSZ])/g)) {
    const value = values[letter]?.trim() ?? "";
    if (filled && value) filled += separator || (IS_LATIN.test(value) ? " " : "");
    filled += value;
  }
  return filled;
}

/** Chinese and Japanese have no spaces between the parts of an address. */
const IS_LATIN = /^[\p{Script=Latin}\d]/u;
