// Converts the guide's Markdown to HTML. It is part of the project, so it is not sanitised.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import { html, raw } from "hono/html";
import { Marked, type Tokens } from "marked";

export type Html = ReturnType<typeof html>;

/** HTML as a string. None of its parts is asynchronous. */
export const htmlString = (content: { toString: () => string }): string => content.toString();

interface Heading {
  level: number;
  id: string;
  title: string;
}

const LANGUAGES = { bash, sh: bash, json, python, ts: typescript, js: typescript };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const marked = new Marked({
  renderer: {
    // A heading links to itself.
    heading({ tokens, depth, text }) {
      const link = html`<a class="link" href="#${slug(text)}"
        >${raw(this.parser.parseInline(tokens))}</a
      >`;
      return `<h${depth} id="${slug(text)}">${htmlString(link)}</h${depth}>\n`;
    },
    // With tabindex, wide code and tables can be scrolled with the keyboard.
    code({ text, lang = "" }) {
      const { value } = hljs.highlight(text, { language: lang });
      return `<pre tabindex="0"><code>${value}</code></pre>\n`;
    },
    table({ header, rows }: Tokens.Table) {
      const columns = header.map(({ tokens }) => this.parser.parseInline(tokens));
      // On a phone, the cells of a row stand below each other, with the names of their columns.
      const body = rows.map((row) =>
        row.map(({ tokens }, index) => {
          const column = columns[index]?.replaceAll(/<[^>]*>/g, "") ?? "";
          return `<td data-column="${column}">${this.parser.parseInline(tokens)}</td>`;
        }),
      );
      return `<div class="scroll" tabindex="0"><table>
<thead><tr>${columns.map((column) => `<th>${column}</th>`).join("")}</tr></thead>
<tbody>${body.map((cells) => `<tr>${cells.join("")}</tr>`).join("\n")}</tbody>
</table></div>\n`;
    },
  },
});

export function markdown(text: string): Html {
  return raw(marked.parse(text, { async: false }));
}

export function headings(text: string): Heading[] {
  return marked
    .lexer(text)
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(({ depth, text }) => ({ level: depth, id: slug(text), title: text }));
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
