// The OAuth server, for AI programs that cannot send the API's headers. The library has its endpoints and documents.
// OAUTH_KV has only digests of its codes and tokens.
import {
  OAuthAuthorizationServer,
  OAuthError,
  OAuthResourceServer,
} from "@cloudflare/workers-oauth-provider";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Granted } from "../../platform/http/context.ts";
import { listActive } from "../credentials/queries.ts";

export const AUTHORIZE_PATH = "/oauth/authorize";

/** What a connector may do. The tools need no other scope, and a set with the scope admin could create further sets. */
export const CONNECTOR_SCOPES = ["read", "order"] as const;

/** How codes and tokens begin: with the id of the credential set, and with no client id. */
const USER_PREFIX = "oauth_";

const TOKEN = new RegExp(`^${USER_PREFIX}\\d+:[\\w-]{16}:[\\w-]{32}$`);

export const isAccessToken = (text: string): boolean => TOKEN.test(text);

export const userIdOf = ({ credentialId }: Granted) => USER_PREFIX + String(credentialId);

const resourceOf = ({ PUBLIC_URL }: Bindings) => `${PUBLIC_URL}/mcp`;

/** A registration is stored for months, and anyone may send one. */
const MAX_REGISTRATION_LENGTH = 8_000;

export const oauthServer = (env: Bindings) =>
  new OAuthAuthorizationServer<Bindings>({
    issuer: env.PUBLIC_URL,
    resources: [resourceOf(env)],
    scopesSupported: [...CONNECTOR_SCOPES],
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: "/oauth/token",
    clientRegistrationEndpoint: "/oauth/register",
    refreshTokenIdleTTL: (90 * DAY_MS) / SECOND_MS,
    clientRegistrationCallback: ({ clientMetadata }) =>
      JSON.stringify(clientMetadata).length > MAX_REGISTRATION_LENGTH
        ? { description: `The metadata is longer than ${String(MAX_REGISTRATION_LENGTH)} characters.` }
        : undefined,
    // `invalid_grant` also deletes the grant and its tokens.
    tokenExchangeCallback: async ({ props, env: { DB } }) => {
      const { clientId, credentialId } = props as Granted;
      const active = await listActive(DB, clientId);
      if (active.some(({ id }) => id === credentialId)) return;
      throw new OAuthError("invalid_grant", { description: "The credential set is revoked." });
    },
    // The request log has the status.
    onError: () => undefined,
  });

/** Only its document is used: /mcp accepts other credentials as well. */
export const resourceServer = (env: Bindings) =>
  new OAuthResourceServer<Bindings>({
    resourceMetadata: {
      resource: resourceOf(env),
      authorization_servers: [env.PUBLIC_URL],
      resource_name: "Regalo",
    },
    validateToken: () => () => Promise.resolve(null),
    handler: { fetch: () => new Response(null, { status: 404 }) },
  });

/** The challenge of /mcp (RFC 9728, section 5.1; RFC 6750, section 3). It stands before that of the API. */
export function bearerChallenge({ PUBLIC_URL }: Bindings, { headers }: Request): string {
  const document = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;
  const error = headers.has("Authorization") ? ', error="invalid_token"' : "";
  return `Bearer realm="Regalo", resource_metadata="${document}"${error}`;
}

/** The set for which an access token of this deployment stands. Null if the token is not valid. */
export async function findGranted(env: Bindings, token: string): Promise<Granted | null> {
  const found = await oauthServer(env).validateToken<Granted>(resourceOf(env), token, env);
  return found && found.props;
}
