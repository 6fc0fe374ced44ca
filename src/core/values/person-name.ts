// Names of people: how they are typed, and how they are shown.
import { looksLikeEmail } from "./email-address.ts";

/** A placeholder of a template that was not filled in, such as `{{first_name}}`, `*|FNAME|*` or `[First Name]`. */
const PLACEHOLDER =
  /\{\{|\}\}|\*\||\|\*|[$#]\{|^\{.*\}$|^%.*%$|^\[.*\]$|^<[\w\s.-]*>$|^(?:first|last|full)[_ ]?name$/i;

/** The name in plain letters: `𝐀𝐝𝐚` and `Ａｄａ` become `Ada`. */
export const normalName = (text: string) => text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();

/** Whether the text can be a first or a last name. U+FFFD is what is left of a letter in a wrong encoding. */
export const isPersonName = (text: string) =>
  /\p{L}/u.test(text) &&
  !text.includes("\uFFFD") &&
  !PLACEHOLDER.test(text) &&
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
