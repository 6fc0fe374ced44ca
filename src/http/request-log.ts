// The request log: a JSON line for each request. It contains the route's pattern and not the path, because the path of
// a gift link is a secret. It contains no bodies and no query strings.
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Client } from "../clients/profile.ts";
import { logEvent } from "../log.ts";
import { recordRequest } from "../metrics.ts";
import type { AppEnv } from "./context.ts";
import type { ErrorCode } from "../api-error.ts";

/** Sets the request's id and time, and logs the request after its response is complete. */
export function requestLog(now: () => number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = crypto.randomUUID();
    const startedAtMs = now();
    c.set("requestId", requestId);
    c.set("nowMs", startedAtMs);
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    const request = {
      client: (c.get("client") as Client | undefined)?.id,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      code: c.get("errorCode") as ErrorCode | undefined,
      durationMs: now() - startedAtMs,
    };
    logEvent("request", { requestId, ...request });
    recordRequest(c.env, { ...request, databaseCalls: c.get("databaseCalls") ?? 0 });
  };
}
