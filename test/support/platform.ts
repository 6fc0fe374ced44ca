// The local D1 and KV for tests that run commands in their own process.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { getPlatformProxy } from "wrangler";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import type { Bindings } from "../../src/env.ts";

export type LocalPlatform = Awaited<ReturnType<typeof getPlatformProxy<Bindings>>>;

/** Creates a database in the folder, and opens it. A command would need seconds to open it, so tests open it once. */
export function openPlatform(folder: string): Promise<LocalPlatform> {
  const words = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder];
  execFileSync(WRANGLER, words, { cwd: PROJECT_ROOT, env: { ...process.env, CI: "true" } });
  return getPlatformProxy<Bindings>({
    configPath: path.join(PROJECT_ROOT, "wrangler.toml"),
    persist: { path: path.join(folder, "v3") },
    remoteBindings: false,
  });
}
