// Security headers of responses, and the challenge of a 401.
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";

/** The challenge of a 401 (RFC 9110, section 11.6.1). It is not `Basic`, for which browsers open a dialog. */
export const CHALLENGE = 'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"';

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
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}
