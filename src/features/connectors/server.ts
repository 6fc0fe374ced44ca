// The OAuth server, for programs that cannot send the API's headers. The library has its endpoints and documents, and
// stores only digests of its codes and tokens.
import {
  getOAuthApi,
  OAuthError,
  OAuthProvider,
  type OAuthProviderOptions,
} from "@cloudflare/workers-oauth-provider";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Granted } from "../../platform/http/context.ts";
import { listActive } from "../credentials/queries.ts";

export const AUTHORIZE_PATH = "/oauth/authorize";

/** The tools need no other scope, and a set with the scope admin could create sets that remain when it is revoked. */
export const CONNECTOR_SCOPES = ["read", "order"] as const;

/** How codes and tokens begin, before the id of their credential set. No client id has an underscore. */
export const USER_PREFIX = "oauth_";

const TOKEN = new RegExp(`^${USER_PREFIX}\\d{1,16}:[\\w-]{16}:[\\w-]{32}$`);

export const isAccessToken = (text: string): boolean => TOKEN.test(text);

/** A registration is stored for months, and anyone may send one. */
const MAX_REGISTRATION_LENGTH = 8_000;

/** KV fails for a longer key, which a caller may send. Nothing is stored with one. */
const MAX_KEY_LENGTH = 170;

const elsewhere = { fetch: () => new Response(null, { status: 404 }) };

const resourceOf = ({ PUBLIC_URL }: Bindings) => `${PUBLIC_URL}/mcp`;

const optionsOf = (env: Bindings): OAuthProviderOptions<Bindings> => ({
  resourceMetadata: { resource: resourceOf(env), resource_name: "Regalo" },
  scopesSupported: [...CONNECTOR_SCOPES],
  authorizeEndpoint: env.PUBLIC_URL + AUTHORIZE_PATH,
  tokenEndpoint: `${env.PUBLIC_URL}/oauth/token`,
  clientRegistrationEndpoint: `${env.PUBLIC_URL}/oauth/register`,
  refreshTokenIdleTTL: (30 * DAY_MS) / SECOND_MS,
  // Required, although the app routes /mcp and the page of consent itself.
  apiRoute: "/mcp",
  apiHandler: elsewhere,
  defaultHandler: elsewhere,
  clientRegistrationCallback: ({ clientMetadata }) =>
    JSON.stringify(clientMetadata).length > MAX_REGISTRATION_LENGTH
      ? { description: `The metadata is longer than ${MAX_REGISTRATION_LENGTH} characters.` }
      : undefined,
  tokenExchangeCallback: async ({ props, env: { DB } }) => {
    const { clientId, credentialId } = props as Omit<Granted, "scope">;
    const sets = await listActive(DB, { clientId, ownId: null }, Date.now());
    const isActive = sets.some(({ id }) => id === credentialId);
    // The code also makes the library delete the grant.
    if (!isActive) throw new OAuthError("invalid_grant", { description: "The set is revoked." });
  },
  // The request log has the status.
  onError: () => undefined,
});

function withShortKeys(env: Bindings): Bindings {
  const { OAUTH_KV: kv } = env;
  const get = (key: string, options: object = {}) =>
    key.length > MAX_KEY_LENGTH ? null : kv.get(key, options);
  const read = (_: unknown, name: string) =>
    name === "get" ? get : (Reflect.get(kv, name) as unknown);
  return {
    ...env,
    OAUTH_KV: new Proxy(kv, { get: read as ProxyHandler<KVNamespace>["get"] & object }),
  };
}

export const oauthHelpers = (env: Bindings) => getOAuthApi(optionsOf(env), withShortKeys(env));

/** The response of the endpoints, except the page of consent, and the documents about them. */
export const oauthResponse = (request: Request, env: Bindings, context: object) =>
  new OAuthProvider(optionsOf(env)).fetch(request, withShortKeys(env), context as ExecutionContext);

/** What an access token of this deployment grants. Null if the token is not valid, or has no scope. */
export async function findGranted(env: Bindings, token: string): Promise<Granted | null> {
  const found = await oauthHelpers(env).unwrapToken<Omit<Granted, "scope">>(token);
  const scope = CONNECTOR_SCOPES.findLast((each) => found?.scope.includes(each));
  return found?.audience === resourceOf(env) && scope ? { ...found.grant.props, scope } : null;
}
