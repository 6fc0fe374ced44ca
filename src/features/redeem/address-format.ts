// The fields of an address in each country: their order, their labels, and which ones the form requires
// (DECISIONS.md: Address fields follow the country).
import type formats from "../../../public/address-formats.json";
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

/**
 * The tables of public/address-formats.json. A list contains country codes, separated by spaces. In `formats`, A is the
 * address lines, C `suburb`, S `state`, Z `postcode_zipcode`, and | a new line. Other characters separate two values.
 * Countries that are not listed have the format `A|Z C`, or `A|C` without postcodes. `phoneIsRequired`: carriers call
 * before each delivery. `cities`: countries that are one city, with the city's name.
 */
export type AddressFormats = typeof formats;

const FORMAT_OF_OTHER_TEXT = "A|C S Z";

/** The key of the list that contains the code. Codes have two letters, so a match is always a whole code. */
function keyOf<Key extends string>(
  lists: Record<Key, string>,
  code: string | undefined,
): Key | undefined {
  if (code === undefined) return undefined;
  return (Object.keys(lists) as Key[]).find((key) => lists[key].includes(code));
}

function formatOf({ formats }: AddressFormats, code: string | undefined): string {
  if (code === undefined) return FORMAT_OF_OTHER_TEXT;
  return keyOf(formats, code) ?? (hasNoPostcodes(code) ? "A|C" : "A|Z C");
}

/** Whether the form requires a phone number. `country` is a code or an English name. */
export const phoneIsRequired = (formats: AddressFormats, country: string): boolean =>
  formats.phoneIsRequired.split(" ").includes(countryOf(country) ?? "");

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
  formats: AddressFormats,
  country: string,
  address: Partial<Record<FormattedField["name"], string | undefined>> = {},
): FormattedField[] {
  const code = countryOf(country);
  const stateIsRequired = code !== undefined && formats.stateIsRequired.includes(code);
  const fields: Record<string, FormattedField[]> = {
    A: [
      field("address_line_1", "address_line_1"),
      field("address_line_2", "address_line_2", { required: false }),
    ],
    C: [
      field("suburb", keyOf(formats.suburbLabels, code) ?? "city", {
        initial: keyOf(formats.cities, code) ?? "",
      }),
    ],
    S: [
      field("state", keyOf(formats.stateLabels, code) ?? "region", { required: stateIsRequired }),
    ],
    Z: [field("postcode_zipcode", keyOf(formats.postcodeLabels, code) ?? "postcode")],
  };
  const format = formatOf(formats, code);
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
export function displayLines(formats: AddressFormats, address: Address): string[] {
  const { address_line_1, address_line_2, suburb: C, postcode_zipcode: Z } = address;
  const format = formatOf(formats, countryOf(address.country ?? ""));
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
