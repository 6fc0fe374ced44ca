// The rules for postcodes and states in each country. They are static files and not part of the Worker's bundle.
import type formats from "../../../public/address-formats.json";
import { countryOf } from "../values/country.ts";

export interface State {
  /** What addresses in the country contain: `NSW`, `東京都`. */
  value: string;
  /** Its name in Latin letters, if it differs. */
  name?: string;
  /** Its name in the country's script, if it differs. */
  native?: string;
  /** Other codes and names. */
  also?: string[];
  /** The pattern of the beginning of its postcodes. */
  postcodes?: string;
  /** A region of several states, which addresses need not contain. The form does not offer it. */
  isRegion?: boolean;
}

export interface CountryRules {
  /** What the postal authority requires, as letters of `AddressFormats`. If it is not set, AC. */
  required?: string;
  /** The pattern of a postcode. */
  postcode?: string;
  /** What is also written before a postcode: the country's code and sign, separated by spaces. */
  prefixes?: string;
  /** The letters with which all postcodes of an island begin, and which may be left out. */
  island?: string;
  /** Postcodes of each form, the most usual one first. */
  examples?: string[];
  /** A phone number of the country, as it is dialled from abroad. */
  phone?: string;
  states?: State[];
  /** The language of the states' names that are not in Latin letters. */
  language?: string;
}

/**
 * The tables of public/address-formats.json. A list contains country codes, separated by spaces. In `formats`, A is the
 * address lines, C `suburb`, S `state`, Z `postcode_zipcode`, and | a new line. Other characters separate two values.
 * Countries that are not listed have the format `A|Z C`, or `A|C` without postcodes. `phoneIsRequired`: carriers call
 * before each delivery. `cityIsRequired`: countries whose form has a city that the postal authority counts as a part of
 * the street. `cities`: countries that are one city, with the city's name.
 */
export type AddressFormats = typeof formats;

export interface AddressRules {
  formats: AddressFormats;
  /** By country code. Countries without rules have no entry. */
  countries: Partial<Record<string, CountryRules>>;
}

/** The rules of a country, which is given by its code or name. */
export const rulesOf = (rules: AddressRules, country: string | undefined): CountryRules =>
  rules.countries[countryOf(country ?? "") ?? ""] ?? {};

/**
 * The postcode as it is written in the country, or null if the country has no such postcode. Case, spaces, hyphens and
 * the script of digits do not matter. The country's name or sign, such as `SE-`, and the code of a state are left out
 * unless they are part of the postcode. No letter or digit is added, except the island's letters.
 */
export function postcodeIn(
  { postcode: pattern, prefixes = "", island = "", examples = [], states = [] }: CountryRules,
  text: string,
): string | null {
  if (pattern === undefined) return text;
  const whole = new RegExp(`^(?:${pattern})$`);
  const typed = asciiDigits(text.trim()).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  const body = typed.replaceAll(/[^\p{Lu}\p{Ll}\p{Lo}\p{N}]/gu, "");
  if (/^[A-Z]*0+$/.test(body)) return null;
  const formOf = (bodies: readonly string[]) =>
    bodies
      .flatMap((each) => [...examples.map((example) => inForm(each, example)), each])
      .find((form) => whole.test(form));
  const signs = prefixes.split(" ");
  const withoutSign = signs
    .filter((sign) => body.startsWith(sign))
    .map((sign) => body.slice(sign.length));
  const form = formOf([body, ...withoutSign]);
  if (form !== undefined) return form;
  // The first look at the names of countries is slow, and few postcodes need it.
  const [letters = ""] = /^[A-Z]*/.exec(body) ?? [];
  const isName = countryOf(letters) === signs[0] || stateIn({ states }, letters) !== undefined;
  const withoutName = isName ? [body.slice(letters.length)] : [];
  return formOf([...withoutName, island + body]) ?? (whole.test(typed) ? typed : null);
}

/** The letters and digits with the separator of the example. */
function inForm(body: string, example: string): string {
  const [, separator = "", tail = ""] = /([ -])(\w+)$/.exec(example) ?? [];
  return separator && `${body.slice(0, -tail.length)}${separator}${body.slice(-tail.length)}`;
}

/** Full-width characters, and the digits of other scripts, as ASCII. */
const asciiDigits = (text: string) =>
  text.normalize("NFKC").replaceAll(/(?=\p{Nd})[٠-꯹]/gu, (digit) => {
    const last = digit.charCodeAt(0) % 16;
    // The digits of the scripts of India start at 6.
    return String(/[ऀ-\u0dff]/.test(digit) ? last - 6 : last);
  });

/**
 * Whether the postcode is probably not in the state: it has the code of another one before it, or begins with other
 * digits than the state's. Some places near a border have postcodes of the neighbouring state.
 */
export function isDoubtful(country: CountryRules, state: string, postcode: string): boolean {
  const known = stateIn(country, state);
  const [letters = ""] = /^[a-z]+/i.exec(postcode.trim()) ?? [];
  const written = stateIn(country, letters);
  const digits = postcodeIn(country, postcode);
  if (!known || digits === null) return false;
  // Codes of regions are not written before postcodes.
  const isOther =
    written !== undefined && written !== known && !written.isRegion && !known.isRegion;
  return isOther || !new RegExp(`^(?:${known.postcodes ?? ""})`).test(digits);
}

/**
 * The state with this code or name, or the only one whose code or name is a part of the text: `US-CA`, `State of Texas`.
 * Undefined if the country has no list of states, or no such state in it.
 */
export function stateIn({ states = [] }: CountryRules, text: string): State | undefined {
  const named = indexes.get(states) ?? indexOf(states);
  indexes.set(states, named);
  const whole = named.get(folded(text));
  if (whole) return whole;
  const words = (text.match(/[\p{L}\p{M}\p{N}.'’&]+/gu) ?? []).slice(0, 8);
  const parts = words.flatMap((_, from) =>
    words.map((_, to) => words.slice(from, to + 1).join(" ")),
  );
  // Short words are codes if they are in capitals: DE, but not the "de" of a name.
  const isName = (part: string) => part.length > 3 || part === part.toUpperCase();
  const found = new Set(parts.filter(isName).flatMap((part) => named.get(folded(part)) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}

/** States by their folded names. */
const indexes = new WeakMap<State[], Map<string, State>>();

const indexOf = (states: State[]) =>
  new Map(
    states
      .flatMap((state) => namesOf(state).map((name) => [folded(name), state] as const))
      .reverse(),
  );

const namesOf = ({ value, name = value, native = value, also = [] }: State) => [
  ...[value, name, native],
  ...also,
];

/** The name of a state that begins with the text or resembles it most, in the same script if there is one. */
export function nearestState({ states = [] }: CountryRules, text: string): string {
  const pairsIn = (name: string) =>
    Array.from(folded(name), (each, at) => each + (folded(name)[at + 1] ?? ""));
  const typed = pairsIn(text);
  const likenessOf = (name: string) => {
    const pairs = pairsIn(name);
    const common = typed.filter((pair) => pairs.includes(pair)).length;
    const isInScript = IS_LATIN.test(name) === IS_LATIN.test(text);
    const isShortened = folded(name).startsWith(folded(text));
    return (
      Number(isInScript) + Number(isShortened) + (common * common) / (typed.length + pairs.length)
    );
  };
  const names = states.flatMap(namesOf).map((name) => ({ name, likeness: likenessOf(name) }));
  return names.sort((a, b) => b.likeness - a.likeness)[0]?.name ?? "";
}

const IS_LATIN = /\p{Script=Latin}/u;

/** Without case, accents, spaces and punctuation. */
const folded = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]/gu, "");
