// Repairs the text of exported files.

/** The characters of the bytes 80 to 9F in Windows-1252. The five undefined bytes are not replaced. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** The control characters of the bytes that Windows-1252 does not define. */
const UNDEFINED = /[\u0081\u008d\u008f\u0090\u009d]/;

/** The bytes 80 to BF, which continue a character in UTF-8, as characters of Windows-1252. */
const CONTINUATION = `[${WINDOWS_1252}\u00a0-\u00bf]`;

/** A character in UTF-8 whose bytes were decoded as Windows-1252. */
const DOUBLE_ENCODED = new RegExp(
  `[\u00c2-\u00df]${CONTINUATION}|[\u00e0-\u00ef]${CONTINUATION}{2}|[\u00f0-\u00f4]${CONTINUATION}{3}`,
  "g",
);

const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Removes byte order marks. Replaces C1 control characters by the characters that Windows-1252 has for their codes,
 * because they come from Windows-1252 that was decoded as Latin-1. HTML treats `&#146;` in the same way. Decodes
 * characters that were encoded twice, if this is certain.
 */
export function repairText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .replaceAll("\ufeff", "")
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80))
    .replace(DOUBLE_ENCODED, decoded);
}

/**
 * Returns a function that repairs a text and removes the control characters whose meaning is not known, and one that
 * returns how many it has removed.
 */
export function repairCounting(): { repair: (text: string) => string; dropped: () => number } {
  let dropped = 0;
  const repair = (text: string) => {
    const parts = repairText(text).split(UNDEFINED);
    dropped += parts.length - 1;
    return parts.join("");
  };
  return { repair, dropped: () => dropped };
}

/**
 * The character of a sequence that contains an undefined control character or begins with `â€`, as quotes and dashes do.
 * Other sequences may be intended, such as `É®` in capital letters.
 */
function decoded(sequence: string): string {
  if (!UNDEFINED.test(sequence) && !sequence.startsWith("â€")) return sequence;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    return decoder.decode(Uint8Array.from(sequence, byteOf));
  } catch {
    return sequence;
  }
}

/** The byte of a character in Windows-1252. */
function byteOf(character: string): number {
  const index = WINDOWS_1252.indexOf(character);
  return index < 0 ? character.charCodeAt(0) : 0x80 + index;
}
