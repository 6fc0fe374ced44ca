// Protects against requests from other sites: the browser's headers must name this origin, and each form contains a token
// that only this session's pages have.
import type { Context, MiddlewareHandler } from "hono";
import { sha256Hex } from "../../core/values/digest.ts";
import type { ConsoleEnv } from "../environment.ts";
import { ERRORS } from "../texts/common.ts";
import { TOKEN_HEADER } from "./identity.ts";

/** The field of the token. */
export const TOKEN_FIELD = "form_token";

/** Refuses changes that a browser sends for a page of another origin. Programs send neither header. */
export const refuseOtherOrigins: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const own = new URL(c.req.url).origin;
  const origin = c.req.header("Origin") ?? own;
  const site = c.req.header("Sec-Fetch-Site") ?? "none";
  const isOwn = origin === own && (site === "same-origin" || site === "none");
  if (!isOwn && c.req.method !== "GET" && c.req.method !== "HEAD") {
    return c.text(ERRORS.otherOrigin, 403);
  }
  await next();
  return undefined;
};

/** The token is derived from the token of Access, which is secret and changes with each session. */
export const formTokenOf = (c: Context<ConsoleEnv>, path: string): Promise<string> =>
  sha256Hex(`form ${path} ${c.req.header(TOKEN_HEADER) ?? ""}`);

/** Whether a submitted form has the token of its path. */
export async function hasToken(c: Context<ConsoleEnv>, token: unknown): Promise<boolean> {
  return token === (await formTokenOf(c, c.req.path));
}
