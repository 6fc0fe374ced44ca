// Errors that a caller can act on, as a closed list of codes. Their HTTP statuses are in platform/http/error-response.ts.

export type ErrorCode =
  | "unauthorized"
  | "forbidden"
  | "insufficient_scope"
  | "invalid_json"
  | "product_id_required"
  | "validation_error"
  | "product_not_found"
  | "variation_not_found"
  | "variation_required"
  | "variation_not_allowed"
  | "currency_not_available"
  | "location_not_available"
  | "branding_not_available"
  | "out_of_stock"
  | "order_ref_conflict"
  | "not_cancellable"
  | "not_allowed_in_state"
  | "not_correctable"
  | "not_renewable"
  | "insufficient_credit"
  | "spending_limit_exceeded"
  | "not_found"
  | "method_not_allowed"
  | "unsupported_media_type"
  | "payload_too_large"
  | "too_many_requests"
  | "service_unavailable"
  | "internal_error";

/** The codes that every request with a body can have. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  "invalid_json",
  "validation_error",
  "payload_too_large",
  "unsupported_media_type",
];

/** An invalid field, by its path in the request, `recipient_details[0].email`, or an invalid header, by its name. */
export interface FieldError {
  field: string;
  message: string;
}

/** The reason why a request is refused. `message` is a sentence that names the field and the rule. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;
  /** The header Retry-After of the response. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    fields?: readonly FieldError[],
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A valid request that the state of its object does not allow. The message says what was changed, if anything was. */
export const refusal = (message: string) => new ApiError("not_allowed_in_state", message);

export const notFound = (message: string) => new ApiError("not_found", message);

/** One error for all invalid fields. Its message names each of them. */
export function validationError(fields: readonly FieldError[]): ApiError {
  const message = fields.map(({ field, message }) => `${field} ${message}`).join("; ");
  return new ApiError("validation_error", `${message}.`, fields);
}
