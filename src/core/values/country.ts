// Recognises countries by their codes and names. A text that names none is refused, because a parcel needs one.
import { lazy } from "../lazy.ts";
import { ALPHA_3, OTHER_NAMES } from "./country-names.ts";
import { COUNTRIES } from "./iso.ts";

/** The languages of the recipient's page, in which a country is recognised, besides its own. */
export const PAGE_LANGUAGES = "en de fr it pt-BR pt-PT es nl ja zh zh-Hant ar".split(" ");

/** Longer than every name. `foldedPlace` takes quadratic time, so longer texts are not looked up. */
const MAX_LENGTH = 100;

/**
 * The ISO 3166-1 alpha-2 code of the country that the text names by a code of two or three letters, or by a name in
 * English, in the country's own language or in a language of the recipient's page. Case, accents and punctuation do not
 * matter. `undefined` for any other text.
 */
export function countryOf(text: string): string | undefined {
  if (codes().has(text)) return text;
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  const keys = spellingsOf(text).map(foldedPlace);
  for (const names of [namesInEnglish, namesInOtherLanguages]) {
    const code = keys.map((key) => names().get(key)).find((each) => each !== undefined);
    if (code !== undefined) return code === AMBIGUOUS ? undefined : code;
  }
  const parts = text.split(/\s[-–—]\s|[,:/|]|(?<=^[A-Z]{2,3})-/);
  const [code, ...others] = parts.length === 1 ? [] : parts.map(countryOf);
  return others.every((each) => each === code) ? code : undefined;
}

/**
 * The names that the text may stand for, the most specific one first. A name in brackets takes precedence: "China (Hong
 * Kong)" is Hong Kong, and "Ireland (Northern)" is part of the United Kingdom.
 */
export function spellingsOf(text: string): string[] {
  if (!/[(),（）]| of /i.test(text)) return [text];
  const [, outer = "", inner = ""] = /^([^()（）]*)[(（]([^()（）]*)[)）]\s*$/.exec(text) ?? [];
  const [, name = "", kind = ""] = /^([^,]*),([^,]*)$/.exec(text) ?? [];
  const inverted = `${kind} ${name}`;
  const plain = [text, inverted].map((each) => each.split(OFFICIAL)[1] ?? "");
  return [`${inner} ${outer}`, inner, `${outer} ${inner}`, text, inverted, ...plain];
}

/** An official name, such as the Kingdom of Denmark. */
const OFFICIAL = /\b(?:republic|kingdom|states?|commonwealth|principality) of /i;

const codes = lazy(() => new Set(COUNTRIES.split(" ")));

/** What is recorded instead of a code for a name of two countries. */
const AMBIGUOUS = "";

const namesInEnglish = lazy(() => {
  const names = indexOf(() => ["en"]);
  const alpha3 = ALPHA_3.split(" ");
  const entries = [
    ...[...codes()].map((code, index) => [code, code, alpha3[index] ?? code]),
    ...OTHER_NAMES.split(";").map((entry) => entry.split("|")),
  ];
  for (const [code = "", ...others] of entries) {
    for (const name of others) names.set(foldedPlace(name), code);
  }
  return names;
});

const namesInOtherLanguages = lazy(() => indexOf(languagesOf));

/** The languages of the page and the country's own one. */
export const languagesOf = (code: string) => [
  ...PAGE_LANGUAGES,
  new Intl.Locale("und", { region: code }).maximize().baseName,
];

/** Countries by their names in Unicode's CLDR. */
function indexOf(languages: (code: string) => string[]): Map<string, string> {
  const index = new Map<string, string>();
  const names = displayNames();
  for (const code of codes()) {
    for (const name of languages(code).flatMap((language) => names(code, language))) {
      for (const key of spellingsOf(name).map(foldedPlace)) {
        if (key !== "") index.set(key, (index.get(key) ?? code) === code ? code : AMBIGUOUS);
      }
    }
  }
  return index;
}

/** The long and the short name of a country in a language. */
function displayNames() {
  const known = new Map<string, Intl.DisplayNames[]>();
  return (code: string, language: string): string[] => {
    const names =
      known.get(language) ??
      (["long", "short"] as const).map(
        (style) => new Intl.DisplayNames(language, { type: "region", style }),
      );
    known.set(language, names);
    return names.map((each) => each.of(code) ?? code);
  };
}

/** The same text for `U.S.A.` and `usa`, `Saint Lucia` and `St. Lucia`, `The Netherlands` and `Netherlands`. */
export function foldedPlace(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\([^()]*\)|\[[^[\]]*\]|[\p{M}.'’‘`ʻ]/gu, "")
    .replaceAll("&", " and ")
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim()
    .replace(/^the /, "")
    .replace(/^saint /, "st ")
    .replace(/(.) sar( china)?$/, "$1");
}
