// `npm run docs`: writes what partners integrate against. With --check it only compares, and fails where the
// committed files are not what the code gives.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import openapiTypes, { astToString } from "openapi-typescript";
import { format, resolveConfig } from "prettier";
import { unstable_readConfig as readConfig } from "wrangler";
import * as z from "zod";
import { readRegalo } from "../catalogue/import/regalo.ts";
import { openApiDocument } from "../docs/document.ts";
import { errorTable } from "../docs/error-codes.ts";
import type { OpenApi } from "../docs/page/openapi.ts";
import { referencePage } from "../docs/page/page.ts";
import { trialTable, UNPROVOKED } from "../docs/trials.ts";
import { PROJECT_ROOT } from "./platform.ts";

const Environment = z.object({
  vars: z.object({ PUBLIC_URL: z.string(), SUPPORT_EMAIL: z.email() }),
  ratelimits: z.tuple([z.object({ simple: z.object({ limit: z.int() }) })]),
});

const files = await generate();
if (process.argv.includes("--check")) {
  const stale = Object.entries(files).filter(([file, text]) => text !== readIfThere(file));
  for (const [file] of stale) console.error(`${file} is not what the code gives: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of Object.entries(files)) writeFileSync(inProject(file), text);
}

async function generate(): Promise<Record<string, string>> {
  const [sandbox, production] = [environment("sandbox"), environment("production")];
  if (sandbox.support !== production.support) {
    throw new Error(
      "wrangler.toml: SUPPORT_EMAIL must be the same for sandbox and production, which share the document",
    );
  }
  const parts: Record<string, string> = {
    sandbox: sandbox.url,
    production: production.url,
    support: production.support,
    sandboxLimit: String(sandbox.limit),
    productionLimit: String(production.limit),
    curl: read("src/docs/first-order.sh").trimEnd(),
    typescript: read("examples/gift-links.ts").trimEnd(),
    errors: errorTable(),
    trials: trialTable(sandbox.limit),
    unprovoked: UNPROVOKED.map((code) => `\`${code}\``).join(", "),
  };
  const document = openApiDocument({
    servers: { sandbox: sandbox.url, production: production.url },
    support: production.support,
    catalogue: readRegalo(read("seed/catalogue.json")).products.map(({ product }) => product),
    guide: fillIn(read("src/docs/guide.md"), parts),
  });
  const json = JSON.stringify(document, null, 2);
  const types = astToString(await openapiTypes(json, { defaultNonNullable: false }));
  return {
    "public/openapi.json": `${json}\n`,
    "public/docs.html": await referencePage(JSON.parse(json) as OpenApi),
    "examples/regalo.d.ts": await format(
      `// The types of Regalo's API, generated from its OpenAPI document by \`npm run docs\`.\n${types}`,
      { ...(await resolveConfig(inProject("examples/regalo.d.ts"))), parser: "typescript" },
    ),
  };
}

/** The guide with each `{{name}}` filled in; throws when it names what there is not, or leaves a part out. */
function fillIn(guide: string, parts: Record<string, string>): string {
  const unused = new Set(Object.keys(parts));
  const text = guide
    // What keeps Prettier from the placeholders inside of code is nothing for readers.
    .replaceAll("<!-- prettier-ignore -->\n", "")
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`src/docs/guide.md: ${whole} is not known`);
      unused.delete(name);
      return part;
    });
  if (unused.size > 0) throw new Error(`src/docs/guide.md lacks ${[...unused].join(", ")}`);
  return text;
}

/** Where an environment is reached, whom its partners ask, and how many requests a minute it allows. */
function environment(env: string): { url: string; support: string; limit: number } {
  const config: unknown = readConfig({ config: inProject("wrangler.toml"), env });
  const { vars, ratelimits } = Environment.parse(config);
  return {
    url: vars.PUBLIC_URL,
    support: vars.SUPPORT_EMAIL,
    limit: ratelimits[0].simple.limit,
  };
}

function inProject(file: string): string {
  return path.join(PROJECT_ROOT, file);
}

function read(file: string): string {
  return readFileSync(inProject(file), "utf8");
}

function readIfThere(file: string): string | undefined {
  return existsSync(inProject(file)) ? read(file) : undefined;
}
