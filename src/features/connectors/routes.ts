// Handlers of /oauth/… and of the documents that lead there. The library has all of them but the page of consent.
import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../../core/api-error.ts";
import { validate } from "../../core/validation/validate.ts";
import { includesScope } from "../../core/values/scopes.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { insufficientScope } from "../../platform/http/endpoint.ts";
import { methodNotAllowed, STATUS } from "../../platform/http/error-response.ts";
import { responseHeaders } from "../../platform/http/middleware.ts";
import { limitByAddress } from "../../platform/http/rate-limit.ts";
import { withCredentials } from "../clients/authenticate.ts";
import type { ClientCache } from "../clients/cache.ts";
import { CredentialRequest } from "../credentials/contract.ts";
import { createRequested } from "../credentials/routes.ts";
import { pageContextOf, recipientPages, respond } from "../pages/respond.ts";
import {
  consentPage,
  type ConsentValues,
  CREDENTIAL_FIELDS,
  invalidPage,
  programName,
} from "./consent-page.tsx";
import { AUTHORIZE_PATH, oauthServer, resourceServer, userIdOf } from "./server.ts";

/** Some programs open the page in a window, which sends the code back to its opener. */
const WITH_OPENER = responseHeaders({ "Cross-Origin-Opener-Policy": "unsafe-none" });

const ofLibrary = (c: Context<AppEnv>) =>
  oauthServer(c.env).fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext);

export const connectorRoutes = (authenticated: MiddlewareHandler<AppEnv>, clients: ClientCache) =>
  createRouter()
    .use("/oauth/*", limitByAddress)
    .use(AUTHORIZE_PATH, WITH_OPENER, recipientPages)

    .get(AUTHORIZE_PATH, (c) => orInvalid(c, ask(c, {}, null)))

    .post(AUTHORIZE_PATH, async (c) => {
      const form = await c.req.formData().catch(() => new FormData());
      const text = (name: string) => String(form.get(name) ?? "").trim();
      const values = Object.fromEntries([...form.keys()].map((name) => [name, text(name)]));
      if (text("decision") !== "allow") return orInvalid(c, decline(c, text("handle")));
      const secrets = CREDENTIAL_FIELDS.map(text).filter((value) => /^[!-~]+$/.test(value));
      const { headers } = c.req.raw;
      c.req.raw = withCredentials(new Request(c.req.url, { method: "POST", headers }), secrets);
      const work = async () => {
        const wanted = wantedSet(values);
        await authenticated(c, async () => {
          c.res = await allow(c, clients, text("handle"), wanted);
        });
        return c.res;
      };
      const answer = work().catch((error: unknown) => {
        // Over a limit, nothing more is read or written.
        if (!(error instanceof ApiError) || error.code === "too_many_requests") throw error;
        return ask(c, values, error);
      });
      return orInvalid(c, answer);
    })

    .all(AUTHORIZE_PATH, methodNotAllowed("GET", "HEAD", "POST"))
    .all("/oauth/*", ofLibrary)
    .all("/.well-known/oauth-authorization-server", ofLibrary)
    .all("/.well-known/oauth-protected-resource/*", (c) =>
      resourceServer(c.env).fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext),
    );

/** The page of consent to the request in the URL. Nothing is redirected before a person has answered. */
async function ask(c: Context<AppEnv>, values: ConsentValues, problem: ApiError | null) {
  const oauth = oauthServer(c.env).getOAuthApi(c.env);
  const request = await oauth.parseAuthRequest(new Request(c.req.url));
  if (request.codeChallenge === undefined) {
    // The library requires it only of programs without a secret.
    throw new AuthorizationError("invalid_request", { description: "PKCE is required" });
  }
  const facts = await oauth.describeConsent(request);
  const { handle, headers } = await oauth.beginConsent(request);
  c.header("Set-Cookie", headers.get("Set-Cookie") ?? "");
  const parameters = new URL(c.req.url).search;
  const page = { ...(await pageContextOf(c, null)), parameters };
  const shown = consentPage(page, { facts, handle, values, problem });
  return respond(c, page, { page: shown, status: problem ? STATUS[problem.code] : 200 });
}

/** The response, or the page of an invalid request. */
async function orInvalid(c: Context<AppEnv>, response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    const page = await pageContextOf(c, null);
    return respond(c, page, { page: invalidPage(page), status: 400 });
  }
}

async function decline(c: Context<AppEnv>, handle: string): Promise<Response> {
  const oauth = oauthServer(c.env).getOAuthApi(c.env);
  const { headers } = await oauth.denyConsent(c.req.raw, handle);
  return new Response(null, { status: 303, headers });
}

/** Errors: `validation_error`. */
function wantedSet({ scope, currency = "", ...amounts }: ConsentValues): CredentialRequest {
  const limits = SPENDING_PERIODS.filter((period) => amounts[period]).map((period) => ({
    period,
    currency: currency.toUpperCase(),
    amount: amounts[period],
  }));
  return validate(CredentialRequest(), { scope: scope === "order" ? scope : "read", limits });
}

/**
 * Creates the set, for which the tokens of the program stand. Its own key and password are not stored and nobody has them.
 * Errors: `insufficient_scope`, `not_allowed_in_state`.
 */
async function allow(
  c: Context<AppEnv>,
  clients: ClientCache,
  handle: string,
  wanted: CredentialRequest,
): Promise<Response> {
  if (!includesScope(c.get("scope") ?? "read", "admin")) throw insufficientScope("admin");
  const guardedDatabase = c.get("guardedDatabase");
  if (guardedDatabase) c.env = { ...c.env, DB: guardedDatabase() };
  const oauth = oauthServer(c.env).getOAuthApi(c.env);
  const { request, headers } = await oauth.approveConsent(c.req.raw, handle);
  const name = programName(await oauth.describeConsent(request));
  const { id } = await createRequested(c, clients, { ...wanted, name });
  const granted = { clientId: c.get("client").id, credentialId: id };
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId: userIdOf(granted),
    metadata: {},
    scope: wanted.scope === "order" ? ["read", "order"] : ["read"],
    props: granted,
    revokeExistingGrants: false,
  });
  headers.set("Location", redirectTo);
  return new Response(null, { status: 303, headers });
}
