// Repairs the text of exported files.

/** The characters of the bytes 80 to 9F in Windows-1252. The five undefined bytes stay as they are. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Removes byte order marks, and replaces C1 control characters by the characters of Windows-1252, for text in
 * Windows-1252 that was decoded as Latin-1. HTML does the same with `&#146;`.
 */
export function repair(text: string): string {
  return text
    .replaceAll("\ufeff", "")
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
