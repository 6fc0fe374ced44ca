// Describes what all endpoints have in common: errors and a header.
import type { ErrorCode } from "../../core/api-error.ts";
import type { Parameter } from "./documentation.ts";
import { type ErrorResponse, STATUS } from "./error-response.ts";

export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];

export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  invalid_json: "The body is not a JSON object.",
  product_id_required: "`product_id` is missing. It is checked before all other fields.",
  validation_error:
    "One or more fields are missing or invalid. `errors` lists all of them. Correct the request.",
  unauthorized:
    "The credentials in the three headers are missing, wrong, revoked, or for another environment. `message` names the headers that are missing, or the base URL of the region that the key is for.",
  insufficient_credit:
    "Your credit is less than the order's total. `message` contains both amounts. Add credit and send the same request again.",
  spending_limit_exceeded:
    "The order's total is above a spending limit of your credentials. `message` contains the limit, what is used of it, and the total. See Credentials.",
  forbidden: "Your client is suspended, or may not cancel orders through the API. Write to us.",
  insufficient_scope:
    "Your credentials do not have the scope that the operation needs. `message` names it. Use others: see Credentials.",
  not_found:
    "You have no such product, order, gift, gift link, webhook endpoint or credential set, or the path does not exist.",
  method_not_allowed:
    "The path does not support this method. The `Allow` header lists the methods that it supports.",
  out_of_stock:
    "The stock is less than the number of recipients. `message` contains the remaining stock.",
  order_ref_conflict:
    "`order_ref_id` was already used for an order with different content, or at the other endpoint. Use a new `order_ref_id`.",
  not_cancellable:
    "The order has failed or has no open gift, or a gift in `suborder_ids` is redeemed, shipped or sent. `message` contains the reason. Nothing was changed.",
  not_allowed_in_state:
    "The order, the gift or your credential sets are in a state that does not permit the change. `message` names the state. Only `POST /api/gift-link/send`, operations of the sandbox and those of credentials return it, for example when you pay a failed order.",
  not_correctable:
    "The gift is shipped, sent, cancelled, declined or expired, its order has failed, or the data of its recipient was erased. `message` contains the reason. Nothing was changed.",
  not_renewable:
    "The gift was cancelled or declined, has expired or its order has failed, the data of its recipient was erased, or the link was renewed too often. `message` contains the reason.",
  payload_too_large: "The body is larger than 1 MiB.",
  unsupported_media_type: "`Content-Type` is not `application/json`.",
  product_not_found: "The product is not in your catalogue.",
  variation_not_found: "`variation_id` is not a variation of the product.",
  variation_required: "The product is `variable`. Set `variation_id` to one of its variations.",
  variation_not_allowed: "The product is `simple`. Leave out `variation_id`.",
  currency_not_available: "`currency` is not the `price_currency` of the product.",
  location_not_available: "`base_location` is not in the product's `available_location`.",
  branding_not_available:
    "`order_branding` is `company`, but your company profile has no branding.",
  too_many_requests:
    "You have sent more requests than your limit allows. Wait for the number of seconds in `Retry-After`.",
  internal_error:
    "An unexpected error on our side. Send the same request again, as described under Retries and idempotency.",
  service_unavailable:
    "The service is temporarily unavailable. Send the same request again after the number of seconds in `Retry-After`.",
};

/** Codes that any operation may return. */
export const COMMON_ERRORS: ErrorCode[] = [
  "unauthorized",
  "forbidden",
  "insufficient_scope",
  "too_many_requests",
  "internal_error",
  "service_unavailable",
];

/** The example of an error. Some codes have a realistic message. For the others, the message is the code's meaning. */
export function errorExample(code: ErrorCode): ErrorResponse {
  return { status: "error", message: ERROR_MEANINGS[code], code, ...EXAMPLES[code] };
}

const EXAMPLES: Partial<Record<ErrorCode, Pick<ErrorResponse, "message" | "errors">>> = {
  product_id_required: { message: "A product_id must be set." },
  validation_error: {
    message: "recipient_details[0].email must be an e-mail address; currency is required.",
    errors: [
      { field: "recipient_details[0].email", message: "must be an e-mail address" },
      { field: "currency", message: "is required" },
    ],
  },
  not_cancellable: {
    message: "GO-00042-1 cannot be cancelled, because it is redeemed. Nothing was changed.",
  },
  not_allowed_in_state: { message: "The order is failed. Only a created order can become paid." },
  out_of_stock: { message: "product_id 1005 is out of stock: 1 left, 2 ordered." },
  spending_limit_exceeded: {
    message:
      "The order's total is 152.88 AUD. The limit of these credentials is 200.00 AUD a day (UTC), of which 76.44 AUD are used.",
  },
  insufficient_credit: {
    message: "The credit is too low: the balance is 100.00 AUD, the order's total is 152.88 AUD.",
  },
};

/** The header of requests to read near by. */
export const BOOKMARK_PARAMETER: Parameter = {
  description:
    "The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).",
  example: "any",
};

/** The header of responses to writes, and to reads with a bookmark. */
export const BOOKMARK_OF_RESPONSE =
  "A bookmark for later reads. A read has it if the request has one.";
