// A deployment that lacks what it cannot work without says so, in the log and to callers, before anything else.
import type { MiddlewareHandler } from "hono";
import type { AppEnv, Bindings } from "../env.ts";
import { ApiError } from "../errors.ts";
import { logFault } from "../log.ts";

/** KV and the rate limiter are not among them: without a cache and a limit everything is still right. */
const NEEDED: (keyof Bindings)[] = ["DB", "PUBLIC_URL", "GIFT_LINK_SECRET"];

/** Errors: `service_unavailable`. */
export const requireBindings: MiddlewareHandler<AppEnv> = async (c, next) => {
  const missing = NEEDED.filter((name) => !c.env[name]);
  if (missing.length > 0) {
    logFault("bindings", new Error(`missing: ${missing.join(", ")}`));
    throw new ApiError("service_unavailable", "Regalo is not set up completely: try again later.");
  }
  await next();
};
