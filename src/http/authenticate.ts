// Who is calling: the three headers of every request below /api, and the client's rate limit.
import type { Context, MiddlewareHandler } from "hono";
import { within } from "../deadline.ts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { cacheAccess } from "./cache-access.ts";
import { CHALLENGE } from "./security-headers.ts";
import { networkOf } from "./network.ts";
import { logFault } from "../log.ts";
import type { Client } from "../clients/profile.ts";
import { verifyAndRemember, wasAccepted } from "../clients/credentials.ts";
import { findClient } from "../clients/store.ts";

const RATE_LIMIT_PERIOD_SECONDS = "60";

/** Longer than the limiter takes when it is well, and short enough to be added to every answer. */
const RATE_LIMITER_DEADLINE_MS = 250;

/** No id is longer: longer ones are refused before they are used as cache keys. */
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
  c.set("client", client);
  await countRequest(c, `client:${client.id}`);
  if (client.status === "suspended") {
    throw new ApiError("forbidden", "This client is suspended.");
  }
  await next();
  // Whatever the answer is, it is this client's alone; a route that may be kept says so itself.
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
};

/**
 * The client whose credentials the request carries, or null. Credentials that this isolate has not accepted yet count
 * against the caller's address before they are looked at, right or wrong. So over the limit nothing is evaluated or
 * read, and neither the answer nor the limit shows which ids are clients' (decision 24).
 */
async function identify(c: Context<AppEnv>): Promise<Client | null> {
  let counting: Promise<void> | undefined;
  const countOnce = () => (counting ??= countAddress(c));

  const credentials = readCredentials(c);
  if (!credentials) {
    await countOnce();
    return null;
  }
  const { clientId, ...secret } = credentials;
  const { clients, acceptedSecrets } = c.get("isolate");
  const client = await clients.get(clientId, {
    ...cacheAccess(c),
    beforeKv: countOnce,
    load: () => findClient(c.env.DB, clientId),
  });
  if (client && wasAccepted(client, secret, acceptedSecrets)) return client;
  await countOnce();
  return client && (await verifyAndRemember(client, secret, acceptedSecrets)) ? client : null;
}

function readCredentials(c: Context<AppEnv>) {
  const clientId = c.req.header("CLIENT-ID");
  const apiKey = c.req.header("API-KEY");
  const apiPassword = c.req.header("API-PASSWORD");
  if (!clientId || !apiKey || !apiPassword || clientId.length > MAX_CLIENT_ID_LENGTH) return null;
  return { clientId, apiKey, apiPassword };
}

/** A limiter that fails or hangs stops no request: it protects the service and decides nothing. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    const { success } = await within(
      RATE_LIMITER_DEADLINE_MS,
      "The rate limiter",
      limiter.limit({ key }),
    );
    return success;
  } catch (error) {
    logFault("rate limiter", error);
    return true;
  }
}

/** The limit of callers who are known by their address only. Errors: `too_many_requests`. */
export function countAddress(c: Context<AppEnv>): Promise<void> {
  return countRequest(c, `address:${networkOf(c.req.header("CF-Connecting-IP") ?? "unknown")}`);
}

async function countRequest(c: Context<AppEnv>, key: string): Promise<void> {
  if (await isWithinLimit(c.env.RATE_LIMITER, key)) return;
  c.header("Retry-After", RATE_LIMIT_PERIOD_SECONDS);
  throw new ApiError("too_many_requests", "Too many requests: try again in a minute.");
}
