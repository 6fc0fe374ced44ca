// The terms of the index of a catalogue's version, such as `word:mug` or `vendor:Emberlight%20Row`. The index has the
// positions of the products with each term. Terms are ASCII, so that SQLite and JavaScript sort them alike.
import { fold } from "../../core/values/fold.ts";
import { normalName } from "../../core/values/name.ts";

/** A term, and the positions of its products in ascending order, each as the difference from the one before. */
export type Posting = [term: string, gaps: number[]];

/** All terms between the first and the last one. */
export type TermRange = [first: string, last: string];

type Kind =
  "category" | "changed" | "country" | "delivery" | "id" | "price" | "unit" | "vendor" | "word";

/** `path` is the value of the term, or its parts. */
export const term = (kind: Kind, ...path: string[]) =>
  [kind, ...path.map(encodeURIComponent)].join(":");

export const only = (one: string): TermRange => [one, one];

/** All terms that begin with `prefix:`. The semicolon follows the colon in ASCII. */
export const startingWith = (prefix: string): TermRange => [`${prefix}:`, `${prefix};`];

/** All terms of this kind whose value begins with `start`. The values are encoded, so no character follows the tilde. */
export const startingWithValue = (kind: Kind, start: string): TermRange => [
  term(kind, start),
  term(kind, start) + "~",
];

/** The term of a category or a vendor. Filters compare its folded name. */
export const nameTerm = (kind: "category" | "vendor", name: string) =>
  term(kind, fold(normalName(name)), name);

export const ofName = (kind: "category" | "vendor", name: string): TermRange =>
  startingWith(term(kind, fold(normalName(name))));

/** The last part of a term. */
export const valueOf = (one: string) => decodeURIComponent(one.slice(one.lastIndexOf(":") + 1));

/** Numbers in terms have leading zeros, so that their order as text is that of the numbers. */
const digits = (value: number, length: number) => String(value).padStart(length, "0");

/** `unit`: the price of one piece with its shipping. */
export const priceTerm = (kind: "price" | "unit", currency: string, minor: number) =>
  term(kind, currency, digits(minor, 12));

export const changedTerm = (changedAtMs: number) => term("changed", digits(changedAtMs, 15));

/** The term of the products that are available everywhere. */
export const EVERYWHERE = term("country", "*");

/** Its positions are the ids of all products, in their order. */
export const ALL_IDS = term("id", "all");

/** A letter of a script that puts no spaces between words. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]`;
const WORD = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, "gu");

/** The distinct words of a text, folded. In scripts without spaces, each letter is a word. */
export const searchWordsOf = (text: string): Set<string> => new Set(fold(text).match(WORD));

/** The ascending positions as they are stored. With the positions themselves, the index would be almost twice as large. */
export const gapsOf = (positions: readonly number[]): number[] =>
  positions.map((position, index) => position - (positions[index - 1] ?? 0));

/** The positions of all postings, which may repeat. */
export function* positionsOf(postings: Iterable<Posting>): Generator<number> {
  for (const [, gaps] of postings) {
    let position = 0;
    for (const gap of gaps) yield (position += gap);
  }
}
