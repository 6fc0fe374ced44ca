// Names of people: what can be one, and how they are shown.
import { looksLikeEmail } from "./email-address.ts";
import { isPlaceholder } from "./missing-value.ts";

/** `undefined`, which programs write for a missing name, and the replacement character of a wrong encoding. */
const BROKEN = /\bundefined\b|\uFFFD/;

/** Whether the text can be a first or a last name. */
export const isPersonName = (text: string) =>
  /[\p{L}\p{Nl}]/u.test(text) &&
  !BROKEN.test(text) &&
  !isPlaceholder(text) &&
  !looksLikeEmail(text);

/** Names in katakana only are mostly foreign ones, in their own order. */
const EAST_ASIAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u;

/**
 * The full name in the order of its own language: the family name comes first if it is written in Chinese, Japanese or
 * Korean characters. Somebody who has one name has it as first or as last name.
 */
export function fullName(
  { firstName, lastName }: { firstName: string; lastName: string },
  separator = " ",
): string {
  if (!EAST_ASIAN.test(lastName)) return `${firstName} ${lastName}`.trim();
  return [lastName, firstName].filter(Boolean).join(separator);
}
