// The errors of the operator API.
import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError, type FieldError } from "../../core/api-error.ts";
import { isUnavailable } from "../../platform/db/faults.ts";
import { STATUS } from "../../platform/http/error-response.ts";
import { logFault } from "../../platform/log.ts";
import type { ConsoleContext, ConsoleEnv } from "../environment.ts";
import { NotAllowed } from "../page-errors.ts";

/** The codes, besides those of the partners' API. */
const OWN_STATUS = {
  /** The roles do not permit it. */
  forbidden: 403,
  /** A valid request that cannot be carried out. */
  refused: 409,
  /** The plan is no longer what would happen. The answer has the new one. */
  plan_changed: 409,
} as const;

type Code = keyof typeof STATUS | keyof typeof OWN_STATUS;

export function errorResponse(
  c: ConsoleContext,
  code: Code,
  message: string,
  more: { errors?: readonly FieldError[] | undefined; plan?: unknown } = {},
): Response {
  const status: ContentfulStatusCode = { ...STATUS, ...OWN_STATUS }[code];
  return c.json({ status: "error", message, code, ...more }, status);
}

export const onApiError: ErrorHandler<ConsoleEnv> = (error, c) => {
  if (error instanceof NotAllowed) {
    return errorResponse(c, "forbidden", `This needs the role ${error.roles.join(" or ")}.`);
  }
  if (error instanceof ApiError) {
    const { code, message, fields } = error;
    // A message without fields is a sentence, others begin with the name of a field.
    const sentence = fields ? message : message.charAt(0).toUpperCase() + message.slice(1);
    const isRefused = [402, 409, 422, 429].includes(STATUS[code]);
    return errorResponse(c, isRefused ? "refused" : code, sentence, { errors: fields });
  }
  if (error instanceof HTTPException) {
    const code = error.status === 413 ? "payload_too_large" : "forbidden";
    return errorResponse(c, code, error.message || "The request is not allowed.");
  }
  logFault("request.failed", error, { requestId: c.get("requestId"), route: routePath(c, -1) });
  if (isUnavailable(error)) {
    const message =
      "The database did not answer. A change may have been made: send the same request with the same request_id again.";
    return errorResponse(c, "service_unavailable", message);
  }
  const message = `Something went wrong. The request's id is ${c.get("requestId")}.`;
  return errorResponse(c, "internal_error", message);
};
