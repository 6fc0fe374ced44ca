// Handlers of /oauth/… and of the documents that lead there. The library has all of them but the page of consent.
import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { type Api, type AppEnv, createRouter } from "../../platform/http/context.ts";
import {
  type ErrorResponse,
  methodNotAllowed,
  onError,
} from "../../platform/http/error-response.ts";
import { responseHeaders } from "../../platform/http/middleware.ts";
import { countAddress, limitByAddress } from "../../platform/http/rate-limit.ts";
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import type { NewCredentialResponse } from "../credentials/contract.ts";
import { messagePage } from "../pages/message-page.tsx";
import { pageContextOf, recipientPages, respond } from "../pages/respond.ts";
import {
  consentPage,
  type ConsentValues,
  CREDENTIAL_FIELDS,
  programName,
} from "./consent-page.tsx";
import { AUTHORIZE_PATH, oauthHelpers, oauthResponse, USER_PREFIX } from "./server.ts";

/** Some programs open the page in a window, which sends the code back to its opener. */
const WITH_OPENER = responseHeaders({ "Cross-Origin-Opener-Policy": "unsafe-none" });

/** Limits requests that anyone may send and that store data. */
const limitWrites: MiddlewareHandler<AppEnv> = async (c, next) => {
  await countAddress(c, c.env.OAUTH_RATE_LIMITER);
  await next();
};

/** `api` is the app itself: the credential set is created by a request to POST /api/credential. */
export function connectorRoutes(limitBody: MiddlewareHandler<AppEnv>, api: Api) {
  const ofLibrary = async (c: Context<AppEnv>) => {
    const response = await oauthResponse(c.req.raw, c.env, c.executionCtx);
    return response.status === 404 ? c.notFound() : response;
  };
  return createRouter()
    .onError((error, c) => (error instanceof AuthorizationError ? refuse(c) : onError(error, c)))
    .use(AUTHORIZE_PATH, WITH_OPENER, recipientPages)
    .use("/oauth/*", limitByAddress, limitBody)
    .use(AUTHORIZE_PATH, limitWrites)
    .use("/oauth/register", limitWrites)
    .get(AUTHORIZE_PATH, (c) => ask(c, {}))
    .post(AUTHORIZE_PATH, (c) => answer(c, api))
    .all(AUTHORIZE_PATH, methodNotAllowed("GET", "HEAD", "POST"))
    .all("/oauth/*", ofLibrary)
    .all("/.well-known/oauth-authorization-server", ofLibrary)
    .all("/.well-known/oauth-protected-resource/*", ofLibrary);
}

/** The page of an invalid request. It never redirects, because anyone may register an address. */
async function refuse(c: Context<AppEnv>): Promise<Response> {
  const page = await pageContextOf(c, null);
  const { invalid: title, invalidText: content } = page.texts.connect;
  const shown = messagePage(page, { title, content }, PLATFORM_BRANDING);
  return respond(c, page, { page: { ...shown, isClosed: true }, status: 400 });
}

/** The page of consent to the request in the URL. */
async function ask(
  c: Context<AppEnv>,
  values: ConsentValues,
  problem?: ErrorResponse,
  status = 200,
) {
  const oauth = oauthHelpers(c.env);
  const request = await oauth.parseAuthRequest(new Request(c.req.url));
  // The library requires PKCE only of programs without a secret.
  if (request.codeChallenge === undefined)
    throw new AuthorizationError("invalid_request", { description: "PKCE is required" });
  const facts = await oauth.describeConsent(request);
  const { handle, headers } = await oauth.beginConsent(request);
  c.header("Set-Cookie", headers.get("Set-Cookie") ?? "");
  const page = { ...(await pageContextOf(c, null)), parameters: new URL(c.req.url).search };
  const shown = consentPage(page, facts, { ...values, handle }, problem);
  const response = await respond(c, page, { page: shown, status: status as ContentfulStatusCode });
  // Chromium applies form-action to all redirects after the form, also to those of the program's site.
  const { protocol, origin } = new URL(request.redirectUri);
  const target = `form-action ${protocol === "https:" ? protocol : origin} `;
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  response.headers.set("Content-Security-Policy", policy.replace("form-action ", target));
  return response;
}

/** The answer to the form. The key and the password of the new set are not kept: the program's tokens stand for it. */
async function answer(c: Context<AppEnv>, api: Api): Promise<Response> {
  const form = await c.req.formData().catch(() => new FormData());
  const entries = [...form].map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : "",
  ]);
  const values = Object.fromEntries(entries) as ConsentValues;
  const { decision, handle = "" } = values;
  const oauth = oauthHelpers(c.env);
  if (decision !== "allow")
    return new Response(null, { status: 303, ...(await oauth.denyConsent(c.req.raw, handle)) });
  const { request, headers } = await oauth.approveConsent(c.req.raw, handle);
  const name = programName(await oauth.describeConsent(request));
  const response = await api(creation(c, values, name), c.env, c.executionCtx);
  if (!response.ok) return ask(c, values, await response.json(), response.status);
  const { credential_id: credentialId, scope } = await response.json<NewCredentialResponse>();
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId: USER_PREFIX + String(credentialId),
    metadata: {},
    scope: scope === "order" ? ["read", scope] : [scope],
    props: { clientId: values["CLIENT-ID"], credentialId },
    revokeExistingGrants: false,
  });
  headers.set("Location", redirectTo);
  return new Response(null, { status: 303, headers });
}

/** The request that creates the set. */
function creation({ req }: Context<AppEnv>, values: ConsentValues, name: string): Request {
  const headers = new Headers({ "Content-Type": "application/json" });
  headers.set("CF-Connecting-IP", req.header("CF-Connecting-IP") ?? "unknown");
  for (const field of CREDENTIAL_FIELDS) {
    const value = values[field] ?? "";
    if (/^[!-~]+$/.test(value)) headers.set(field, value);
  }
  const currency = values["currency"]?.toUpperCase();
  const limits = SPENDING_PERIODS.filter((period) => values[period]).map((period) => ({
    period,
    currency,
    amount: values[period],
  }));
  const isOrdering = values["scope"] === "order";
  const restricted = isOrdering && { own: values["own"] === "yes" };
  const scope = isOrdering ? "order" : "read";
  const body = JSON.stringify({ scope, name, limits, ...restricted });
  return new Request(new URL("/api/credential", req.url), { method: "POST", headers, body });
}
