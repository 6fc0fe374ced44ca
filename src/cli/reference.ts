// Generates the pages for partners and the types of packages/client from the OpenAPI document and the changelog for
// partners, the stylesheet of the gift page under the name of its content, and the declarations of the operations, and copies
// the viewer of the reference. They are not committed. npm runs this file after an installation, because the type check,
// tests and the operator's commands need them.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { OpenApi } from "../docs/openapi.ts";
import { PROJECT_ROOT } from "./paths.ts";

const PUBLIC = path.join(PROJECT_ROOT, "public");
export const DOCUMENT = path.join(PUBLIC, "openapi.json");
/** All its files are generated. */
const PAGES = path.join(PUBLIC, "docs");
const CHANGELOG = path.join(PROJECT_ROOT, "src/docs/changelog.md");
const TYPES = path.join(PROJECT_ROOT, "packages/client/src/openapi.ts");
const STYLES = path.join(PROJECT_ROOT, "src/features/pages/gift.css");
/** The module with the path of the stylesheet. */
const STYLESHEET = path.join(PROJECT_ROOT, "src/features/pages/stylesheet.ts");
const OPERATIONS_FILE = path.join(PROJECT_ROOT, "docs/operator-api.json");
/** Scalar's package, whose modules for browsers need no others. */
const SCALAR = path.join(PROJECT_ROOT, "node_modules/@scalar/api-reference");
const VIEWER = path.join(PAGES, "viewer");
/** The file that is written last. */
const LAST = path.join(PAGES, "mcp-tools.json");

/** Generates the files if they are missing or older than their sources. */
export async function updateReference(): Promise<void> {
  const operator = globSync(path.join(PROJECT_ROOT, "src/operator/**/*.ts"));
  const changedMs = Math.max(
    ...[DOCUMENT, CHANGELOG, STYLES, path.join(SCALAR, "package.json"), ...operator].map(
      (file) => statSync(file).mtimeMs,
    ),
  );
  const isCurrent = (file: string) => existsSync(file) && statSync(file).mtimeMs >= changedMs;
  if (![LAST, TYPES, STYLESHEET, OPERATIONS_FILE].every(isCurrent))
    await writeReference(readFileSync(DOCUMENT, "utf8"));
}

export async function writeReference(document: string): Promise<void> {
  const files = await generateReference(document);
  for (const file of unknownFiles(files)) rmSync(file);
  rmSync(VIEWER, { recursive: true, force: true });
  cpSync(path.join(SCALAR, "dist/browser"), VIEWER, {
    recursive: true,
    filter: (file) => !/\.map$|standalone\.js$|stats/.test(file),
  });
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
}

/** The texts of the files by their paths. */
export async function generateReference(document: string): Promise<Record<string, string>> {
  // Loading the generators takes longer than a start needs otherwise.
  const [generator, { referenceFiles }, { OPERATIONS }, { inputsOf }] = await Promise.all([
    import("openapi-typescript"),
    import("../docs/files.ts"),
    import("../operator/operations.ts"),
    import("../operator/declaration/input.ts"),
  ]);
  const { default: openapiTypes, astToString, tsUnion, tsLiteral } = generator;
  // `string & {}` accepts every text, and editors complete the known values.
  const other = generator.tsIntersection([
    generator.STRING,
    generator.tsRecord(generator.NEVER, generator.NEVER),
  ]);
  const transform = (schema: { readonly [extension: `x-${string}`]: unknown }) => {
    const values = schema["x-extensible-enum"] as string[] | undefined;
    return values && tsUnion([...values.map(tsLiteral), other]);
  };
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false, transform }));
  const pages = referenceFiles(JSON.parse(document) as OpenApi, readFileSync(CHANGELOG, "utf8"));
  // JSON leaves out the functions.
  const operations = OPERATIONS.map((each) => ({ ...each, input: inputsOf(each) }));
  return {
    [TYPES]: `// Generated from the OpenAPI document by \`npm run docs\`.\n${types}`,
    ...stylesheetFiles(),
    [OPERATIONS_FILE]: `${JSON.stringify(operations, null, 2)}\n`,
    ...Object.fromEntries(
      Object.entries(pages).map(([file, text]) => [path.join(PUBLIC, file), text]),
    ),
  };
}

/** The stylesheet of the gift page, without comments. Browsers may cache it for a year, because its name contains its digest. */
function stylesheetFiles(): Record<string, string> {
  const css = readFileSync(STYLES, "utf8").replaceAll(/\/\*[^]*?\*\/\n*/g, "");
  const name = `gift-${createHash("sha256").update(css).digest("hex").slice(0, 10)}.css`;
  return {
    [path.join(PUBLIC, name)]: css,
    [STYLESHEET]: `// Generated from gift.css by \`npm run docs\`.\nexport const STYLESHEET = "/${name}";\n`,
  };
}

/** Pages of operations that no longer exist, and earlier stylesheets. */
export function unknownFiles(files: Record<string, string>): string[] {
  const pages = existsSync(PAGES) ? readdirSync(PAGES).filter((name) => name !== "viewer") : [];
  const sheets = readdirSync(PUBLIC).filter((name) => /^gift-\w+\.css$/.test(name));
  const present = [
    ...pages.map((name) => path.join(PAGES, name)),
    ...sheets.map((name) => path.join(PUBLIC, name)),
  ];
  return present.filter((file) => !(file in files));
}

if (import.meta.main) await updateReference();
