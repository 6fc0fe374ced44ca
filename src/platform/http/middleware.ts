// The middleware of all requests: log, configuration, deadlines, and security headers. The log is a JSON line
// for each request. It contains the route's pattern and not the path, because the path of a gift link is a secret. It
// contains no bodies and no query strings.
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { ApiError, type ErrorCode } from "../../core/api-error.ts";
import { brokenRules } from "../configuration.ts";
import { requestSessions } from "../db/sessions.ts";
import { withDeadlines } from "../deadlines.ts";
import type { Bindings } from "../env.ts";
import { logEvent, logFault } from "../log.ts";
import { recordRequest } from "../metrics.ts";
import { type AppEnv, toolRequests } from "./context.ts";

/** Sets the request's id and time, and logs the request after its response is complete. */
export function requestLog(now: () => number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = crypto.randomUUID();
    const startedAtMs = now();
    c.set("requestId", requestId);
    c.set("nowMs", startedAtMs);
    c.set("isOfTool", toolRequests.has(c.req.raw));
    c.set("granted", toolRequests.get(c.req.raw));
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    const request = {
      client: (c.get("client") as { id: string } | undefined)?.id,
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

/**
 * Refuses every request except GET /health, before data is read or written, if the configuration is invalid. All further
 * calls to bindings have deadlines. Errors: `service_unavailable`.
 */
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
  c.env = withDeadlines(c.env);
  await next();
};

/**
 * Opens the sessions of the request. Its database is the primary. The bindings are copied, because all requests of an
 * isolate share the object.
 */
export const requestDatabase: MiddlewareHandler<AppEnv> = async (c, next) => {
  const countCall = () => {
    c.set("databaseCalls", (c.get("databaseCalls") ?? 0) + 1);
  };
  const sessions = requestSessions(c.env.DB, countCall);
  c.set("sessions", sessions);
  c.env = { ...c.env, DB: sessions.primary() };
  await next();
};

/** HTTPS only, no MIME sniffing, no frames. Each header adds about 1 % to the time of a cached catalogue page. */
export const SECURITY_HEADERS = {
  "Strict-Transport-Security": "max-age=15552000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "SAMEORIGIN",
};

/** Further headers, which protect HTML documents. */
export const PAGE_SECURITY_HEADERS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-XSS-Protection": "0",
};

/** Sets the headers of every response. */
export function responseHeaders(headers: Record<string, string>): MiddlewareHandler<AppEnv> {
  const entries = Object.entries(headers);
  return async (c, next) => {
    await next();
    for (const [name, value] of entries) c.res.headers.set(name, value);
  };
}
