// Repairs the text of exported files.

/** The characters of the bytes 80 to 9F in Windows-1252. The five undefined bytes are not replaced. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Removes byte order marks. Replaces C1 control characters by the characters that Windows-1252 has for their codes,
 * because they come from Windows-1252 that was decoded as Latin-1. HTML treats `&#146;` in the same way.
 */
export function repairText(text: string): string {
  return text
    .replaceAll("\ufeff", "")
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
