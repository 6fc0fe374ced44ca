// The package as a bundle, and as it is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { NODE } from "../../servers/command.ts";

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
import { createClient, RegaloError, type Schemas, verifyWebhook } from "@regalo/client";

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
  return regalo.get("/api/order", { order_id: 1 });
}
const error: unknown = await regalo.get("/api/webhooks").catch((error: unknown) => error);
if (!(error instanceof TypeError) || error instanceof RegaloError) throw new Error("unexpected");
console.log(typeof use);
`;

test("is packed, installed, type-checked with strict settings and run by Node", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-client-"));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8" });
  try {
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(path.join(folder, "main.ts"), PROGRAM);
    const tsc = path.join(PROJECT_ROOT, "node_modules/typescript/bin/tsc");
    const installed = path.join(folder, "node_modules/@regalo/client");
    run(NODE, tsc, "-p", PACKAGE, "--outDir", path.join(installed, "dist"));
    execFileSync("cp", [path.join(PACKAGE, "package.json"), installed]);
    const settings = ["--strict", "--target", "es2022", "--module", "nodenext", "--noEmit"];
    run(NODE, tsc, ...settings, "--lib", "es2022,dom", "--skipDefaultLibCheck", "main.ts");
    expect(run(NODE, "main.ts")).toBe("function\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
