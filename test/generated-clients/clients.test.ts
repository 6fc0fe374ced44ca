// Clients that other generators make from the OpenAPI document: compiled under strict TypeScript, and used with a local
// server. The generators are no dependencies of the project: npx runs their pinned versions.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { serve } from "../servers/harness.ts";

const DOCUMENT = path.join(PROJECT_ROOT, "public/openapi.json");
const HEADERS = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };
/** The package and the command of each generator. Some need an earlier TypeScript than the project's. */
const GENERATORS = [
  ["@hey-api/openapi-ts@0.99.0", "openapi-ts", "-i", DOCUMENT, "-o", "generated/hey-api"],
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
