// The rate limit of each client, and of each network for requests without verified credentials.
import type { Context, MiddlewareHandler } from "hono";
import { distinctRemoteAddr, expandIPv6 } from "hono/utils/ipaddr";
import { ApiError } from "../../core/api-error.ts";
import type { Bindings } from "../env.ts";
import { logFault } from "../log.ts";
import type { AppEnv } from "./context.ts";

const PERIOD_SECONDS = "60";

/** The policy in the RateLimit headers: it applies to each client. */
const POLICY = '"client"';

/** The value of RateLimit-Policy. The limiter does not return how many requests remain, so no response has them. */
export function rateLimitPolicy({ RATE_LIMIT_PER_MINUTE }: Bindings): string {
  return `${POLICY};q=${String(RATE_LIMIT_PER_MINUTE)};w=${PERIOD_SECONDS}`;
}

/** Counts a request of this client. Errors: `too_many_requests`. */
export async function countClient(c: Context<AppEnv>, clientId: string): Promise<void> {
  if (c.get("isOfTool")) return;
  if (!(await isWithinLimit(c.env.RATE_LIMITER, `client:${clientId}`))) refuseClient(c);
}

/** The response to a client over its limit: `too_many_requests`. */
export function refuseClient(c: Context<AppEnv>): never {
  c.header("RateLimit", `${POLICY};r=0`);
  refuse(c);
}

/** Counts a request from the caller's network. Errors: `too_many_requests`. */
export async function countAddress(
  c: Context<AppEnv>,
  limiter = c.env.RATE_LIMITER,
): Promise<void> {
  const network = networkOf(c.req.header("CF-Connecting-IP") ?? "unknown");
  if (!(await isWithinLimit(limiter, `address:${network}`))) refuse(c);
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
    const { success } = await limiter.limit({ key });
    return success;
  } catch (error) {
    logFault("rate_limiter.failed", error);
    return true;
  }
}

/** An IPv4 address, or the /64 network of an IPv6 address, because a subscriber usually has a whole /64. */
export function networkOf(address: string): string {
  if (distinctRemoteAddr(address) !== "IPv6") return address;
  return `${expandIPv6(address).toLowerCase().split(":").slice(0, 4).join(":")}::/64`;
}
