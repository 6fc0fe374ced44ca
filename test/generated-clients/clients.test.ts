// Clients that other generators make from the OpenAPI document: compiled under strict TypeScript, and used with a local
// server. The generators are no dependencies of the project: npx runs their pinned versions.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { serve } from "../servers/harness.ts";

const DOCUMENT = path.join(PROJECT_ROOT, "public/openapi.json");
const HEADERS = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };
/** The package and the command of each generator. Some need an earlier TypeScript than the project's. */
const GENERATORS = [
  [
    ...["@hey-api/openapi-ts@0.99.0", "openapi-ts", "-i", DOCUMENT, "-o", "generated/hey-api"],
    ...["-p", "@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript", "zod"],
  ],
  ["orval@8.32.0", "orval", "-i", DOCUMENT, "-o", "generated/orval.ts", "--client", "fetch"],
  ["openapi-zod-client@1.18.3", "openapi-zod-client", DOCUMENT, "-o", "generated/zod.ts"],
] as const;

const npx = (...args: string[]) =>
  promisify(execFile)("npx", ["--yes", ...args], { cwd: import.meta.dirname });

interface Seen {
  firstProductId: number | undefined;
  giftUrl: string | undefined;
  giftUrlReadBack: string | undefined;
}
interface GeneratedClient {
  use: (url: string, headers: typeof HEADERS) => Promise<Seen>;
}

beforeAll(async () => {
  for (const [generator, ...command] of GENERATORS) {
    await npx("--package", generator, "--package", "typescript@5.9.3", "--", ...command);
  }
}, 300_000);

test("clients compile under strict TypeScript together with their callers", async () => {
  await npx("tsc", "-p", "use");
});

interface Schema {
  "x-extensible-enum"?: string[];
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
/** What the test uses of a schema of Zod. */
interface ZodSchema {
  unwrap?: () => ZodSchema;
  shape?: Record<string, ZodSchema>;
  safeParse: (value: string) => { success: boolean };
}

/** Each list of values in the schema, and whether the generated schema accepts another value. */
function* lists(schema: Schema, zod: ZodSchema, place: string): Generator<[string, boolean]> {
  const { anyOf, items, properties = {} } = schema;
  const inner = items ?? anyOf?.[0];
  if (inner) return yield* lists(inner, zod.unwrap?.() ?? zod, place);
  if (zod.unwrap) return yield* lists(schema, zod.unwrap(), place);
  if ((schema["x-extensible-enum"] ?? schema.enum ?? []).length > 1) {
    yield [place, zod.safeParse("a_later_value").success];
  }
  for (const [name, property] of Object.entries(properties)) {
    const field = zod.shape?.[name];
    if (field) yield* lists(property, field, `${place}.${name}`);
  }
}

test("a client that validates accepts new values in responses, and not in requests", async () => {
  const file = "./generated/hey-api/zod.gen.ts";
  const generated = (await import(file)) as Record<string, ZodSchema>;
  const all = openapi.components.schemas as unknown as Record<string, Schema>;
  const schemas = Object.entries(all).flatMap(([name, schema]) => {
    const zod = generated[`z${name}`];
    return zod ? [...lists(schema, zod, name)] : [];
  });
  const [requests, responses] = [true, false].map((isRequest) =>
    schemas.filter(([place]) => place.includes("Request.") === isRequest),
  );
  expect(responses?.length).toBeGreaterThan(50);
  expect(responses?.filter(([, accepted]) => !accepted)).toEqual([]);
  expect(requests?.length).toBeGreaterThan(5);
  expect(requests?.filter(([, accepted]) => accepted)).toEqual([]);
});

test.each(["hey-api", "orval"])("the client of %s places and reads an order", async (name) => {
  const server = await serve();
  try {
    const { use } = (await import(`./use/${name}.ts`)) as GeneratedClient;
    const { firstProductId, giftUrl, giftUrlReadBack } = await use(server.url, HEADERS);
    expect(firstProductId).toBe(1001);
    expect(giftUrl).toContain("/redeem/");
    expect(giftUrlReadBack).toBe(giftUrl);
  } finally {
    await server.close();
  }
});
