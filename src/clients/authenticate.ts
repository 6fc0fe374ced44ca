// Who is calling: the three headers of every request below /api, and the client's rate limit.
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../errors.ts";
import { cacheAccess } from "../http/access.ts";
import { CHALLENGE } from "../http/headers.ts";
import { logFault } from "../log.ts";
import type { Client } from "./profile.ts";
import { isSecretOf } from "./secrets.ts";
import { findClient } from "./store.ts";

const RATE_LIMIT_PERIOD_SECONDS = "60";

/** Longer ids are nobody's: they are refused before they become a key of anything. */
const MAX_CLIENT_ID_LENGTH = 64;

/** Errors: `unauthorized` (one answer for every reason), `forbidden`, `too_many_requests`. */
export const authenticate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const client = await identify(c);
  if (!client) {
    c.header("WWW-Authenticate", CHALLENGE);
    throw new ApiError(
      "unauthorized",
      "CLIENT-ID, API-KEY and API-PASSWORD are not valid together.",
    );
  }
  await countRequest(c, `client:${client.id}`);
  if (client.status === "suspended") {
    throw new ApiError("forbidden", "This client is suspended.");
  }
  c.set("client", client);
  await next();
  // Whatever the answer is, it is this client's alone; a route that may be kept says so itself.
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
};

/**
 * Null for a caller who is no client. Each counts once against the address, whatever the reason, so that neither the
 * answer nor the limit tells which ids are clients'. An id that is not known here counts before the database is asked
 * for it, so that who is over the limit costs it nothing (decision 24).
 */
async function identify(c: Context<AppEnv>): Promise<Client | null> {
  let counting: Promise<void> | undefined;
  const countOnce = () => (counting ??= countAddress(c));
  const client = await findCaller(c, countOnce);
  if (!client) await countOnce();
  return client;
}

async function findCaller(
  c: Context<AppEnv>,
  beforeAsking: () => Promise<void>,
): Promise<Client | null> {
  const clientId = c.req.header("CLIENT-ID");
  const apiKey = c.req.header("API-KEY");
  const apiPassword = c.req.header("API-PASSWORD");
  if (!clientId || !apiKey || !apiPassword || clientId.length > MAX_CLIENT_ID_LENGTH) return null;

  const { clients, acceptedSecrets } = c.get("isolate");
  const client = await clients.get(clientId, {
    ...cacheAccess(c),
    load: async () => {
      await beforeAsking();
      return findClient(c.env.DB, clientId);
    },
  });
  if (!client) return null;
  return (await isSecretOf(client, { apiKey, apiPassword }, acceptedSecrets)) ? client : null;
}

/** A limiter that fails stops nobody: it protects us, it decides nothing. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFault("rate limiter", error);
    return true;
  }
}

/** The limit of whoever we know by nothing but an address. Errors: `too_many_requests`. */
export function countAddress(c: Context<AppEnv>): Promise<void> {
  return countRequest(c, `address:${c.req.header("CF-Connecting-IP") ?? "unknown"}`);
}

async function countRequest(c: Context<AppEnv>, key: string): Promise<void> {
  if (await isWithinLimit(c.env.RATE_LIMITER, key)) return;
  c.header("Retry-After", RATE_LIMIT_PERIOD_SECONDS);
  throw new ApiError("too_many_requests", "Too many requests: try again in a minute.");
}
