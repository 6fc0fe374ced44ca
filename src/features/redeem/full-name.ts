// The names of recipients, as is usual in the page's language.
import type { Gift } from "./gift.ts";
import type { Locale } from "./language.ts";

type PersonName = Pick<Gift, "firstName" | "lastName">;

/** The characters between the names in languages in which the family name comes first. */
const SEPARATORS: Partial<Record<Locale["language"], string>> = { ja: " ", zh: "", "zh-Hant": "" };

/** The full name. Names in other scripts, such as Ada Okafor, have the family name last in all languages. */
export function fullName({ firstName, lastName }: PersonName, { language }: Locale): string {
  const separator = SEPARATORS[language];
  return separator !== undefined && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(lastName)
    ? lastName + separator + firstName
    : `${firstName} ${lastName}`;
}

/** The name in a greeting: the first name. The full name in Japanese and Chinese. */
export const greetingName = (person: PersonName, locale: Locale) =>
  locale.language in SEPARATORS ? fullName(person, locale) : person.firstName;
