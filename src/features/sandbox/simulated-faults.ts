// Simulated faults: with the header Regalo-Simulate, partners test how their programs handle errors.
import type { Context, MiddlewareHandler } from "hono";
import { validationError } from "../../core/api-error.ts";
import { own } from "../../core/values/own.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { SECOND_MS } from "../../core/values/time.ts";
import { suspended } from "../clients/authenticate.ts";
import type { AppEnv } from "../../platform/http/context.ts";
import { insufficientScope } from "../../platform/http/endpoint.ts";
import { internalError, unavailable } from "../../platform/http/error-response.ts";
import { refuseClient } from "../../platform/http/rate-limit.ts";

export const SIMULATE_HEADER = "Regalo-Simulate";

/** How long a request waits with the value `slow`. */
export const SLOW_MS = 5 * SECOND_MS;

/** The errors come from the functions that the real cases use, so the responses are the same. */
const FAULTS: Record<string, (c: Context<AppEnv>) => Promise<void>> = {
  service_unavailable: () => Promise.reject(unavailable()),
  too_many_requests: (c) => refuseClient(c),
  forbidden: () => Promise.reject(suspended()),
  insufficient_scope: () => Promise.reject(insufficientScope("admin")),
  internal_error: () => Promise.reject(internalError()),
  slow: async (c) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    // The handler's time is the time after the wait.
    c.set("nowMs", c.get("nowMs") + SLOW_MS);
  },
};

export const SIMULATED_FAULTS = Object.keys(FAULTS);

/** Errors: the simulated one, or `validation_error` for another value and outside of the sandbox. */
export const simulatedFaults: MiddlewareHandler<AppEnv> = async (c, next) => {
  const value = c.req.header(SIMULATE_HEADER);
  if (value !== undefined) {
    if (!isSandbox(c.env)) refuseHeader("is only allowed in the sandbox");
    await (own(FAULTS, value) ?? refuseValue)(c);
  }
  await next();
};

const refuseValue = () => refuseHeader(`must be ${SIMULATED_FAULTS.join(" or ")}`);

function refuseHeader(message: string): never {
  throw validationError([{ field: SIMULATE_HEADER, message }]);
}
