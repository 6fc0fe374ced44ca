// The names of recipients.
import type { Gift } from "./gift.ts";
import type { Language, Locale } from "./language.ts";

type PersonName = Pick<Gift, "firstName" | "lastName">;

const CHINESE: readonly Language[] = ["zh", "zh-Hant"];

/** Names in katakana only are mostly foreign ones, in their own order. */
const EAST_ASIAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u;

/**
 * The full name in the order of its own language: the family name comes first if it is written in Chinese, Japanese or
 * Korean characters. Pages in Chinese have no space between the names.
 */
export function fullName({ firstName, lastName }: PersonName, { language }: Locale): string {
  if (!EAST_ASIAN.test(lastName)) return `${firstName} ${lastName}`;
  return `${lastName}${CHINESE.includes(language) ? "" : " "}${firstName}`;
}

/** Whether the family name is the first one in the page's language. */
export const isFamilyFirst = ({ language }: Locale) => [...CHINESE, "ja"].includes(language);

/** The name in a greeting: the first name. The full name in Japanese and Chinese. */
export const greetingName = (person: PersonName, locale: Locale) =>
  isFamilyFirst(locale) ? fullName(person, locale) : person.firstName;
