// The package as a bundle, and as it is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../../public/openapi.json";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { NODE } from "../../servers/command.ts";
import { runs } from "../../support/runs.ts";

const PACKAGE = path.join(PROJECT_ROOT, "packages/client");

test.each(["browser", "neutral"] as const)(
  "is bundled for the platform %s to at most 8 KB compressed, without imports",
  async (platform) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [path.join(PACKAGE, "src/index.ts")],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      platform,
      format: "esm",
      logLevel: "error",
    });
    expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThanOrEqual(8_192);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  },
);

const PROGRAM = `
import { createClient, RegaloConnectionError, type RegaloEvent, type Schemas, verifyWebhook } from "@regalo/client";

const regalo = createClient({ url: "http://127.0.0.1:9", clientId: "a", apiKey: "b", apiPassword: "c", maxAttempts: 1 });
async function use(): Promise<Schemas["Order"]> {
  await verifyWebhook("whsec_", new Headers(), "");
  for await (const { product_id } of regalo.items("/api/products")) product_id.toFixed();
  // @ts-expect-error -- the parameter is required
  await regalo.get("/api/product");
  // @ts-expect-error -- a misspelled field
  await regalo.post("/api/order/cancel", { order: 1 });
  // @ts-expect-error -- not a list
  regalo.pages("/api/order", { order_id: 1 });
  // @ts-expect-error -- the body is required
  await regalo.orders.place();
  return regalo.orders.get({ order_id: 1 });
}
export function fieldOf(event: RegaloEvent): string | null {
  if (event.type === "gift.shipped") return event.data.tracking_number;
  // @ts-expect-error -- this event has it, and others may not
  if (event.type === "gift.sent") return event.data.carrier;
  // @ts-expect-error -- no event has this type
  if (event.type === "gift.shiped") return null;
  return event.type === "credit.low" ? event.data.alert_below : null;
}
/** Lists of a response may gain values, and lists of a request may not. */
export const later: Schemas["Order"]["order_status"] = "refunded";
// @ts-expect-error -- not a value
export const wrong: Schemas["CredentialRequest"] = { scope: "root" };
export const events: RegaloEvent[] = EVENTS;
regalo.webhooks.list().catch((error: unknown) => {
  if (!(error instanceof RegaloConnectionError)) throw new Error("unexpected");
  console.log(typeof use, events.length);
});
`;

/** The examples of events in the reference. */
const EVENTS = Object.values(
  openapi.webhooks.event.post.requestBody.content["application/json"].examples,
).map(({ value }) => value);

/** The settings of programs, and the type of their package. A full run checks all. */
const SETTINGS = [
  ["module", "--module nodenext"],
  // NestJS and ts-jest.
  [
    "commonjs",
    "--module commonjs --moduleResolution node10 --ignoreDeprecations 6.0 --esModuleInterop false",
  ],
  ["module", "--module es2022 --moduleResolution bundler"],
  ["commonjs", "--module node16"],
] as const;

describe("the package", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-client-"));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8" });

  beforeAll(() => {
    const installed = path.join(folder, "node_modules/@regalo/client");
    run(NODE, path.join(PACKAGE, "build.js"), path.join(installed, "dist"));
    execFileSync("cp", [path.join(PACKAGE, "package.json"), installed]);
    const program = PROGRAM.replace("EVENTS", JSON.stringify(EVENTS));
    writeFileSync(path.join(folder, "main.ts"), program);
  }, 60_000);

  test.each(SETTINGS.slice(0, runs(4, 2)))(
    "is type-checked and run in a package of type %s with %s",
    (type, settings) => {
      writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type }));
      const tsc = path.join(PROJECT_ROOT, "node_modules/typescript/bin/tsc");
      const checked = "--skipDefaultLibCheck --strict --target es2022 --lib es2022,dom";
      run(NODE, tsc, ...`${checked} ${settings}`.split(" "), "main.ts");
      expect(run(NODE, "main.js")).toBe(`function ${String(EVENTS.length)}\n`);
    },
    60_000,
  );
});
