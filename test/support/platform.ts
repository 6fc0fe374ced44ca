// The local D1 and KV for tests that run commands in their own process.
import path from "node:path";
import { getPlatformProxy } from "wrangler";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import type { Bindings } from "../../src/env.ts";
import { copyMigrated } from "./migrated.ts";

export type LocalPlatform = Awaited<ReturnType<typeof getPlatformProxy<Bindings>>>;

/** Creates a database in the folder, and opens it. */
export function createPlatform(folder: string): Promise<LocalPlatform> {
  copyMigrated(folder);
  return openPlatform(folder);
}

/** Opens the database in the folder. A command would need half a second for it, so tests open it once. */
export function openPlatform(folder: string): Promise<LocalPlatform> {
  return getPlatformProxy<Bindings>({
    configPath: path.join(PROJECT_ROOT, "wrangler.toml"),
    persist: { path: path.join(folder, "v3") },
    remoteBindings: false,
  });
}
