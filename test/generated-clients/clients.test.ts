// Clients that are generated from the OpenAPI document. Each is compiled under strict TypeScript and used with a
// local server. `npm run check:clients` installs the generators.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { serve, type Served } from "../support/harness.ts";
import type { Given, Seen } from "./use/use.ts";

const HERE = import.meta.dirname;
const GENERATED = path.join(HERE, "generated");
const DOCUMENT = path.join(HERE, "../../public/openapi.json");
const DEMO = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };

let served: Served;
beforeAll(async () => {
  served = await serve();
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED);
}, 60_000);
afterAll(() => served.close());

/** Runs a tool of this folder or of the project. Throws with its output if it fails. */
async function run(tool: string, ...args: string[]): Promise<void> {
  const bin = ["node_modules/.bin", "../../node_modules/.bin"].map((dir) => path.join(HERE, dir));
  await promisify(execFile)(tool, args, {
    cwd: HERE,
    env: {
      ...process.env,
      PATH: `${bin.join(":")}:${String(process.env["PATH"])}`,
      REGALO_URL: served.url,
    },
  });
}

const TYPES = ["--default-non-nullable=false"];
const GENERATORS: Record<string, [tool: string, ...args: string[]]> = {
  "openapi-typescript": [
    "openapi-typescript",
    ...[DOCUMENT, "-o", "generated/openapi-typescript.ts", ...TYPES],
  ],
  "openapi-typescript-enum": [
    "openapi-typescript",
    ...[DOCUMENT, "-o", "generated/openapi-typescript-enum.ts", "--enum", ...TYPES],
  ],
  orval: ["orval", "--config", "orval.config.mjs"],
  "hey-api": ["openapi-ts", "-i", DOCUMENT, "-o", "generated/hey-api"],
  "openapi-zod-client": [
    "openapi-zod-client",
    ...[DOCUMENT, "-o", "generated/openapi-zod-client", "--export-schemas"],
    ...["--group-strategy", "tag-file"],
  ],
};

describe("clients in TypeScript", () => {
  test.each(Object.keys(GENERATORS))("%s is generated", async (name) => {
    await run(...(GENERATORS[name] as [string]));
  });

  test("compile under strict TypeScript together with their callers", async () => {
    await run("tsc", "-p", "use");
  });

  test.each(Object.keys(GENERATORS))("%s places and reads an order", async (name) => {
    const { use } = (await import(`./use/${name}.ts`)) as { use: (given: Given) => Promise<Seen> };
    const seen = await use({ url: served.url, headers: DEMO, orderRefId: name });
    expect(seen).toMatchObject({ firstProductId: 1001, price: "64.00", currency: "AUD" });
    expect(seen.giftUrl).toContain("/redeem/");
    expect(seen.giftUrlReadBack).toBe(seen.giftUrl);
  });
});

interface Item {
  name: string;
  item?: Item[];
  request?: { url: { query?: { key: string; disabled?: boolean }[] } };
}

describe("the Postman collection", () => {
  test("sends all requests of the document with their examples", async () => {
    const collection = path.join(GENERATED, "postman.json");
    const report = path.join(GENERATED, "newman.json");
    await run(
      "openapi2postmanv2",
      "-s",
      DOCUMENT,
      "-o",
      collection,
      "-O",
      "parametersResolution=Example",
    );
    choosePostmanParameters(collection);
    const values = { baseUrl: served.url, apiKey: DEMO["API-KEY"] };
    const variables = Object.entries(values).flatMap(([name, value]) => [
      "--env-var",
      `${name}=${value}`,
    ]);
    await run(
      "newman",
      "run",
      collection,
      ...variables,
      "-r",
      "json",
      "--reporter-json-export",
      report,
    );

    const { run: ran } = JSON.parse(readFileSync(report, "utf8")) as {
      run: { executions: { item: Item; response: { code: number } }[] };
    };
    const summaries = Object.values(openapi.paths).flatMap((operations) =>
      Object.values(operations).map(({ summary }) => summary),
    );
    expect(ran.executions.map(({ item, response }) => [item.name, response.code]).sort()).toEqual(
      summaries.map((summary) => [summary, 200]).sort(),
    );
  });
});

const UNUSED_PARAMETERS = ["order_id", "order_number", "updated_from", "cursor"];

/**
 * Postman sends every parameter. Only one of those that select orders may be set, and the cursor of a list belongs to
 * the filters of an earlier page.
 */
function choosePostmanParameters(file: string): void {
  const collection = JSON.parse(readFileSync(file, "utf8")) as Item;
  const visit = ({ item = [], request }: Item) => {
    for (const parameter of request?.url.query ?? []) {
      if (UNUSED_PARAMETERS.includes(parameter.key)) parameter.disabled = true;
    }
    item.forEach(visit);
  };
  visit(collection);
  writeFileSync(file, JSON.stringify(collection));
}
