// The rate limit of each client, and of each network for requests without verified credentials.
import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../api-error.ts";
import { within } from "../deadline.ts";
import { logFault } from "../log.ts";
import type { Bindings } from "../env.ts";
import type { AppEnv } from "./context.ts";
import { networkOf } from "./network.ts";

const PERIOD_SECONDS = "60";

/** The limiter usually takes less. If it hangs, every response takes this much longer. */
const DEADLINE_MS = 250;

/** The policy in the RateLimit headers: it applies to each client. */
const POLICY = '"client"';

/** The value of RateLimit-Policy (DECISIONS.md: Responses have the rate limit, not the remaining requests). */
export function rateLimitPolicy({ RATE_LIMIT_PER_MINUTE }: Bindings): string {
  return `${POLICY};q=${String(RATE_LIMIT_PER_MINUTE)};w=${PERIOD_SECONDS}`;
}

/** Counts a request of this client. Errors: `too_many_requests`. */
export async function countClient(c: Context<AppEnv>, clientId: string): Promise<void> {
  if (await isWithinLimit(c.env.RATE_LIMITER, `client:${clientId}`)) return;
  refuseClient(c);
}

/** The response to a client over its limit: `too_many_requests`. */
export function refuseClient(c: Context<AppEnv>): never {
  c.header("RateLimit", `${POLICY};r=0`);
  refuse(c);
}

/** Counts a request from the caller's network. Errors: `too_many_requests`. */
export async function countAddress(c: Context<AppEnv>): Promise<void> {
  const network = networkOf(c.req.header("CF-Connecting-IP") ?? "unknown");
  if (!(await isWithinLimit(c.env.RATE_LIMITER, `address:${network}`))) refuse(c);
}

/** For routes without credentials. Errors: `too_many_requests`. */
export const limitByAddress: MiddlewareHandler<AppEnv> = async (c, next) => {
  await countAddress(c);
  await next();
};

function refuse(c: Context<AppEnv>): never {
  c.header("Retry-After", PERIOD_SECONDS);
  throw new ApiError("too_many_requests", "Too many requests: try again in a minute.");
}

/** True if the limiter fails or hangs: an outage of the limiter must not become one of the API. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    const { success } = await within(DEADLINE_MS, "The rate limiter", limiter.limit({ key }));
    return success;
  } catch (error) {
    logFault("rate_limiter.failed", error);
    return true;
  }
}
