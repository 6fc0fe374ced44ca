// When each error code is answered, and what a caller does about it.
import type { ErrorCode } from "../errors.ts";
import { STATUS } from "../http/status.ts";

export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];

export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  invalid_json: "The body is not JSON, or not a JSON object.",
  product_id_required: "`product_id` is missing. This is checked before all other fields.",
  validation_error:
    "A field is missing or breaks its rule: `errors` names every field at fault. Mend the request.",
  unauthorized:
    "The three headers are not valid together: missing, wrong, revoked, or of the other environment.",
  insufficient_credit:
    "Your credit does not cover the order: `message` gives both. Top up and send the same request again.",
  forbidden: "Your client is suspended. Contact us.",
  not_found: "There is no such product or order for you, or nothing at this address.",
  method_not_allowed:
    "The address does not take this method: the `Allow` header names those it takes.",
  out_of_stock: "Not enough is left: `message` says how many are.",
  order_ref_conflict:
    "`order_ref_id` stands for an order with another content or of the other endpoint. Use a new one.",
  payload_too_large: "The body is larger than 1 MiB.",
  unsupported_media_type: "`Content-Type` is not `application/json`.",
  product_not_found: "The product is not in your catalogue.",
  variation_not_found: "`variation_id` is not one of this product's.",
  variation_required: "The product is `variable`: choose one of its variations.",
  variation_not_allowed: "The product is `simple`: leave `variation_id` out.",
  currency_not_available: "`currency` is not the product's `price_currency`.",
  location_not_available: "`base_location` is not among the product's `available_location`.",
  branding_not_available:
    "`order_branding` is `company`, but your profile has no company branding.",
  too_many_requests: "Your limit is used up. Wait as long as `Retry-After` says.",
  internal_error: "Something unexpected. Send the same request again: placing is safe to repeat.",
  service_unavailable: "We could not answer in time. Send the same request again a little later.",
};

/** What any operation may answer. */
export const COMMON_ERRORS: ErrorCode[] = [
  "unauthorized",
  "forbidden",
  "too_many_requests",
  "internal_error",
  "service_unavailable",
];

/** The table of all codes, as Markdown, in the order of their statuses. */
export function errorTable(): string {
  const rows = ERROR_CODES.map(
    (code) => `| ${STATUS[code]} | \`${code}\` | ${ERROR_MEANINGS[code]} |`,
  );
  return ["| Status | `code` | When, and what to do |", "|---|---|---|", ...rows].join("\n");
}
