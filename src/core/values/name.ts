// Names of people, vendors and campaigns: how they are typed, and how they are compared.
import { inPlainLetters } from "./plain-text.ts";

/** The name in plain letters, with one space between words. */
export const normalName = (text: string) => inPlainLetters(text).replaceAll(/\s+/g, " ");

/** Equal for names that differ only in case. The upper case comes first because `ß` has two letters in it: `SS`. */
export const nameKey = (text: string) =>
  normalName(text).toUpperCase().toLowerCase().normalize("NFC");
