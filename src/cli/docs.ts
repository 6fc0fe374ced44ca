// `npm run docs`: generates the OpenAPI document, the table of personal data, the reference and the types of packages/client. With
// --check, it writes nothing and fails if a file differs from the generated one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { openApiDocument, withLinks } from "../docs/document.ts";
import { eventTable } from "../docs/event-table.ts";
import { personalDataTable } from "../docs/personal-data.ts";
import { SECURITY_SCHEMES } from "../docs/paths.ts";
import { errorTable, HEADERS, headerTable, SHARED_HEADERS } from "../docs/responses.ts";
import { SLOW_MS } from "../features/sandbox/simulated-faults.ts";
import { SECOND_MS } from "../core/values/time.ts";
import { readEnvironment } from "./deployed-environment.ts";
import { PROJECT_ROOT } from "./paths.ts";
import { DOCUMENT, generateReference, unknownFiles, writeReference } from "./reference.ts";

/** Its table of columns is generated, the rest is written by hand. */
const PERSONAL = path.join(PROJECT_ROOT, "docs/personal-data.md");

const document = await generate();
const generated = {
  [DOCUMENT]: document,
  [PERSONAL]: await withColumns(readFileSync(PERSONAL, "utf8")),
};
if (process.argv.includes("--check")) {
  const reference = await generateReference(document);
  const outdated = Object.entries({ ...generated, ...reference })
    .filter(([file, text]) => !existsSync(file) || text !== readFileSync(file, "utf8"))
    .map(([file]) => file);
  for (const file of [...outdated, ...unknownFiles(reference)]) {
    console.error(`${path.relative(PROJECT_ROOT, file)} is out of date: run npm run docs`);
    process.exitCode = 1;
  }
} else {
  for (const [file, text] of Object.entries(generated)) writeFileSync(file, text);
  await writeReference(document);
}

/** The OpenAPI document as JSON. */
async function generate(): Promise<string> {
  const [sandbox, production] = [
    await readEnvironment("sandbox"),
    await readEnvironment("production"),
  ];
  const { PUBLIC_URL, SUPPORT_EMAIL, REGIONS = [PUBLIC_URL] } = production.vars;
  if (sandbox.vars.SUPPORT_EMAIL !== SUPPORT_EMAIL) {
    throw new Error(
      "wrangler.toml: SUPPORT_EMAIL must be the same for sandbox and production, because they share the document",
    );
  }
  const parts: Record<string, string> = {
    sandbox: sandbox.vars.PUBLIC_URL,
    production: PUBLIC_URL,
    regions: Object.values(REGIONS)
      .map((url) => `\`${url}\``)
      .join(", "),
    support: SUPPORT_EMAIL,
    sandboxLimit: String(sandbox.ratelimits[0]?.simple.limit),
    productionLimit: String(production.ratelimits[0]?.simple.limit),
    curl: read("src/docs/first-order.sh").trimEnd(),
    // Partners import the package, and the example its source.
    typescript: read("examples/gift-links.ts")
      .replace("../packages/client/src/index.ts", "@regalo/client")
      .trimEnd(),
    credentials: headerTable(SECURITY_SCHEMES),
    headers: headerTable({ ...HEADERS, ...SHARED_HEADERS }),
    errors: errorTable(),
    events: eventTable(),
    slowSeconds: String(SLOW_MS / SECOND_MS),
  };
  // With these comments, Prettier does not change the placeholders in code blocks.
  const guide = read("src/docs/guide.md").replaceAll("<!-- prettier-ignore -->\n", "");
  return `${fillIn(openApiDocument(guide), parts)}\n`;
}

/** The page with the table of the columns that the schema marks as personal. */
async function withColumns(page: string): Promise<string> {
  const filled = page.replace(
    /(<!-- columns -->\n)[^]*(<!-- \/columns -->)/,
    (_, first: string, last: string) => `${first}\n${personalDataTable()}\n\n${last}`,
  );
  return format(filled, { ...(await resolveConfig(PERSONAL)), parser: "markdown" });
}

/**
 * The document as JSON, with links to operations, and with each `{{name}}` in its texts replaced by the part of that name,
 * which may itself contain placeholders. Throws if a part is missing or not used.
 */
function fillIn(document: object, parts: Record<string, string>): string {
  const unused = new Set(Object.keys(parts));
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`src/docs: there is no part ${whole}`);
      unused.delete(name);
      return fill(part);
    });
  const json = JSON.stringify(
    document,
    (_, value: unknown) => (typeof value === "string" ? withLinks(fill(value)) : value),
    2,
  );
  if (unused.size > 0) throw new Error(`src/docs does not use ${[...unused].join(", ")}`);
  return json;
}

function read(file: string): string {
  return readFileSync(path.join(PROJECT_ROOT, file), "utf8");
}
