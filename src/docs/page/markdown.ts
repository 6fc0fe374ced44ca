// Converts the document's Markdown to HTML. The Markdown is part of the project, so it is not sanitised.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import { html, raw } from "hono/html";
import { Marked, type Tokens } from "marked";

export type Html = ReturnType<typeof html>;

/** HTML as a string. None of its parts is asynchronous. */
export const textOf = (content: { toString: () => string }): string => content.toString();

/** A heading with the text below it. */
export interface Section {
  level: number;
  id: string;
  title: string;
  /** Further words that the search finds, from a comment `<!-- keywords: … -->`. */
  keywords: string;
  text: string;
  /** The rows of its tables that begin with a code, such as an error code. */
  rows: { id: string; code: string; text: string }[];
}

for (const [name, language] of Object.entries({ bash, json, python, typescript })) {
  hljs.registerLanguage(name, language);
}

/** The section of the row that is rendered next. */
let section = "";

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      section = slug(text);
      return `${textOf(heading(depth, section, raw(this.parser.parseInline(tokens))))}\n`;
    },
    code: ({ text, lang = "" }) => textOf(codeBlock(text, lang)),
    table({ header, rows }: Tokens.Table) {
      const columns = header.map(({ tokens }) => this.parser.parseInline(tokens));
      const body = rows.map((row) => {
        const code = codeOf(row);
        // On a phone, the cells of a row stand below each other, with the names of their columns.
        const cells = row.map(({ tokens }, index) => {
          const text = raw(this.parser.parseInline(tokens));
          return textOf(html`<td data-column="${plainText(columns[index] ?? "")}">${text}</td>`);
        });
        return `<tr${code && ` id="${section}.${code}"`}>${cells.join("")}</tr>`;
      });
      // A wide table has its own scrollbar. With tabindex, it can be scrolled with the keyboard.
      return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${columns.map((column) => `<th>${column}</th>`).join("")}</tr></thead>\n<tbody>${body.join("\n")}</tbody>\n</table></div>\n`;
    },
  },
});

export function markdown(text: string): Html {
  return raw(marked.parse(text, { async: false }));
}

/** Markdown without a paragraph element around it. */
export function inlineMarkdown(text: string): Html {
  return raw(marked.parseInline(text, { async: false }));
}

/** A heading that links to itself. */
export function heading(level: number, id: string, text: Html | string): Html {
  const link = html`<a class="link" href="#${id}">${text}</a>`;
  return html`${raw(`<h${level} id="${id}">`)}${link}${raw(`</h${level}>`)}`;
}

export function sections(text: string): Section[] {
  const found: Section[] = [];
  for (const token of marked.lexer(text)) {
    const current = found.at(-1);
    if (token.type === "heading") {
      const { depth, text } = token as Tokens.Heading;
      found.push({ level: depth, id: slug(text), title: text, keywords: "", text: "", rows: [] });
    } else if (current) {
      current.keywords += /<!-- keywords: (.*) -->/.exec(token.raw)?.[1] ?? "";
      current.text += plainText(textOf(markdown(token.raw)));
      if (token.type === "table") current.rows.push(...codeRows(token as Tokens.Table, current.id));
    }
  }
  return found;
}

function codeRows({ rows }: Tokens.Table, section: string): Section["rows"] {
  return rows.flatMap((row) => {
    const code = codeOf(row);
    const text = row.map((cell) => plainText(textOf(inlineMarkdown(cell.text)))).join(" ");
    return code ? [{ id: `${section}.${code}`, code, text }] : [];
  });
}

/** The first cell that is only a code, or a link with a code. Empty if there is none. */
function codeOf(row: Tokens.TableCell[]): string {
  const codes = row.map(({ text }) => /^\[?`([\w.-]+)`(\]\(.*\))?$/.exec(text)?.[1]);
  return codes.find(Boolean) ?? "";
}

/** The text of HTML without its markup. */
function plainText(html: string): string {
  return html
    .replaceAll(/<!--[^]*?-->|<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ");
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

const LANGUAGES: Record<string, string> = { sh: "bash", ts: "typescript", js: "typescript" };

/** A block of coloured code. With tabindex, a wide block can be scrolled with the keyboard. */
export function codeBlock(text: string, language: string): Html {
  const { value } = hljs.highlight(text, { language: LANGUAGES[language] ?? language });
  return html`<pre tabindex="0"><code>${raw(value)}</code></pre>`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
