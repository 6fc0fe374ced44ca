// Reads the catalogue's HTML into paragraphs and lists of plain, strong and emphasised text. The page is built from
// these blocks and escapes their text, so no tag of the source can reach the page.
import { own } from "../../core/values/own.ts";

export interface Run {
  text: string;
  strong: boolean;
  emphasis: boolean;
}

export type Block =
  { kind: "paragraph"; runs: Run[] } | { kind: "list"; ordered: boolean; items: Run[][] };

/** Elements whose content is not shown. */
const HIDDEN = new Set(
  "script style svg math template noscript noembed iframe object canvas dialog datalist textarea title xmp xml select".split(
    " ",
  ),
);
const STRONG = new Set(["strong", "b"]);
const EMPHASIS = new Set(["em", "i"]);
/** Inline elements. All others begin a new paragraph. */
const INLINE = new Set("a abbr cite code font mark s small span sub sup u wbr img".split(" "));

/** Elements whose end tag may be missing: the next one ends them. */
const AUTO_CLOSED = new Set(["p", "li", "td", "th", "tr", "dd", "dt"]);
/** Elements without content. */
const VOID = new Set(["img", "br", "hr", "wbr", "input"]);

/** Comments, tags (the groups are name and attributes) and text. Linear in the length of its input. */
const PIECE =
  /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<\/?([a-zA-Z][^\s/>]*)((?:=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))|=(?!\s*["'])|[^>=])*)(?:>|$)|<[!?/][^>]*(?:>|$)|[^<]+|</g;

/** Attributes of elements that browsers do not show. A transparent `background-color` hides nothing. */
const HIDING =
  /(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.\d]*[1-9])|color\s*:\s*transparent|(?:left|text-indent)\s*:\s*-\d{3})/i;
const HIDDEN_ATTRIBUTE = /\shidden(?=[\s=/]|$)/i;

const isHidden = (attributes: string) =>
  HIDING.test(decode(attributes)) ||
  HIDDEN_ATTRIBUTE.test(attributes.replace(/=\s*(?:"[^"]*"|'[^']*')/g, "=x"));

/** The others are decoded when a catalogue is read (src/operator/files/decode-text.ts). */
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** The texts, comments and tags of what is shown, with the names of the tags. */
export function* shownPieces(
  html: string,
): Generator<{ piece: string; name?: string | undefined }> {
  /** The element that is not shown, and how many of its name are open. */
  let hidden: string | undefined;
  let depth = 0;
  for (const [piece, tag, attributes = ""] of html.matchAll(PIECE)) {
    const name = tag?.toLowerCase();
    const closes = piece.startsWith("</");
    if (depth > 0) {
      if (name === undefined || name !== hidden) continue;
      if (closes) depth--;
      else if (AUTO_CLOSED.has(name)) depth = 0;
      else if (!HIDDEN.has(name)) depth++;
      if (closes || depth > 0) continue;
    }
    const isDropped = name !== undefined && HIDDEN.has(name);
    if (isDropped && (closes || piece.endsWith("/>"))) continue;
    if (isDropped || (name !== undefined && !closes && !VOID.has(name) && isHidden(attributes))) {
      hidden = name;
      depth = 1;
    } else yield { piece, name };
  }
}

/** Reads HTML, or plain text with line breaks. Unclosed and misplaced tags are ignored. */
export function readMarkup(html: string): Block[] {
  const blocks: Block[] = [];
  const isPlain = !/<[a-z/!]/i.test(html);
  let runs: Run[] = [];
  let list: { ordered: boolean; items: Run[][] } | undefined;
  let strong = 0;
  let emphasis = 0;
  let isInCell = false;

  const flush = () => {
    const trimmed = trim(runs);
    runs = [];
    if (trimmed.length === 0) return;
    if (list) list.items.push(trimmed);
    else blocks.push({ kind: "paragraph", runs: trimmed });
  };
  const closeList = () => {
    flush();
    if (list && list.items.length > 0) blocks.push({ kind: "list", ...list });
    list = undefined;
  };

  const addPlain = (text: string) => runs.push({ text, strong: false, emphasis: false });

  for (const { piece, name } of shownPieces(html)) {
    const closes = piece.startsWith("</");
    if (name === undefined) {
      if (piece.length > 1 && piece.startsWith("<")) continue;
      const text = decode(piece);
      const shown = isPlain ? text : text.replace(/[ \t\r\n]+/g, " ");
      runs.push({ text: shown, strong: strong > 0, emphasis: emphasis > 0 });
    } else if (STRONG.has(name)) {
      strong = Math.max(0, strong + (closes ? -1 : 1));
    } else if (EMPHASIS.has(name)) {
      emphasis = Math.max(0, emphasis + (closes ? -1 : 1));
    } else if (name === "td" || name === "th") {
      // The cells of a row are one line: `S · 90 cm · 60 cm`.
      isInCell = !closes;
      if (isInCell && runs.some(({ text }) => text.trim() !== "")) addPlain(" · ");
    } else if (isInCell && name !== "tr" && !INLINE.has(name)) {
      if (!closes && !/\s$/.test(runs.at(-1)?.text ?? " ")) addPlain(" ");
    } else if (name === "br") {
      addPlain("\n");
    } else if (name === "ul" || name === "ol") {
      closeList();
      if (!closes) list = { ordered: name === "ol", items: [] };
    } else if (!INLINE.has(name)) {
      isInCell = false;
      flush();
    }
  }
  closeList();
  return blocks;
}

/** The text of the HTML, without formatting: a line for each paragraph and each item of a list. */
export const plainLines = (html: string): string[] =>
  readMarkup(html)
    .flatMap((block) => (block.kind === "list" ? block.items : [block.runs]))
    .map((runs) =>
      runs
        .map(({ text }) => text)
        .join("")
        .replace(/\s+/g, " "),
    );

export const plainText = (html: string): string => plainLines(html).join(" ");

/** Removes spaces at both ends. */
function trim(runs: Run[]): Run[] {
  const first = runs.findIndex(({ text }) => text.trim() !== "");
  const last = runs.findLastIndex(({ text }) => text.trim() !== "");
  return runs.slice(first, last + 1).map((run, index, trimmed) => {
    let { text } = run;
    if (index === 0) text = text.trimStart();
    if (index === trimmed.length - 1) text = text.trimEnd();
    return { ...run, text };
  });
}

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z\d]+));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return own(ENTITIES, name) ?? whole;
      const code = Number(decimal ?? `0x${String(hex)}`);
      const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : " ";
    },
  );
}
