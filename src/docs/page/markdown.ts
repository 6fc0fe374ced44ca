// Converts the document's Markdown to HTML. The Markdown is part of the project, so it is not sanitised.
import { html, raw } from "hono/html";
import { Marked, type Tokens } from "marked";

export type Html = ReturnType<typeof html>;

export interface Heading {
  level: number;
  id: string;
  text: string;
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const level = String(depth);
      return `<h${level} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code: ({ text }) => codeBlock(text) as string,
    table(token: Tokens.Table) {
      const [head, ...rows] = [token.header, ...token.rows].map((cells, index) =>
        cells
          .map(({ tokens }) => {
            const tag = index === 0 ? "th" : "td";
            return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
          })
          .join(""),
      );
      const body = rows.map((row) => `<tr>${row}</tr>`).join("\n");
      // A wide table has its own scrollbar. With tabindex, it can be scrolled with the keyboard.
      return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${head ?? ""}</tr></thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
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

export function headings(text: string): Heading[] {
  return marked
    .lexer(text)
    .filter((token) => token.type === "heading")
    .map(({ depth, text }: Tokens.Generic) => ({
      level: depth as number,
      id: slug(text as string),
      text: text as string,
    }));
}

/** A block of code. With tabindex, a wide block can be scrolled with the keyboard. */
export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
