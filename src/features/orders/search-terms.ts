// The terms by which gifts are found. Triggers write them to the table search_terms.
import { asciiEmail, inAscii, normalEmail } from "../../core/values/email-address.ts";
import { fold } from "../../core/values/fold.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import type { SearchTerms } from "../../platform/db/schema.ts";
import { searchWordsOf } from "../catalogue/terms.ts";

/** A longer term is stored, and searched for, as its beginning. */
export const MAX_TERM_LENGTH = 100;

/** The maximum number of terms of a value. */
const MAX_TERMS = 10;

const cut = (term: string) =>
  term.length > MAX_TERM_LENGTH ? Array.from(term).slice(0, MAX_TERM_LENGTH).join("") : term;

const foldSpaces = (text: string) => fold(text).replaceAll(/\s+/gu, " ");

/** The whole text as one term. */
export const wholeTerm = (text: string): string => cut(foldSpaces(text));

/** A text of letters and digits without what separates them, because people write `PO 7/2` also as `po-7-2`. */
export const codeTerm = (text: string): string =>
  cut(fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "")) || wholeTerm(text);

/**
 * The words of a name, in which `ä` and `ae`, and `å` and `aa`, are alike. What is removed depends on the letter before it,
 * so that the beginning of a word has the beginning of its term.
 */
const nameWords = (text: string): string[] =>
  [...searchWordsOf(text)].map((word) => word.replaceAll(/(?<=[aou])e|(?<=a)a/g, ""));

/**
 * Longer words, and each word with those after it: `Van der Berg` → `vanderberg`, `derberg`, `berg`; `Anne-Marie` → `anne`,
 * `annemarie`, `marie`
 */
function nameTerms(text: string): string[] {
  const terms = nameWords(text).flatMap((word, start, words) => [
    ...(word.length > 3 ? [word] : []),
    words.slice(start).join(""),
  ]);
  return [...new Set(terms)].slice(0, MAX_TERMS).map(cut);
}

/** The digits, without a trunk prefix in brackets, and a plus sign before them. */
const phoneDigits = (text: string) =>
  fold(text)
    .replaceAll(/\(0\)|[^\d+]/g, "")
    .replaceAll(/(?<=.)\+/g, "");

/** The codes of countries: those that are not listed have three digits. */
const CODE = "(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})";
const INTERNATIONAL = new RegExp(`^(?:[+]0*|00(?:11)?)${CODE}|^[+]`);

/** The national number: `+61 (0)412 555 010`, `0061 412 555 010` and `0412 555 010` → `412555010` */
const phoneTerm = (text: string): string =>
  cut(phoneDigits(text).replace(INTERNATIONAL, "").replace(/^0+/, ""));

/** The terms of a number. It or the stored one may have a country's code without + or 00, or the trunk prefix 8. */
function phoneTermsOf(text: string): string[] {
  const national = phoneTerm(text);
  const digits = cut(phoneDigits(text).replace(/^[+0]+/, ""));
  const bare = new RegExp(`^(?:8(?=[0-9]{10}$)|${CODE}(?=[0-9]{7}))`);
  const prefixed = national.length === 10 ? [`1${national}`, `8${national}`] : [];
  return [national, digits, cut(phoneDigits(text)).replace(bare, ""), ...prefixed];
}

/** The address and its domain: `ada.park@example.com`, `example.com` */
function addressTerms(address: string): string[] {
  const whole = foldSpaces(inAscii(address));
  return [whole, whole.slice(whole.lastIndexOf("@") + 1)].map(cut);
}

const TERMS_OF: Readonly<Record<string, (value: string) => string[]>> = {
  first_name: nameTerms,
  last_name: nameTerms,
  email: addressTerms,
  delivery_email: addressTerms,
  phone_number: (value) => [phoneTerm(value)],
  external_id: (value) => [codeTerm(value)],
  tracking_number: (value) =>
    [...new Set([value, ...trackingNumbersOf(value)].map(codeTerm))].slice(0, MAX_TERMS),
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

/** How many words of a search are tried as parts of one word. Each way to join them reads two ranges. */
const MAX_JOINED = 5;

/** The words, and all ways to write adjacent ones as one: `van`, `der`, `berg` → `van`, `derberg` and others. */
const joinedWords = (words: readonly string[]): string[][] =>
  words.slice(0, MAX_JOINED).flatMap((_, start, some) =>
    some.slice(start).map((__, n) => {
      const one = words.slice(start, start + n + 1).join("");
      return words.toSpliced(start, n + 1, one).slice(0, MAX_TERMS);
    }),
  );

/**
 * The ways to read a search text, each as terms that must all match: the whole text as one term, its parts between spaces,
 * of which one may be a domain with its `@`, its words, or a phone number.
 */
export function interpretationsOf(text: string): string[][] {
  const whole = wholeTerm(asciiEmail(normalEmail(text)) ?? text);
  const phones = /^(?:tel:)?[+\d\s()./-]+$/.test(fold(text)) ? phoneTermsOf(text) : [];
  const spaced = whole.split(" ").map((term) => term.replace(/^@/, ""));
  const names = spaced.map((part) => (/[\d@]/.test(part) ? part : nameWords(part).join("")));
  const words = nameWords(text).map(cut);
  const interpretations = [
    [whole],
    [codeTerm(text)],
    spaced.slice(0, MAX_TERMS),
    names.slice(0, MAX_TERMS),
    // Digits in a longer text are not the beginning of a phone number.
    ...(words.some((word) => /^\d+$/.test(word)) ? [] : joinedWords(words)),
    ...phones.map((phone) => [phone]),
  ];
  const distinct = new Map(interpretations.map((terms) => [JSON.stringify(terms), terms]));
  return [...distinct.values()].filter((terms) => terms.length > 0 && !terms.includes(""));
}
