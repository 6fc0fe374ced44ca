// A person's full name, in the order of the page's language.
import type { Locale } from "./language.ts";

interface PersonName {
  firstName: string;
  lastName: string;
}

/** The characters between the family name, which comes first, and the other one. */
const SEPARATORS: Partial<Record<Locale["language"], string>> = { ja: " ", zh: "", "zh-Hant": "" };

/** Japanese and Chinese names have the family name first, but not names in other scripts, such as Ada Okafor. */
export function fullName({ firstName, lastName }: PersonName, { language }: Locale): string {
  const separator = SEPARATORS[language];
  return separator !== undefined && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(lastName)
    ? lastName + separator + firstName
    : `${firstName} ${lastName}`;
}
