// The fields of an address in each country: their order, their labels, and which ones the form requires.
import { countryOf } from "../values/country.ts";
import type { Address } from "./address.ts";
import type { AddressRules } from "./rules.ts";

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
  /** Whether the form requires the field. The API does not require the state: `checkAddress` in check.ts. */
  required: boolean;
  /** The value to start with. Empty, except for the city of a country that is one city. */
  initial: string;
}

const FORMAT_OF_OTHER_TEXT = "A|C S Z";

/** The key of the list that contains the code. Codes have two letters, so a match is always a whole code. */
function keyOf<Key extends string>(
  lists: Record<Key, string>,
  code: string | undefined,
): Key | undefined {
  if (code === undefined) return undefined;
  return (Object.keys(lists) as Key[]).find((key) => lists[key].includes(code));
}

function formatOf({ formats, countries }: AddressRules, code: string | undefined): string {
  if (code === undefined) return FORMAT_OF_OTHER_TEXT;
  return keyOf(formats.formats, code) ?? (countries[code]?.postcode ? "A|Z C" : "A|C");
}

/** Whether the form requires a phone number. `country` is a code or a name. */
export const phoneIsRequired = ({ formats }: AddressRules, country: string): boolean =>
  formats.phoneIsRequired.split(" ").includes(countryOf(country) ?? "");

/** The letters that the format does not contain. All formats contain A and C. */
const lettersOutside = (format: string) => ["S", "Z"].filter((letter) => !format.includes(letter));

const field = (
  name: FormattedField["name"],
  label: FieldLabel,
  { required = true, initial = "" } = {},
): FormattedField => ({ name, label, required, initial });

/**
 * The fields of the form after the country, in order. `country` is a code or a name. For other text, every field is
 * shown. A state or postcode of `address` that the country's format does not contain has a field too, because it is part
 * of the address, and the recipient must be able to remove it.
 */
export function addressFormatOf(
  rules: AddressRules,
  country: string,
  address: Partial<Record<FormattedField["name"], string | undefined>> = {},
): FormattedField[] {
  const { formats } = rules;
  const code = countryOf(country);
  const letters = rules.countries[code ?? ""]?.required ?? "AC";
  const format = formatOf(rules, code);
  // A form without a state asks for an island or district as the city.
  const hasCity =
    formats.cityIsRequired.includes(code ?? "-") ||
    (letters.includes("S") && !format.includes("S"));
  const required = letters + (hasCity ? "C" : "");
  const isRequired = (letter: string) => ({ required: required.includes(letter) });
  const fields: Record<string, FormattedField[]> = {
    A: [
      field("address_line_1", "address_line_1"),
      field("address_line_2", "address_line_2", { required: false }),
    ],
    C: [
      field("suburb", keyOf(formats.suburbLabels, code) ?? "city", {
        ...isRequired("C"),
        initial: keyOf(formats.cities, code) ?? "",
      }),
    ],
    S: [field("state", keyOf(formats.stateLabels, code) ?? "region", isRequired("S"))],
    Z: [
      field("postcode_zipcode", keyOf(formats.postcodeLabels, code) ?? "postcode", isRequired("Z")),
    ],
  };
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
export function displayLines(rules: AddressRules, address: Address): string[] {
  const { address_line_1, address_line_2, suburb: C, postcode_zipcode: Z } = address;
  const format = formatOf(rules, countryOf(address.country ?? ""));
  // A city that is also a state, or that was entered with its state, is not repeated: Madrid, 上海市.
  const isCity = address.state?.trim().toLowerCase() === C?.trim().toLowerCase();
  const isInCity = /S ?C/.test(format) && C && address.state && C.startsWith(address.state);
  const S = isCity || isInCity ? "" : address.state;
  return [...format.split("|"), ...lettersOutside(format)]
    .flatMap((line) => (line === "A" ? [address_line_1, address_line_2] : fill(line, { C, S, Z })))
    .flatMap((line) => line?.trim() || []);
}

/** Replaces the letters by their values. A separator is used between two values only. */
function fill(line: string, values: Record<string, string | undefined>): string {
  let filled = "";
  for (const [, separator = "", letter = ""] of line.matchAll(/([^CSZ]*)([CSZ]|$)/g)) {
    const value = values[letter]?.trim() ?? "";
    if (filled && value) filled += separator || (IS_LATIN.test(value) ? " " : "");
    filled += value;
  }
  return filled;
}

/** Chinese and Japanese have no spaces between the parts of an address. */
const IS_LATIN = /^[\p{Script=Latin}\d]/u;
