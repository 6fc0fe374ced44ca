// Makes the demo data and the bundle of the Worker once. Each file uses a copy of the data.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { WRANGLER } from "../../src/cli/paths.ts";
import { run } from "../servers/command.ts";
import { seededState } from "../servers/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of a local state. */
    seeded: string;
    /** The file of the Worker. */
    bundle: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-bundle-"));
  const words = ["deploy", "src/index.ts", "--dry-run", "--minify", "--env", "", "--outdir"];
  const [state, bundled] = await Promise.all([seededState(), run(WRANGLER, [...words, folder])]);
  if (bundled.code !== 0) throw new Error(bundled.err);
  provide("seeded", state.folder);
  provide("bundle", path.join(folder, "index.js"));
  return () => {
    state.remove();
    rmSync(folder, { recursive: true });
  };
}
