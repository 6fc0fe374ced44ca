// The static files for partners, generated from the OpenAPI document and the changelog.
import { TOOLS } from "../features/mcp/tools.ts";
import { mcpTools } from "./mcp-tools.ts";
import type { OpenApi } from "./openapi.ts";
import { pages } from "./page.ts";
import { markdownFiles } from "./text.ts";

/** The files by their paths. A page is served without `.html`. */
export function referenceFiles(document: OpenApi, changelog: string): Record<string, string> {
  return {
    ...Object.fromEntries(
      Object.entries(pages(document, changelog)).map(([path, text]) => [`${path}.html`, text]),
    ),
    ...markdownFiles(document, changelog),
    [`/${TOOLS}.json`]: `${JSON.stringify(mcpTools(document), null, 2)}\n`,
  };
}
