// Characters that cannot be seen, and letters that are styled (DECISIONS.md: Text is returned unchanged or refused).

/** A letter or mark of a script whose letters are joined, such as those of Persian and Hindi. */
const JOINED = String.raw`(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}])[\p{L}\p{M}]`;

/**
 * Sequences in which characters that cannot be seen have a meaning: joiners and variants of letters, keycaps, flags and
 * other emoji.
 */
const MEANT = [
  String.raw`(?<=${JOINED})[\u200c\u200d](?=[\u200c\u200d]*${JOINED})`,
  String.raw`(?<=(?!\p{sc=Zinh})\p{M})\u200d`,
  String.raw`\p{sc=Mong}[\u180b-\u180f]`,
  String.raw`\p{sc=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`[#*0-9]\ufe0f(?=\u20e3)`,
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}`,
  String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}][\ufe0e\ufe0f]?(?:\u200d(?=\p{Extended_Pictographic}))?`,
].join("|");

const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]`;
const MEANT_OR_INVISIBLE = new RegExp(`(${MEANT})|${INVISIBLE}`, "gu");

/** Line separators and the blank of Braille look like spaces too. */
const SPACES = /[\p{Zs}\u2028\u2029\u2800]/gu;

/** Such a text needs none of the slow patterns of this file and of fold.ts. */
export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** The text without characters that cannot be seen and have no meaning, and without spaces around it. */
export const withoutInvisible = (text: string): string =>
  isAscii(text)
    ? text.trim()
    : text
        .replaceAll(MEANT_OR_INVISIBLE, (_, meant: string | undefined) => meant ?? "")
        .replaceAll(SPACES, " ")
        .trim();

const NAMES =
  "00A0 no-break space,00AD soft hyphen,200B zero-width space,200C zero-width non-joiner,200D zero-width joiner,200E left-to-right mark,200F right-to-left mark,2060 word joiner,FEFF byte order mark";
const NAME_OF = new Map(NAMES.split(",").map((name) => [`U+${name.slice(0, 4)}`, name.slice(5)]));
const UNSEEN = new RegExp(String.raw`${INVISIBLE}|(?! )${SPACES.source}`, "u");

/** The first character that cannot be seen or looks like a space, such as `a zero-width space (U+200B)`. */
export function invisibleIn(text: string): string | undefined {
  const [found] = UNSEEN.exec(text) ?? [];
  const code = found && codePointOf(found);
  return code && `a ${NAME_OF.get(code) ?? "character that cannot be seen"} (${code})`;
}

/** `U+200B` */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Mathematical, double-struck, script and enclosed letters and digits, and forms of full and half width. */
const STYLED =
  /[\u2102\u210a-\u2113\u2115\u2119-\u211d\u2124\u2128\u212c\u212d\u212f-\u2131\u2133-\u2134\u2139\u213c-\u213f\u2145-\u2149\u2460-\u24ff\ufe50-\ufe6b\uff01-\uffef\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1e5}\u{1fbf0}-\u{1fbf9}]+/gu;

/** The text with plain letters and hyphens for styled ones: `𝐀𝐝𝐚` and `Ａｄａ` become `Ada`. Others stay: `Mª`, `և`, `ำ`. */
export const inPlainLetters = (text: string): string =>
  withoutInvisible(
    isAscii(text)
      ? text
      : text
          .normalize("NFC")
          .replaceAll(STYLED, (styled) => styled.normalize("NFKC"))
          .replaceAll(/[\u2010\u2011]/g, "-"),
  );
