// The rules for postcodes and states in each country (DECISIONS.md: Postcodes and states are checked by country). They
// are static files and not part of the Worker's bundle.
import { countryOf } from "../../core/values/country.ts";
import type { AddressFormats } from "./address-format.ts";
import { loadAsset } from "./texts.ts";

export interface State {
  /** What addresses in the country contain: `NSW`, `東京都`. */
  value: string;
  /** Its name in Latin letters, if it differs. */
  name?: string;
  /** Its name in the country's script, if it differs. */
  native?: string;
  /** Other codes and names. */
  also?: string[];
}

export interface CountryRules {
  /** The pattern of a postcode. */
  postcode?: string;
  /** What is also written before a postcode: the country's code and sign, separated by spaces. */
  prefixes?: string;
  /** The letters with which all postcodes of an island begin, and which may be left out. */
  island?: string;
  /** Postcodes of each form, the most usual one first. */
  examples?: string[];
  states?: State[];
  /** The language of the states' names that are not in Latin letters. */
  language?: string;
}

export interface AddressRules {
  formats: AddressFormats;
  /** By country code. Countries without rules have no entry. */
  countries: Partial<Record<string, CountryRules>>;
}

/** The rules that this isolate has loaded. They change only with a deployment. */
let loaded: AddressRules | undefined;

/** Throws if a file cannot be read. */
export async function loadAddressRules(assets: Fetcher): Promise<AddressRules> {
  if (loaded) return loaded;
  const [formats, countries] = await Promise.all([
    loadAsset<AddressFormats>(assets, "address-formats"),
    loadAsset<AddressRules["countries"]>(assets, "addresses"),
  ]);
  return (loaded = { formats, countries });
}

/** The rules of a country, which is given by its code or its English name. */
export const rulesOf = (rules: AddressRules, country: string | undefined): CountryRules =>
  rules.countries[countryOf(country ?? "") ?? ""] ?? {};

/**
 * The postcode as it is written in the country, or null if the country has no such postcode. Case, spaces, hyphens and
 * the script of digits do not matter. A prefix of the country, such as `SE-`, is left out unless it is part of the postcode. No
 * letter or digit is added, except the island's letters.
 */
export function postcodeIn(
  { postcode: pattern, prefixes = "", island = "", examples = [] }: CountryRules,
  text: string,
): string | null {
  if (pattern === undefined) return text;
  const whole = new RegExp(`^(?:${pattern})$`);
  const typed = asciiDigits(text.trim()).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  const body = typed.replaceAll(/[^\p{Lu}\p{Ll}\p{Lo}\p{N}]/gu, "");
  if (/^[A-Z]*0+$/.test(body)) return null;
  const prefix = prefixes.split(" ").filter((each) => body.startsWith(each));
  const bodies = [body, ...prefix.map((each) => body.slice(each.length)), island + body];
  const forms = bodies.flatMap((each) => [
    ...examples.map((example) => inForm(each, example)),
    each,
  ]);
  return [...forms, typed].find((form) => whole.test(form)) ?? null;
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

/** The state with this code or name. Undefined if the country has no list of states, or no such state in it. */
export function stateIn({ states = [] }: CountryRules, text: string): State | undefined {
  const typed = folded(text);
  return states.find(({ value, name = value, also = [] }) =>
    [value, name, ...also].some((each) => folded(each) === typed),
  );
}

/** Without case, accents, spaces and punctuation. */
const folded = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]/gu, "");
