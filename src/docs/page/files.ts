// All files of the reference, generated from the OpenAPI document and the changelog for partners.
import { raw } from "hono/html";
import { TOOLS_FILE } from "../../features/mcp/tools.ts";
import { sections, textOf } from "./markdown.ts";
import type { OpenApi } from "./openapi.ts";
import { operationsOf } from "./operation.ts";
import { layout } from "./page.ts";
import { pagesOf } from "./pages.ts";
import { searchIndex } from "./search-index.ts";
import { markdownFiles } from "./text.ts";
import { mcpTools } from "./tools.ts";

/** The files by their paths, as they are served, except that those of pages end with `.html`. */
export function referenceFiles(document: OpenApi, changelog: string): Record<string, string> {
  const operations = operationsOf(document);
  const contents = { guide: sections(document.info.description), operations };
  const pages = pagesOf(document, operations, changelog);
  const texts = withLinks(pages.map(({ path, content }) => [path, textOf(content)]));
  return {
    ...Object.fromEntries(
      pages.map((page, index) => [
        `${page.path}.html`,
        layout(document, page, contents, raw(texts[index] ?? "")),
      ]),
    ),
    ...markdownFiles(document, operations, changelog),
    [`/${TOOLS_FILE}`]: `${JSON.stringify(mcpTools(document), null, 2)}\n`,
    "/docs/search.json": JSON.stringify(searchIndex(contents)),
  };
}

/**
 * Completes the links between pages. In the document, such a link is only a fragment. Throws if a page has an id twice,
 * or if no page has the id of a link.
 */
function withLinks(pages: [path: string, html: string][]): string[] {
  const pageOfId = new Map<string, string>();
  const idsOf = pages.map(([path, html]) => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) !== index) throw new Error(`${path} has the id ${id} twice`);
      pageOfId.set(id, pageOfId.get(id) ?? path);
    }
    return new Set(ids);
  });
  return pages.map(([path, html], index) =>
    html.replaceAll(/href="#([^"]+)"/g, (whole, id: string) => {
      if (idsOf[index]?.has(id)) return whole;
      const target = pageOfId.get(id);
      if (target === undefined) throw new Error(`${path} has a link to ${id}, which no page has`);
      return `href="${target}#${id}"`;
    }),
  );
}
