// The parts of a request that a tiered cache uses.
import type { Context } from "hono";
import type { TierAccess } from "../cache/tiered.ts";
import type { AppEnv } from "./context.ts";

export function cacheAccess(c: Context<AppEnv>): Omit<TierAccess<unknown>, "load"> {
  return {
    env: c.env,
    nowMs: c.get("nowMs"),
    waitUntil: (work) => {
      c.executionCtx.waitUntil(work);
    },
  };
}
