// The terms by which gifts are found. Triggers write them to the table search_terms.
import { asciiEmail, inAscii, normalEmail } from "../../core/values/email-address.ts";
import { fold } from "../../core/values/fold.ts";
import type { SearchTerms } from "../../platform/db/schema.ts";
import { wordsOf } from "../catalogue/terms.ts";

/** A longer term is stored, and searched for, as its beginning. */
export const MAX_TERM_LENGTH = 100;

/** The maximum number of terms of a value. */
const MAX_TERMS = 10;

const cut = (term: string) => Array.from(term).slice(0, MAX_TERM_LENGTH).join("");

const foldSpaces = (text: string) => fold(text).replaceAll(/\s+/gu, " ");

/** The whole text as one term. */
export const wholeTerm = (text: string): string => cut(foldSpaces(text));

/** `Anne-Marie O'Neil` → `anne`, `marie`, `o`, `neil` */
const wordTerms = (text: string): string[] => [...wordsOf(text)].slice(0, MAX_TERMS).map(cut);

/** The digits, without those of a prefix such as `+`, `00`, `0` or `(0)`: `+61 (0)2 5550 0100` → `61255500100` */
const phoneTerm = (text: string): string =>
  cut(fold(text).replaceAll(/\(0\)|\D/g, "")).replace(/^0+/, "");

/** The address and its domain: `ada.park@example.com`, `example.com` */
function addressTerms(address: string): string[] {
  const whole = foldSpaces(inAscii(address));
  return [whole, whole.slice(whole.lastIndexOf("@") + 1)].map(cut);
}

const TERMS_OF: Readonly<Record<string, (value: string) => string[]>> = {
  first_name: wordTerms,
  last_name: wordTerms,
  email: addressTerms,
  delivery_email: addressTerms,
  phone_number: (value) => [phoneTerm(value)],
  external_id: (value) => [wholeTerm(value)],
  tracking_number: (value) => [wholeTerm(value)],
};

/** The terms of the given columns of a gift. Null for a column without a value. */
export function searchTermsOf(values: Readonly<Record<string, unknown>>): SearchTerms {
  const terms: SearchTerms = {};
  for (const [column, termsOf] of Object.entries(TERMS_OF)) {
    const value = values[column];
    if (value === null) terms[column] = null;
    if (typeof value === "string") terms[column] = termsOf(value).filter((term) => term !== "");
  }
  return terms;
}

/**
 * The ways to read a search text, each as terms that must all match: the whole text as one term, its parts between spaces,
 * of which one may be a domain with its `@`, its words, or a phone number.
 */
export function interpretationsOf(text: string): string[][] {
  const whole = wholeTerm(asciiEmail(normalEmail(text)) ?? text);
  const phone = /^\+?[\d\s()./-]+$/.test(text) ? [phoneTerm(text)] : [];
  const spaced = whole.split(" ").map((term) => term.replace(/^@/, ""));
  const interpretations = [[whole], spaced.slice(0, MAX_TERMS), wordTerms(text), phone];
  const distinct = new Map(interpretations.map((terms) => [JSON.stringify(terms), terms]));
  return [...distinct.values()].filter((terms) => terms.length > 0 && !terms.includes(""));
}
