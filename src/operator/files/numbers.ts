// Reads the numbers, the yes or no, and the words for nothing of files from all countries.

type DecimalMark = "." | ",";

/** The text with ASCII digits and signs, and without the spaces and apostrophes that separate thousands in some countries. */
export const plainNumber = (text: string) =>
  text
    .replaceAll(/(?<=\d)[\s'’ʼ´`](?=\d{3}(?!\d))/g, "")
    .normalize("NFKC")
    .replaceAll(/[\p{Pd}−]/gu, "-")
    .trim();

/** The number with its sign in front: `(5)`, `5-` and `−5` are `-5`. */
const compact = (text: string) => plainNumber(text).replace(/^\(([^()]+)\)$|^([^-]+)-$/, "-$1$2");

/** The decimal mark that the text must have. Undefined if it may have either. */
function markIn(text: string): DecimalMark | undefined {
  const [, last = "", tail = ""] = /([.,])([^.,]*)$/.exec(text) ?? [];
  if (last === "") return undefined;
  const other = last === "." ? "," : ".";
  const parts = text.split(last);
  if (parts.length > 2) return other;
  const [whole = ""] = parts;
  const isGroup = tail.length === 3 && /^-?[1-9]\d{0,2}$/.test(whole);
  return isGroup ? undefined : (last as DecimalMark);
}

/**
 * The decimal mark of a file's numbers. If none shows it, `otherwise`: `1,800` may be 1.8 or 1800. Undefined if they
 * contradict each other.
 */
export function decimalMarkOf(
  texts: readonly string[],
  otherwise: DecimalMark,
): DecimalMark | undefined {
  const marks = new Set(texts.flatMap((text) => markIn(compact(text)) ?? []));
  if (marks.size > 1) return undefined;
  const [mark = otherwise] = marks;
  return mark;
}

/** The number with a full stop as decimal mark: `1.027,50` → `1027.50`. Undefined if it is not a number. */
export function readNumber(text: string, mark: DecimalMark | undefined): string | undefined {
  const typed = compact(text);
  const own = mark ?? markIn(typed) ?? (/[.,]/.test(typed) ? undefined : ".");
  if (own === undefined) return undefined;
  const group = own === "." ? "," : ".";
  const isGrouped = new RegExp(
    `^-?\\d{1,3}(?:\\${group}\\d{2,3})*\\${group}\\d{3}(?:\\${own}\\d+)?$`,
  ).test(typed);
  const plain = (isGrouped ? typed.replaceAll(group, "") : typed).replace(own, ".");
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain) ? plain : undefined;
}

const YES = "1 true yes y on ja wahr oui vrai si sí verdadero vero sim verdadeiro".split(" ");
const NO = "0 false no n off nein falsch non faux falso não nee".split(" ");

/** Undefined for another text. `1.0` is 1. */
export function readFlag(text: string): boolean | undefined {
  const given = text.trim().toLowerCase().replace(/\.0+$/, "");
  if (YES.includes(given)) return true;
  return NO.includes(given) ? false : undefined;
}

const NOTHING =
  /^(?:n\/?a|none|null|nil|undefined|not (?:available|applicable|set)|[\p{Pd}−._\s]*)$/iu;

/** Whether a text stands for an empty cell, such as `N/A` or `-`. */
export const isNothing = (text: string): boolean => NOTHING.test(text);
