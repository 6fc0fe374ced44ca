// Decodes the names and descriptions of shop exports, so that the catalogue contains what people should read.
import { decodeHTMLStrict } from "entities";

const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi;
const TAG = /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/gi;

/** The text of a name, an option or an SKU: without references such as `&amp;`, also if it was encoded twice, and tags. */
export const plainName = (text: string): string =>
  /[&<]/.test(text)
    ? decodeHTMLStrict(decodeHTMLStrict(text))
        .replaceAll(/<(?:br|p|div|li)\b[^<>]*>/gi, " ")
        .replaceAll(TAG, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    : text;

/**
 * HTML without the references of characters that need none, and without the shortcodes of page builders. Plain text may
 * be HTML that was encoded as a whole.
 */
export function plainMarkup(html: string): string {
  const isEncoded = !/<[a-z/!]/i.test(html) && /&lt;\/?[a-z]/i.test(html);
  const text = (isEncoded ? decodeHTMLStrict(html) : html)
    // Encoded twice.
    .replaceAll(/&amp;(?=#?\w+;)/gi, "&")
    .replaceAll(REFERENCE, (reference) => {
      const decoded = decodeHTMLStrict(reference);
      return /^[<>&]$/.test(decoded) ? reference : decoded;
    });
  return withoutShortcodes(text);
}

/** An attribute whose value is in quotes of any form or without, and at the end one whose quote is not closed. */
const NAME = String.raw`\s+[\w-]+=`;
const ATTRIBUTE = String.raw`${NAME}(?:"[^"[]*"|'[^'[]*'|[“”″][^“”″[]*[“”″]|[^\s[\]"'“”″]+)`;
const UNCLOSED = String.raw`${NAME}["'“”″][^\s[\]"'“”″]*`;
const SHORTCODE = new RegExp(
  String.raw`\[/?([A-Za-z][\w-]*)((?:${ATTRIBUTE})*(?:${UNCLOSED})?)\s*/?\]`,
  "g",
);

/** Shortcodes without attributes and content. Others in brackets are texts, such as [new]. */
const KNOWN = ["gallery", "playlist", "products", "contact-form"];

/** Removes the shortcodes of WordPress and its page builders, but not what is between them. */
const withoutShortcodes = (text: string): string =>
  text.includes("[")
    ? text.replaceAll(SHORTCODE, (code, name: string, attributes: string) => {
        const isNamed = /^[a-z].*_/.test(name) || KNOWN.includes(name);
        const isCode = attributes !== "" || isNamed || code.startsWith("[/");
        return isCode || text.includes(`[/${name}]`) ? "" : code;
      })
    : text;
