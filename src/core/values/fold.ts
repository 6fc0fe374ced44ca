// Text without case and accents, for searches.

/** Latin letters that Unicode does not decompose into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th", ĳ: "ij" },
  ...{ ø: "o", đ: "d", ð: "d", ħ: "h", ı: "i", ł: "l", ŧ: "t" },
};

const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/**
 * The text in lower case, with Latin letters without accents: `Łukasz Groß` → `lukasz gross`. Other scripts keep their
 * marks, because there a mark often makes another letter (`й`, `が`).
 */
export function fold(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .trim();
}
