// The HTTP status of each error code (DECISIONS.md: Every error has one shape).
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "../api-error.ts";

/** Its keys are also the list of all codes in the OpenAPI document. */
export const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  invalid_json: 400,
  product_id_required: 400,
  validation_error: 400,
  unauthorized: 401,
  insufficient_credit: 402,
  forbidden: 403,
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
