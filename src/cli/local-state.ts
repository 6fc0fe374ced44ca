// The D1 and KV of the local environment, while no server uses them.
import path from "node:path";
import type { Bindings } from "../platform/env.ts";
import { CONFIG } from "./paths.ts";

/** Runs `work` with the bindings of a state, and releases them. `folder` is as in wrangler's --persist-to. */
export async function withLocalState<T>(
  folder: string,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Bindings>({
    configPath: CONFIG,
    // `wrangler dev` stores its state in this subfolder.
    persist: { path: path.join(path.resolve(folder), "v3") },
    remoteBindings: false,
  });
  try {
    return await work(env);
  } finally {
    await dispose();
  }
}
