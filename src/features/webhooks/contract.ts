// The API's operations that manage webhook endpoints, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS, type ErrorCode } from "../../core/api-error.ts";
import { EVENT_TYPES } from "../events/event.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import {
  count,
  distinct,
  id,
  nullAs,
  optional,
  positive,
  queryId,
  queryInteger,
  requiredText,
  text,
  exactlyOne,
} from "../../core/validation/fields.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { MAX_URL_LENGTH } from "./url.ts";
import { DELIVERY_STATUSES, DISABLED_REASONS } from "./webhook.ts";

export const MAX_PAGE_DELIVERIES = 500;

/** The rules of the URL that depend on the deployment are in url.ts. */
export const WebhookRequest = lazy(() =>
  z.object({
    url: text(MAX_URL_LENGTH, withoutInvisible),
    // Null clears a field of an endpoint that exists, and a field that is left out keeps its value.
    event_types: z.optional(
      nullAs(
        null,
        distinct(
          z.array(z.enum(EVENT_TYPES)).check(z.minLength(1)),
          "must not contain a type twice",
        ),
      ),
    ),
    description: z.optional(nullAs(null, requiredText(200))),
  }),
);
export type WebhookRequest = z.infer<ReturnType<typeof WebhookRequest>>;

const WebhookQuery = lazy(() => z.object({ webhook_id: queryId() }));

export const WebhookSelection = lazy(() => z.object({ webhook_id: id() }));

export const RotationRequest = lazy(() =>
  z.extend(WebhookSelection(), { immediately: optional(z.boolean()) }),
);

const DeliveriesQuery = lazy(() =>
  z.object({
    webhook_id: queryId(),
    status: z.optional(z.enum(DELIVERY_STATUSES)),
    before: z.optional(queryInteger(1, MAX_ID)),
    limit: z._default(queryInteger(1, MAX_PAGE_DELIVERIES), 100),
  }),
);

/** Exactly one of the two sequences must be set. */
export const RedeliveryRequest = lazy(() =>
  z
    .object({
      webhook_id: id(),
      sequence: optional(id()),
      since_sequence: optional(id()),
    })
    .check(exactlyOne("sequence", "since_sequence")),
);

const nullableTime = () => z.nullable(z.iso.datetime());

export const WebhookResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    webhook_id: positive(),
    url: z.string(),
    description: z.nullable(z.string()),
    event_types: z.nullable(z.array(z.enum(EVENT_TYPES))),
    status: z.enum(["enabled", "disabled"]),
    disabled_reason: z.nullable(z.enum(DISABLED_REASONS)),
    failing_since: nullableTime(),
    created_at: z.iso.datetime(),
    previous_secret_until: nullableTime(),
    position: count(),
  }),
);
export type WebhookResponse = z.infer<ReturnType<typeof WebhookResponse>>;

export const WebhookListResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), webhooks: z.array(WebhookResponse()) }),
);
export type WebhookListResponse = z.infer<ReturnType<typeof WebhookListResponse>>;

export const WebhookSecretResponse = /* @__PURE__ */ lazy(() =>
  z.extend(WebhookResponse(), { secret: z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{43}=$/)) }),
);
export type WebhookSecretResponse = z.infer<ReturnType<typeof WebhookSecretResponse>>;

export const WebhookDeletedResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success") }),
);

export const WebhookTestResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    delivered: z.boolean(),
    response_status: z.nullable(count()),
    duration_ms: count(),
    response_text: z.string(),
  }),
);
export type WebhookTestResponse = z.infer<ReturnType<typeof WebhookTestResponse>>;

export const DeliveryResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    sequence: positive(),
    type: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attempts: count(),
    attempted_at: nullableTime(),
    next_attempt_at: nullableTime(),
    response_status: z.nullable(count()),
    duration_ms: z.nullable(count()),
    response_text: z.nullable(z.string()),
  }),
);
export type DeliveryResponse = z.infer<ReturnType<typeof DeliveryResponse>>;

export const DeliveryListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    deliveries: z.array(DeliveryResponse()),
    next_before: z.nullable(positive()),
  }),
);
export type DeliveryListResponse = z.infer<ReturnType<typeof DeliveryListResponse>>;

export const RedeliveryResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), webhook: WebhookResponse() }),
);
export type RedeliveryResponse = z.infer<ReturnType<typeof RedeliveryResponse>>;

const CHANGE_ERRORS: ErrorCode[] = [...BODY_ERRORS, "not_found"];

export const listWebhooks = endpoint({
  operationId: "listWebhooks",
  method: "GET",
  path: "/api/webhooks",
  near: true,
  response: responseType<typeof WebhookListResponse>(),
  errors: ["validation_error"],
});

export const getWebhook = endpoint({
  operationId: "getWebhook",
  method: "GET",
  path: "/api/webhook",
  query: WebhookQuery,
  response: responseType<typeof WebhookResponse>(),
  errors: ["validation_error", "not_found"],
});

export const saveWebhook = endpoint({
  operationId: "saveWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook",
  body: WebhookRequest,
  response: responseType<typeof WebhookSecretResponse>(),
  errors: BODY_ERRORS,
});

export const deleteWebhook = endpoint({
  operationId: "deleteWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/delete",
  body: WebhookSelection,
  response: responseType<typeof WebhookDeletedResponse>(),
  errors: CHANGE_ERRORS,
});

export const disableWebhook = endpoint({
  operationId: "disableWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/disable",
  body: WebhookSelection,
  response: responseType<typeof WebhookResponse>(),
  errors: CHANGE_ERRORS,
});

export const enableWebhook = endpoint({
  operationId: "enableWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/enable",
  body: WebhookSelection,
  response: responseType<typeof WebhookResponse>(),
  errors: CHANGE_ERRORS,
});

export const rotateWebhookSecret = endpoint({
  operationId: "rotateWebhookSecret",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/rotate",
  body: RotationRequest,
  response: responseType<typeof WebhookSecretResponse>(),
  errors: CHANGE_ERRORS,
});

export const testWebhook = endpoint({
  operationId: "testWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/test",
  body: WebhookSelection,
  response: responseType<typeof WebhookTestResponse>(),
  errors: CHANGE_ERRORS,
});

export const listDeliveries = endpoint({
  operationId: "listDeliveries",
  method: "GET",
  path: "/api/webhook/deliveries",
  query: DeliveriesQuery,
  response: responseType<typeof DeliveryListResponse>(),
  errors: ["validation_error", "not_found"],
});

export const redeliver = endpoint({
  operationId: "redeliver",
  method: "POST",
  scope: "admin",
  path: "/api/webhook/redeliver",
  body: RedeliveryRequest,
  response: responseType<typeof RedeliveryResponse>(),
  errors: CHANGE_ERRORS,
});
