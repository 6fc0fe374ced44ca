// The bindings of an environment, for commands that run in Node beside the Worker.
import path from "node:path";
import { getPlatformProxy } from "wrangler";
import type { Bindings } from "../env.ts";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");

/** Runs `work` on the local D1 and KV, the ones that `wrangler dev` serves, and lets go of them. */
export async function withLocalPlatform<T>(work: (env: Bindings) => Promise<T>): Promise<T> {
  const platform = await getPlatformProxy<Bindings>({
    configPath: path.join(PROJECT_ROOT, "wrangler.toml"),
    persist: { path: path.join(PROJECT_ROOT, ".wrangler/state/v3") },
    remoteBindings: false,
  });
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}
