// Error responses. All of them have the same body (DECISIONS.md: Every error has one shape).
import type { Context, ErrorHandler, NotFoundHandler } from "hono";
import { routePath } from "hono/route";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod/mini";
import { component, field } from "../../core/validation/described.ts";
import { ApiError, type ErrorCode } from "../../core/api-error.ts";
import { isUnavailable } from "../db/faults.ts";
import { logFault } from "../log.ts";
import type { AppEnv } from "./context.ts";

/** Its keys are also the list of all codes in the OpenAPI document. */
export const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  invalid_json: 400,
  product_id_required: 400,
  validation_error: 400,
  unauthorized: 401,
  insufficient_credit: 402,
  spending_limit_exceeded: 402,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  out_of_stock: 409,
  order_ref_conflict: 409,
  not_cancellable: 409,
  not_allowed_in_state: 409,
  not_correctable: 409,
  not_renewable: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  product_not_found: 422,
  variation_not_found: 422,
  variation_required: 422,
  variation_not_allowed: 422,
  currency_not_available: 422,
  location_not_available: 422,
  branding_not_available: 422,
  too_many_requests: 429,
  internal_error: 500,
  service_unavailable: 503,
};

const FieldError = component("FieldError", () => ({
  _: "An invalid field, parameter or header.",
  field: field`${z.string()} Path of the field, such as \`recipient_details[0].email\`, or the name of the parameter or header. Unknown names are as you sent them.`,
  message: field`${z.string()} The rule that the value breaks, such as \`must be an e-mail address\`.`,
}));

export const ErrorResponse = component("Error", () => ({
  _: "Every error has this body.",
  status: z.literal("error"),
  message: field`${z.string()} The reason, for people, in at most 1,000 characters: \`errors\` has all problems. The text may change: use \`code\` in programs.`,
  code: field`${z.enum(Object.keys(STATUS) as ErrorCode[])} The reason, for programs. Codes do not change.`,
  errors: field`${z.optional(z.array(FieldError()).check(z.minLength(1)))} All invalid fields. Only if \`code\` is \`validation_error\`.`,
}));
export type ErrorResponse = z.infer<ReturnType<typeof ErrorResponse>>;

const RETRY_AFTER_SECONDS = "2";

/** A longer message is cut. `errors` has all problems. */
const MAX_MESSAGE_LENGTH = 1_000;

const PLUS_HINT = " In a URL, + means a space: send a plus sign as %2B.";

/** The message, with a hint if a + in the query, which is read as a space, may be the reason. */
function messageOf(c: Context<AppEnv>, { message, code, fields = [] }: ApiError): string {
  const parameters = new URL(c.req.url).search.slice(1).split("&");
  const given = parameters.filter((each) => each.includes("+")).map((each) => each.split("=")[0]);
  const isMeant = code === "not_found" || fields.some(({ field }) => given.includes(field));
  const hint = isMeant && given.length > 0 ? PLUS_HINT : "";
  const max = MAX_MESSAGE_LENGTH - hint.length;
  return (message.length > max ? `${message.slice(0, max - 1).toWellFormed()}…` : message) + hint;
}

/** Other headers of a single error code, such as Allow, are set where the error is thrown. */
function errorResponse(c: Context<AppEnv>, error: ApiError): Response {
  c.set("errorCode", error.code);
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  else if (error.code === "service_unavailable") c.header("Retry-After", RETRY_AFTER_SECONDS);
  return c.json(
    {
      status: "error",
      message: messageOf(c, error),
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

export const onUnknownPath: NotFoundHandler<AppEnv> = (c) =>
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
