// Authentication by three headers, which every request below /api needs.
import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../../core/api-error.ts";
import type { ClientCache } from "./cache.ts";
import {
  acceptedBefore,
  type AcceptedSecrets,
  type Secret,
  secretPrefix,
  verifyAndRemember,
} from "./credentials.ts";
import type { Owner } from "./own.ts";
import type { Client, ClientCredential } from "./profile.ts";
import { findClient } from "./queries.ts";
import { guardedDatabase, recordUse } from "./use.ts";
import { includesScope, smallerScope } from "../../core/values/scopes.ts";
import { formatDay } from "../../core/values/time.ts";
import { type AppEnv, cacheAccess } from "../../platform/http/context.ts";
import { logFault } from "../../platform/log.ts";
import { insufficientScope } from "../../platform/http/endpoint.ts";
import { countAddress, countClient, rateLimitPolicy } from "../../platform/http/rate-limit.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `authenticate`, for all routes below /api. */
    client: Client;
    /** The id of the request's credential set. */
    credentialId: number;
    /** Set while `client` is the record of a replica: authenticates without the replica. Errors: as `authenticate`. */
    confirmClient?:
      (() => Promise<{ client: Client; credentialId: number; ownId: number | null }>) | undefined;
  }
}

/** The challenge of a 401 (RFC 9110, section 11.6.1). It is not `Basic`, for which browsers open a dialog. */
export const CHALLENGE = 'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"';

/** Longer ids are rejected before they are used as cache keys. No client has one. */
const MAX_CLIENT_ID_LENGTH = 64;

const HEADERS = ["CLIENT-ID", "API-KEY", "API-PASSWORD"] as const;

export const suspended = () => new ApiError("forbidden", "This client is suspended.");

function unauthorized(c: Context<AppEnv>): ApiError {
  c.header("WWW-Authenticate", CHALLENGE);
  if (c.get("granted") !== undefined)
    return new ApiError("unauthorized", "The access token is not valid.");
  const missing = HEADERS.filter((name) => !c.req.header(name));
  const { ENVIRONMENT, REGIONS = {} } = c.env;
  const isKeyOf = (name: string) => c.req.header("API-KEY")?.startsWith(secretPrefix(name, "key"));
  const other = Object.keys(REGIONS).find((name) => name !== ENVIRONMENT && isKeyOf(name));
  return missing.length > 0
    ? new ApiError(
        "unauthorized",
        `These headers are missing: ${missing.join(", ")}.`,
        missing.map((field) => ({ field, message: "is required" })),
      )
    : new ApiError(
        "unauthorized",
        other === undefined
          ? "CLIENT-ID, API-KEY and API-PASSWORD are not valid together."
          : `API-KEY is that of another region: send requests to ${String(REGIONS[other])}.`,
      );
}

/** Reads the record of a client that may place orders from the nearest replica. Null for other requests. */
export type ReadNear = (c: Context<AppEnv>, id: string, secret: Secret) => Promise<Client | null>;

/**
 * Errors: `unauthorized` (the same response for all credentials that are not valid, except keys of other regions),
 * `forbidden`, `too_many_requests`. The record of a replica is not cached, and no request is refused because of it.
 */
export function authenticate(clients: ClientCache, readNear: ReadNear): MiddlewareHandler<AppEnv> {
  const accepted: AcceptedSecrets = new WeakMap();
  return async (c, next) => {
    const identify = identifier(c, clients, accepted);
    const admit = async (read?: ReadNear) => {
      const identified = await identify(read);
      if (!identified) throw unauthorized(c);
      c.set("client", identified.client);
      c.set("credentialId", identified.credential.id);
      const { scope } = identified.credential;
      c.set("scope", smallerScope(scope, c.get("granted")?.scope ?? scope));
      c.set("ownId", ownIdOf(identified.credential));
      return identified;
    };
    const { client, credential, isNear } = await admit(readNear);
    const confirm = async () => {
      c.set("confirmClient", undefined);
      const { client, credential } = await admit();
      if (client.status === "suspended") throw suspended();
      if (!includesScope(credential.scope, "order")) throw insufficientScope("order");
      return { client, credentialId: credential.id, ownId: ownIdOf(credential) };
    };
    if (isNear) c.set("confirmClient", confirm);
    const policy = rateLimitPolicy(c.env);
    c.header("RateLimit-Policy", policy);
    await countClient(c, client.id);
    if (client.status === "suspended") throw suspended();
    const { DB } = c.env;
    const day = formatDay(c.get("nowMs"));
    const use = { clientId: client.id, credentialId: credential.id, day };
    c.set("guardedDatabase", () =>
      guardedDatabase(DB, use, async (trigger) => {
        await clients.forget(client.id, c.env);
        throw trigger === "revoked_credentials_are_not_used" ? unauthorized(c) : suspended();
      }),
    );
    await next();
    const confirmClient = c.get("confirmClient");
    if (c.error instanceof ApiError) await confirmClient?.();
    else if (confirmClient && !c.error) c.executionCtx.waitUntil(identify().catch(logUncached));
    if (credential.lastUsedOn !== day) c.executionCtx.waitUntil(recordUse(DB, use, credential));
    // Responses are for this client only. A route whose responses may be cached sets the header itself.
    const { headers } = c.res;
    // If a route creates its own Response, the headers of the context are not copied to it.
    headers.set("RateLimit-Policy", policy);
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  };
}

/**
 * Finds the client and the set of the request's credentials, null if they are not valid. A request whose credentials
 * this isolate has not accepted before counts against the caller's address before they are verified. A caller over the
 * limit therefore causes no lookup. Credentials that no cached record accepts are looked up in D1, so new ones are valid
 * at once, and neither the response nor its time nor the limit reveals which client ids exist.
 */
function identifier(c: Context<AppEnv>, clients: ClientCache, accepted: AcceptedSecrets) {
  let counting: Promise<void> | undefined;
  const countOnce = () => (counting ??= countAddress(c));

  return async (readNear?: ReadNear) => {
    const credentials = readCredentials(c);
    if (!credentials) {
      await countOnce();
      return null;
    }
    const { clientId, secret } = credentials;
    // A token was counted before it was looked up.
    const isToken = "id" in secret;
    const accepts = async (found: Client) => {
      if (acceptedBefore(found, secret, accepted)) return true;
      if (isToken) return false;
      await countOnce();
      return (await verifyAndRemember(found, secret, accepted)) !== undefined;
    };
    let isNear = false;
    const client = await clients.get(clientId, {
      ...cacheAccess(c),
      beforeKv: async () => {
        if (isToken) return null;
        await countOnce();
        const near = (await readNear?.(c, clientId, secret)) ?? null;
        isNear = near !== null && (await accepts(near));
        return isNear ? near : null;
      },
      accepts,
      load: () => findClient(c.env.DB, clientId),
    });
    const credential = client && acceptedBefore(client, secret, accepted);
    return client && credential ? { client, credential, isNear } : null;
  };
}

const ownIdOf = ({ id, own }: ClientCredential) => (own === 1 ? id : null);

/** `credentialId` is stored with the changes that the request makes. */
export const ownerOf = (c: Context<AppEnv>): Owner & { credentialId: number } => ({
  clientId: c.get("client").id,
  ownId: c.get("ownId"),
  credentialId: c.get("credentialId"),
});

const logUncached = (error: unknown): void => {
  logFault("cache.refresh_failed", error);
};

function readCredentials(c: Context<AppEnv>) {
  const granted = c.get("granted");
  if (granted !== undefined)
    return granted && { clientId: granted.clientId, secret: { id: granted.credentialId } };
  const [clientId, apiKey, apiPassword] = HEADERS.map((name) => c.req.header(name));
  if (!clientId || !apiKey || !apiPassword || clientId.length > MAX_CLIENT_ID_LENGTH) return null;
  return { clientId, secret: { apiKey, apiPassword } };
}
