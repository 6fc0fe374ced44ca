// Generates the reference and the types of packages/client from the OpenAPI document and the changelog for partners. They are not
// committed. npm runs this file after an installation, because the type check and tests need them.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { OpenApi } from "../docs/page/openapi.ts";
import { PROJECT_ROOT } from "./paths.ts";

const PUBLIC = path.join(PROJECT_ROOT, "public");
export const DOCUMENT = path.join(PUBLIC, "openapi.json");
/** All its files are generated. */
const PAGES = path.join(PUBLIC, "docs");
const CHANGELOG = path.join(PROJECT_ROOT, "src/docs/changelog.md");
const TYPES = path.join(PROJECT_ROOT, "packages/client/src/openapi.ts");
/** The file that is written last. */
const LAST = path.join(PAGES, "search.json");

/** Generates the files if they are missing or older than their sources. */
export async function updateReference(): Promise<void> {
  const changedMs = Math.max(...[DOCUMENT, CHANGELOG].map((file) => statSync(file).mtimeMs));
  const isCurrent = (file: string) => existsSync(file) && statSync(file).mtimeMs >= changedMs;
  if (![LAST, TYPES].every(isCurrent)) await writeReference(readFileSync(DOCUMENT, "utf8"));
}

export async function writeReference(document: string): Promise<void> {
  const files = await generateReference(document);
  for (const file of unknownFiles(files)) rmSync(file);
  mkdirSync(PAGES, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
}

/** The texts of the files by their paths. */
export async function generateReference(document: string): Promise<Record<string, string>> {
  // Loading the generators takes longer than a start needs otherwise.
  const [{ default: openapiTypes, astToString }, { referenceFiles }] = await Promise.all([
    import("openapi-typescript"),
    import("../docs/page/files.ts"),
  ]);
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }));
  const pages = referenceFiles(JSON.parse(document) as OpenApi, readFileSync(CHANGELOG, "utf8"));
  return {
    [TYPES]: `// Generated from the OpenAPI document by \`npm run docs\`.\n${types}`,
    ...Object.fromEntries(
      Object.entries(pages).map(([file, text]) => [path.join(PUBLIC, file), text]),
    ),
  };
}

/** Pages of operations that no longer exist. */
export function unknownFiles(files: Record<string, string>): string[] {
  const present = existsSync(PAGES) ? readdirSync(PAGES) : [];
  return present.map((name) => path.join(PAGES, name)).filter((file) => !(file in files));
}

if (import.meta.main) await updateReference();
