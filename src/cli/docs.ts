// `npm run docs`: generates the OpenAPI document, the table of personal data, the reference and the types of packages/client. With
// --check, it writes nothing and fails if a file differs from the generated one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { unstable_readConfig as readConfig } from "wrangler";
import * as z from "zod";
import { openApiDocument, withLinks } from "../docs/document.ts";
import { eventTable } from "../docs/event-table.ts";
import { personalDataTable } from "../docs/personal-data.ts";
import { SECURITY_SCHEMES } from "../docs/paths.ts";
import { errorTable, HEADERS, headerTable, SHARED_HEADERS } from "../docs/responses.ts";
import { SLOW_MS } from "../features/sandbox/simulated-faults.ts";
import { SECOND_MS } from "../core/values/time.ts";
import { CONFIG, PROJECT_ROOT } from "./paths.ts";
import { DOCUMENT, generateReference, unknownFiles, writeReference } from "./reference.ts";

const Environment = z.object({
  vars: z.object({
    PUBLIC_URL: z.string(),
    SUPPORT_EMAIL: z.email(),
    REGIONS: z.optional(z.record(z.string(), z.string())),
  }),
  ratelimits: z.tuple([z.object({ simple: z.object({ limit: z.int() }) })], z.unknown()),
});

/** Its table of columns is generated, the rest is written by hand. */
const PERSONAL = path.join(PROJECT_ROOT, "docs/personal-data.md");

const document = generate();
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
function generate(): string {
  const [sandbox, production] = [readEnvironment("sandbox"), readEnvironment("production")];
  if (sandbox.support !== production.support) {
    throw new Error(
      "wrangler.toml: SUPPORT_EMAIL must be the same for sandbox and production, because they share the document",
    );
  }
  const parts: Record<string, string> = {
    sandbox: sandbox.url,
    production: production.url,
    regions: production.regions.map((url) => `\`${url}\``).join(", "),
    support: production.support,
    sandboxLimit: String(sandbox.limit),
    productionLimit: String(production.limit),
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

/** The origin, support address and rate limit (requests a minute) of an environment, and the origins of all regions. */
function readEnvironment(env: string) {
  const config: unknown = readConfig({ config: CONFIG, env });
  const { vars, ratelimits } = Environment.parse(config);
  return {
    url: vars.PUBLIC_URL,
    support: vars.SUPPORT_EMAIL,
    limit: ratelimits[0].simple.limit,
    regions: Object.values(vars.REGIONS ?? [vars.PUBLIC_URL]),
  };
}

function read(file: string): string {
  return readFileSync(path.join(PROJECT_ROOT, file), "utf8");
}
