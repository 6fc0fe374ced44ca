// Text without case, accents and width, for searches.
import { isAscii } from "./plain-text.ts";

/** Letters that Unicode does not decompose into a letter and a mark, and the final form of sigma. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ς: "σ",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŧ: "t",
};

const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** Signs that Unicode decomposes into letters, which would become a part of the word before them. */
const SIGNS = /[™℠]/g;

/**
 * The marks that scripts share, such as accents and Arabic vowels, and Hebrew vowels. The marks of one script, such as
 * the vowels of Devanagari, are a part of its letters, and so are the voicing marks of kana (`が`).
 */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Mn})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** The text in lower case, without accents, in letters of normal width: `Łukasz Groß` → `lukasz gross`, `ＴＥＡ` → `tea`. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().trim();
  return text
    .replaceAll(SIGNS, "")
    .normalize("NFKD")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .trim();
}
