// The console: its middleware and the pages of each part.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HonoBase } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { routePath } from "hono/route";
import { knownTimeZone } from "../core/values/time-zone.ts";
import { logEvent, logFault } from "../platform/log.ts";
import { refuseOtherOrigins } from "./access/forms.ts";
import { accessIdentity, type Identify } from "./access/identity.ts";
import { OPERATIONS } from "../operator/operations.ts";
import { errorResponse } from "./api/errors.ts";
import { API_PREFIX, apiPath, operatorApi } from "./api/routes.ts";
import { brokenConsoleRules } from "./configuration.ts";
import { type ConsoleContext, consoleDeadlines, type ConsoleEnv } from "./environment.ts";
import { consoleRoutes } from "./pages/routes.ts";
import { sentencePage, onConsoleError, onNotFound, pageResponse } from "./respond.tsx";
import { pagePath } from "./skin/paths.ts";
import { ERRORS } from "./texts/common.ts";
import { staticFile } from "./ui/static.ts";

/** Of the fields of a form without its files. */
const MAX_FIELDS_BYTES = 1e6;

/** The largest body at each path of an operation. */
const MAX_BODY_BYTES: ReadonlyMap<string, number> = new Map(
  OPERATIONS.flatMap((operation) => {
    const files = Object.values(operation.input).map(({ maxBytes = 0 }) => maxBytes);
    const bytes = files.reduce((sum, each) => sum + each, MAX_FIELDS_BYTES);
    return [apiPath(operation), pagePath(operation)].map((path) => [path, bytes] as const);
  }),
);

const limitBody: MiddlewareHandler<ConsoleEnv> = (c, next) =>
  bodyLimit({
    maxSize: MAX_BODY_BYTES.get(c.req.path) ?? MAX_FIELDS_BYTES,
    onError: () =>
      c.req.path.startsWith(API_PREFIX)
        ? errorResponse(c, "payload_too_large", ERRORS.tooLarge.text)
        : pageResponse(c, sentencePage(ERRORS.tooLarge), 413),
  })(c, next);

/** `now` is the clock of all requests. */
export function createConsole(
  now: () => number = Date.now,
  identify: Identify = accessIdentity(now),
) {
  const app = new HonoBase<ConsoleEnv>({ router: new RegExpRouter() })
    .onError(onConsoleError)
    .notFound((c) =>
      c.req.path.startsWith(API_PREFIX)
        ? errorResponse(c, "not_found", "There is no such operation.")
        : onNotFound(c),
    )
    .use(requestLog(now))
    .use(requireUser(identify))
    .use(deadlines)
    .use(refuseOtherOrigins)
    .post("*", limitBody)
    .get("/static/:file", (c) => staticFile(c.req.param("file")) ?? c.notFound());
  app.route("/", operatorApi());
  app.route("/", consoleRoutes().hono);
  return app;
}

/** Sets the request's id and time, and logs its route without parameters and query. Nothing is cached. */
const requestLog =
  (now: () => number): MiddlewareHandler<ConsoleEnv> =>
  async (c, next) => {
    const startedAtMs = now();
    c.set("requestId", crypto.randomUUID());
    c.set("nowMs", startedAtMs);
    const { timezone } = c.req.raw.cf ?? {};
    c.set("timeZone", (typeof timezone === "string" && knownTimeZone(timezone)) || "UTC");
    await next();
    const { headers, status } = c.res;
    headers.set("X-Request-Id", c.get("requestId"));
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    headers.set("Content-Security-Policy", policyFor(c.env.PUBLIC_URL));
    logEvent("request", {
      requestId: c.get("requestId"),
      worker: "console",
      method: c.req.method,
      route: routePath(c, -1),
      status,
      durationMs: now() - startedAtMs,
    });
  };

const HEADERS = {
  "Strict-Transport-Security": "max-age=15552000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Product pictures may be on any host. Those of paths are served at PUBLIC_URL. */
const policyFor = (publicUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src https: data: ${publicUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** A text, and for programs an error of the API. */
const refuse = (c: ConsoleContext, code: "forbidden" | "service_unavailable", text: string) =>
  c.req.path.startsWith(API_PREFIX)
    ? errorResponse(c, code, text)
    : c.text(text, code === "forbidden" ? 403 : 503);

/**
 * Refuses every request without a person who has a role, and every request while the configuration is invalid. The response
 * shows nothing of the console.
 */
const requireUser =
  (identify: Identify): MiddlewareHandler<ConsoleEnv> =>
  async (c, next) => {
    const requestId = c.get("requestId");
    const broken = brokenConsoleRules(c.env);
    if (broken.length > 0) {
      logFault("configuration.invalid", new Error(broken.join("; ")), { requestId });
      return refuse(c, "service_unavailable", ERRORS.unavailable.text);
    }
    const user = await identify(c.req.raw, c.env).catch((error: unknown) => {
      logFault("request.failed", error, { requestId, route: "access" });
      return undefined;
    });
    if (user === undefined) return refuse(c, "service_unavailable", ERRORS.unavailable.text);
    if (user === null) return refuse(c, "forbidden", ERRORS.forbidden);
    c.set("user", user);
    await next();
    return undefined;
  };

const deadlines: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  c.env = consoleDeadlines(c.env);
  await next();
};
