// Text as browsers and spreadsheets leave it.

/** What Windows-1252 has for the bytes 80 to 9F; the five that it leaves undefined stay as they are. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * The text without byte order marks, and with the characters that were meant by C1 control characters: text in
 * Windows-1252 that was read as Latin-1. HTML reads `&#146;` in the same way.
 */
export function repair(text: string): string {
  return text
    .replaceAll("\ufeff", "")
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
