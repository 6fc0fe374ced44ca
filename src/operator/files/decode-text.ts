// Decodes the names and descriptions of shop exports, so that the catalogue contains what people should read.
import { decodeHTMLStrict } from "entities";
import { shownPieces } from "../../features/catalogue/markup.ts";

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
 * HTML without the references of characters that need none, the shortcodes of page builders, comments and scripts. Plain
 * text may be HTML that was encoded as a whole.
 */
export function plainMarkup(html: string): string {
  const isEncoded = !/<[a-z/!]/i.test(html) && /&lt;\/?[a-z]/i.test(html);
  const text = (isEncoded ? decodeHTMLStrict(html) : html)
    // Encoded twice.
    .replaceAll(/&amp;(?=#?\w+;)/gi, "&")
    .replaceAll(REFERENCE, (reference) => {
      const decoded = decodeHTMLStrict(reference);
      return ENCODED[decoded] ?? decoded;
    });
  return withoutScripts(withoutShortcodes(decodedComments(text)));
}

const ENCODED: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

/** The text with Word's comments and XML, which editors encode. WordPress replaces their hyphens by a dash. */
function decodedComments(text: string): string {
  const end = Math.max(...["--&gt;", "-->", "]–&gt;"].map((each) => text.lastIndexOf(each)));
  return text
    .replaceAll(/&lt;!(?:--|–(?=\[))/g, (start, at: number) => (at < end ? "<!--" : start))
    .replaceAll(/(?:--|(?<=\])–)&gt;/g, "-->")
    .replaceAll(/&lt;([/?]?xml(?:[\s:][^&<>]*)?)&gt;/gi, "<$1>");
}

const HTML_ATTRIBUTE = /\s([\w:.-]+)(?:\s*=\s*("[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))?/g;
const TAG_START = /^<\/?[a-z][a-z\d:-]*/i;
/** Tags that concern the whole page, and the one that Google Docs puts around a text that is not bold. */
const UNSHOWN = /^<\/?(?:base|embed|link|meta)\b|^<b\s[^<>]*\bid="docs-internal-guid/i;

/** The HTML without what is never shown, and without the attributes of tags that run scripts or are not well-formed. */
function withoutScripts(html: string): string {
  if (!/<[a-z/!?]/i.test(html)) return html;
  const kept = Array.from(shownPieces(html), ({ piece, name }) => {
    // A character that begins no tag must not begin one with the next piece.
    if (piece === "<") return "&lt;";
    if (name === undefined) return piece.startsWith("<") ? "" : piece;
    if (UNSHOWN.test(piece)) return "";
    const [start = ""] = TAG_START.exec(piece) ?? [];
    const rest = piece.slice(start.length).replaceAll(HTML_ATTRIBUTE, "");
    if (!/^\s*\/?>$/.test(rest)) return `${start}>`;
    return piece.replaceAll(HTML_ATTRIBUTE, (attribute, key: string, value?: string) =>
      /^on/i.test(key) || runsScript(value ?? "") ? "" : attribute,
    );
  });
  return kept.join("");
}

const runsScript = (value: string) =>
  /^["']?(?:javascript|vbscript|data:text\/html)/i.test(value.replaceAll(/[\s\p{Cc}]/gu, ""));

/** An attribute whose value is in quotes of any form or without, and at the end one whose quote is not closed. */
const KEY = String.raw`\s+[\w-]+=`;
const ATTRIBUTE = String.raw`${KEY}(?:"[^"[]*"|'[^'[]*'|[“”″][^“”″[]*[“”″]|[^\s[\]"'“”″]+)`;
const UNCLOSED = String.raw`${KEY}["'“”″][^\s[\]"'“”″]*`;
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
