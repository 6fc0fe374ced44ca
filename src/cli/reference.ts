// Generates the reference page and the types of packages/client from the OpenAPI document. They are not committed. npm runs this
// file after an installation, because the type check and tests need them.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OpenApi } from "../docs/page/openapi.ts";
import { PROJECT_ROOT } from "./paths.ts";

export const DOCUMENT = path.join(PROJECT_ROOT, "public/openapi.json");
const PAGE = path.join(PROJECT_ROOT, "public/docs.html");
const TYPES = path.join(PROJECT_ROOT, "packages/client/src/openapi.ts");

/** Generates both files if one is missing or older than the document. */
export async function updateReference(): Promise<void> {
  const documentMs = statSync(DOCUMENT).mtimeMs;
  const isCurrent = (file: string) => existsSync(file) && statSync(file).mtimeMs >= documentMs;
  if (![PAGE, TYPES].every(isCurrent)) await writeReference(readFileSync(DOCUMENT, "utf8"));
}

export async function writeReference(document: string): Promise<void> {
  // Loading the generators takes longer than a start needs otherwise.
  const [{ default: openapiTypes, astToString }, { referencePage }] = await Promise.all([
    import("openapi-typescript"),
    import("../docs/page/page.ts"),
  ]);
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }));
  writeFileSync(TYPES, `// Generated from the OpenAPI document by \`npm run docs\`.\n${types}`);
  writeFileSync(PAGE, await referencePage(JSON.parse(document) as OpenApi));
}

if (import.meta.main) await updateReference();
