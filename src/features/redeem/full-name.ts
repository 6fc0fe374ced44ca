// The full name of a recipient.
import type { Language } from "./language.ts";

interface PersonName {
  firstName: string;
  lastName: string;
}

/**
 * The name in the order of its own language: the family name comes first if it is written in Chinese, Japanese or Korean
 * characters. Chinese has no space between the names.
 */
export function fullName({ firstName, lastName }: PersonName, language: Language): string {
  if (!EAST_ASIAN.test(lastName)) return `${firstName} ${lastName}`;
  return `${lastName}${language === "zh" ? "" : " "}${firstName}`;
}

/** Names in katakana only are mostly foreign ones, in their own order. */
const EAST_ASIAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u;
