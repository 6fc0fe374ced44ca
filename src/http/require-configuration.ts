// Checks the deployment's configuration. If it is invalid, every request except GET /health is refused before data is
// read or written.
import type { MiddlewareHandler } from "hono";
import { brokenRules } from "../configuration.ts";
import type { AppEnv } from "./context.ts";
import { ApiError } from "../api-error.ts";
import type { Bindings } from "../env.ts";
import { logFault } from "../log.ts";

/** Bindings do not change during the life of an isolate, so they are checked once. */
const checked = new WeakMap<object, string[]>();

/** A message for each rule that the configuration breaks. */
function brokenConfiguration(env: Bindings): string[] {
  const broken = checked.get(env) ?? brokenRules(env);
  checked.set(env, broken);
  return broken;
}

/** GET /health, which reports whether the configuration is valid. */
export const HEALTH_PATH = "/health";

/** Errors: `service_unavailable`. */
export const requireConfiguration: MiddlewareHandler<AppEnv> = async (c, next) => {
  const broken = brokenConfiguration(c.env);
  c.set("isConfigured", broken.length === 0);
  if (broken.length > 0) {
    logFault("configuration.invalid", new Error(broken.join("; ")));
    if (c.req.path !== HEALTH_PATH) {
      throw new ApiError(
        "service_unavailable",
        "Regalo is not set up completely: try again later.",
      );
    }
  }
  await next();
};
