// Error responses. All of them have the same body (DECISIONS.md: Every error has one shape).
import type { Context, ErrorHandler, NotFoundHandler } from "hono";
import { routePath } from "hono/route";
import { isUnavailable } from "../db/faults.ts";
import type { AppEnv } from "./context.ts";
import { ApiError } from "../api-error.ts";
import { logFault } from "../log.ts";
import type { ErrorResponse } from "./contract.ts";
import { STATUS } from "./error-status.ts";

const RETRY_AFTER_SECONDS = "2";

/** Headers of a single error code, such as Allow, are set where the error is thrown. */
function errorResponse(c: Context<AppEnv>, error: ApiError): Response {
  c.set("errorCode", error.code);
  if (error.code === "service_unavailable") c.header("Retry-After", RETRY_AFTER_SECONDS);
  return c.json(
    {
      status: "error",
      message: error.message,
      code: error.code,
      ...(error.fields && { errors: [...error.fields] }),
    } satisfies ErrorResponse,
    STATUS[error.code],
    { "Cache-Control": "private, no-store" },
  );
}

export const onError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof ApiError) return errorResponse(c, error);
  logFault("request.failed", error, { requestId: c.get("requestId"), route: routePath(c, -1) });
  return errorResponse(c, isUnavailable(error) ? unavailable() : internalError());
};

export const unavailable = () =>
  new ApiError("service_unavailable", "Regalo is busy: try again in a moment.");

export const internalError = () =>
  new ApiError("internal_error", "Something went wrong on our side.");

export const notFound: NotFoundHandler<AppEnv> = (c) =>
  errorResponse(c, new ApiError("not_found", "There is no resource at this path."));

/** For a body over the limit, with or without a Content-Length. */
export const payloadTooLarge = (): never => {
  throw new ApiError("payload_too_large", "The body is larger than 1 MiB.");
};

/** A handler for the methods that a path does not support. Register it after the path's other handlers. */
export function methodNotAllowed(...methods: string[]): (c: Context<AppEnv>) => never {
  const allow = methods.join(", ");
  return (c) => {
    c.header("Allow", allow);
    throw new ApiError("method_not_allowed", `This path supports only these methods: ${allow}.`);
  };
}
