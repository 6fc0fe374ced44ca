// Languages by their tags of BCP 47, such as `pt-BR`, and by their names.
import { lazy } from "../lazy.ts";
import { foldedPlace, PAGE_LANGUAGES, spellingsOf } from "./country.ts";
import { withoutInvisible } from "./plain-text.ts";

export const MAX_LANGUAGE_LENGTH = 35;

/** The tag in its canonical form: `pt-br` and `pt_BR` become `pt-BR`. Undefined if it is not valid. */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/**
 * The canonical tag of a known language, which is given by a tag, a code of three letters, a locale such as `de_DE.UTF-8`,
 * or a name in a language of the recipient's page.
 */
export function languageOf(text: string): string | undefined {
  if (text.length > MAX_LANGUAGE_LENGTH) return undefined;
  const given = withoutInvisible(text);
  const tag = canonicalLanguage(given.split(/[.@]/)[0] ?? "");
  if (tag !== undefined && isKnown(tag)) return tag;
  const names = tagsByName();
  return spellingsOf(given).flatMap((name) => names.get(foldedPlace(name)) ?? [])[0];
}

export const LANGUAGE_RULE = `must be the BCP 47 tag of a language, such as ${PAGE_LANGUAGES.join(", ")}`;

const namesIn = (language: string) =>
  new Intl.DisplayNames(language, { type: "language", fallback: "none" });
const inEnglish = lazy(() => namesIn("en"));

/** The runtime has the names of all languages with a code of two letters, but not of all others. */
function isKnown(tag: string): boolean {
  const [language = ""] = tag.split("-");
  return language.length === 3 || (language.length === 2 && inEnglish().of(language) !== undefined);
}

const tagsByName = lazy(() => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const tags = [...PAGE_LANGUAGES, "zh-Hans", ...codes].reverse();
  const entries = PAGE_LANGUAGES.map(namesIn).flatMap((names) =>
    tags.map((tag): [string, string] => [foldedPlace(names.of(tag) ?? ""), tag]),
  );
  return new Map(entries.filter(([name]) => name !== ""));
});
