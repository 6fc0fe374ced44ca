// The local D1 and KV of a test file that runs commands in its own process. A command would need half a second to open
// them, so the file opens them once, and cli.setup.ts gives them to the commands.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openLocal } from "../../src/cli/bindings.ts";
import seed from "../../seed/catalogue.json" with { type: "json" };
import { readRegalo } from "../../src/operator/catalogue/import/regalo.ts";
import { fromSource } from "../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { copyMigrated } from "../servers/migrated.ts";

/** The open bindings. */
export const platform = {} as { env: Bindings };

let dispose = () => Promise.resolve();

/** Closes the database that is open, and opens the one in the folder. */
export async function openPlatform(folder: string): Promise<void> {
  await dispose();
  ({ env: platform.env, dispose } = await openLocal(folder));
}

/** Publishes the products of the demo data as the catalogue `main`. */
export async function publishSeed(): Promise<void> {
  await publish(platform.env.DB, "main", readRegalo(seed).products.map(fromSource), Date.now());
}

/** Runs `work` with another database, for example one whose calls fail. */
export async function withDatabase<T>(DB: D1Database, work: () => Promise<T>): Promise<T> {
  const { env } = platform;
  platform.env = { ...env, DB };
  try {
    return await work();
  } finally {
    platform.env = env;
  }
}

/**
 * Creates a database before the tests of the file, and opens it. Returns a folder for files of the tests, which is
 * deleted afterwards, and in it the folder of the local state.
 */
export function usePlatform(): { folder: string; state: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-platform-"));
  const state = path.join(folder, "state");
  beforeAll(async () => {
    copyMigrated(state);
    await openPlatform(state);
  });
  afterAll(async () => {
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, state };
}
