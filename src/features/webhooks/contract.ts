// The API's operations that manage webhook endpoints, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { EVENT_TYPES } from "../events/event.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import {
  countField,
  distinct,
  idField,
  nullAs,
  optionalField,
  positive,
  queryId,
  queryInteger,
  requiredText,
  textField,
  exactlyOne,
} from "../../core/validation/fields.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { MAX_URL_LENGTH } from "./url.ts";
import { DELIVERY_STATUSES, DISABLED_REASONS } from "./webhook.ts";

const eventTypes = () =>
  z.optional(
    nullAs(
      null,
      distinct(z.array(z.enum(EVENT_TYPES)).check(z.minLength(1)), "must not contain a type twice"),
    ),
  );

/** The rules of the URL that depend on the deployment are in url.ts. */
export const WebhookRequest = component("WebhookRequest", () => ({
  _: "A webhook endpoint. Unknown fields are ignored, unless they look misspelt or misplaced.",
  url: field`${textField(MAX_URL_LENGTH, withoutInvisible)} The URL to which we send events. It begins with \`https://\`.`,
  // Null clears a field of an endpoint that exists, and a field that is left out keeps its value.
  event_types: field`${eventTypes()} The types of events that we send. Null means all types. If it is left out, a new endpoint gets all types.`,
  description: field`${z.optional(nullAs(null, requiredText(200)))} A description for yourself. Null means none.`,
}));
export type WebhookRequest = z.infer<ReturnType<typeof WebhookRequest>>;

const WebhookQuery = parameters(() => ({
  webhook_id: parameter`${queryId()} The endpoint's id. ${1}`,
}));

export const WebhookSelection = component("WebhookSelection", () => ({
  _: "One of your endpoints.",
  webhook_id: field`${idField()} The endpoint's id.`,
}));

export const RotationRequest = component("RotationRequest", () => ({
  _: "One of your endpoints, and when its present secret ends.",
  ...WebhookSelection().shape,
  immediately: field`${optionalField(z.boolean())} True to end the present secret at once, and not after 24 hours.`,
}));

const DeliveriesQuery = parameters(() => ({
  webhook_id: parameter`${queryId()} The endpoint's id. ${1}`,
  status: parameter`${z.optional(z.enum(DELIVERY_STATUSES))} Only deliveries with this status. ${"failed"}`,
  before: parameter`${z.optional(queryInteger(1, MAX_ID))} Only deliveries of events before this sequence. All if it is left out. ${918}`,
  limit: parameter`${z._default(queryInteger(1, 500), 100)} Maximum number of deliveries in the response, at most 500. ${100}`,
}));

/** Exactly one of the two sequences must be set. */
export const RedeliveryRequest = component(
  "RedeliveryRequest",
  () => ({
    _: "Events to send again. Set exactly one of the two sequences.",
    webhook_id: field`${idField()} The endpoint's id.`,
    sequence: field`${optionalField(idField())} The event to send again.`,
    since_sequence: field`${optionalField(idField())} The first event to send again. All later events are sent too.`,
  }),
  exactlyOne("sequence", "since_sequence"),
);

const nullableTime = () => z.nullable(z.iso.datetime());

export const WebhookResponse = component("Webhook", () => ({
  _: "A webhook endpoint.",
  webhook_id: field`${positive()} Identifies the endpoint.`,
  url: field`${z.string()} The URL to which we send events, in its normal form.`,
  description: field`${z.nullable(z.string())} Your description. Null if there is none.`,
  event_types: field`${z.nullable(z.array(z.enum(EVENT_TYPES)))} The types of events that we send. Null means all types, also types that we add later.`,
  status: field`${z.enum(["enabled", "disabled"])} \`enabled\`: we send events. \`disabled\`: we do not.`,
  disabled_reason: field`${z.nullable(z.enum(DISABLED_REASONS))} Why the endpoint is disabled. \`client\`: you have disabled it. \`gone\`: its response was 410. \`failing\`: all attempts have failed for 5 days. Null if it is enabled.`,
  failing_since: field`${nullableTime()} When the first of the consecutive failed attempts was made, in UTC. Null if the last attempt succeeded or there was none.`,
  created_at: field`${z.iso.datetime()} When the endpoint was created, in UTC.`,
  previous_secret_until: field`${nullableTime()} Until this time, deliveries also have a signature with the previous secret. Null if they have one signature.`,
  position: field`${countField()} The \`sequence\` of the last event that we have sent or skipped because of \`event_types\`. The next event is the one after it.`,
}));
export type WebhookResponse = z.infer<ReturnType<typeof WebhookResponse>>;

export const WebhookListResponse = component("WebhookList", () => ({
  _: "All your webhook endpoints.",
  status: z.literal("success"),
  webhooks: field`${z.array(WebhookResponse())} The endpoints, oldest first. Deleted ones are not included.`,
}));
export type WebhookListResponse = z.infer<ReturnType<typeof WebhookListResponse>>;

export const WebhookSecretResponse = component("WebhookWithSecret", () => ({
  _: "A webhook endpoint with its secret.",
  ...WebhookResponse().shape,
  secret: field`${z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{43}=$/))} The key of the signatures: \`whsec_\` and 32 bytes in base64. Store it like a password. Anyone who has it can send events to you in our name.`,
}));
export type WebhookSecretResponse = z.infer<ReturnType<typeof WebhookSecretResponse>>;

export const WebhookDeletedResponse = component("WebhookDeleted", () => ({
  _: "The endpoint is deleted.",
  status: z.literal("success"),
}));

export const WebhookTestResponse = component("WebhookTest", () => ({
  _: "The outcome of a test event.",
  status: field`${z.literal("success")} Always \`success\`, also if the endpoint did not accept the event.`,
  delivered: field`${z.boolean()} True if the endpoint's response had a 2xx status.`,
  response_status: field`${z.nullable(countField())} HTTP status of the endpoint's response. Null if there was no response.`,
  duration_ms: field`${countField()} Duration of the attempt in milliseconds.`,
  response_text: field`${z.string()} The beginning of the response's body, with spaces for control characters, or the reason why there was no response. May be empty.`,
}));
export type WebhookTestResponse = z.infer<ReturnType<typeof WebhookTestResponse>>;

export const DeliveryResponse = component("Delivery", () => ({
  _: "The last attempt to send an event to an endpoint.",
  sequence: field`${positive()} The event's \`sequence\`.`,
  type: field`${z.enum(EVENT_TYPES)} The event's \`type\`.`,
  status: field`${z.enum(DELIVERY_STATUSES)} \`pending\`: there will be another attempt. \`delivered\`: the endpoint has accepted the event. \`failed\`: all attempts have failed, and there will be no other.`,
  attempts: field`${countField()} Number of attempts.`,
  attempted_at: field`${nullableTime()} When the last attempt was made, in UTC. Null if there was none.`,
  next_attempt_at: field`${nullableTime()} When the next attempt is due, in UTC. Null if \`status\` is not \`pending\`.`,
  response_status: field`${z.nullable(countField())} HTTP status of the response to the last attempt. Null if there was no response.`,
  duration_ms: field`${z.nullable(countField())} Duration of the last attempt in milliseconds. Null if there was none.`,
  response_text: field`${z.nullable(z.string())} The beginning of the response's body, with spaces for control characters, or the reason why there was no response. Null if there was no attempt.`,
}));
export type DeliveryResponse = z.infer<ReturnType<typeof DeliveryResponse>>;

export const DeliveryListResponse = component("DeliveryList", () => ({
  _: "A page of the delivery log, in descending order of `sequence`.",
  status: z.literal("success"),
  deliveries: field`${z.array(DeliveryResponse())} The deliveries.`,
  next_before: field`${z.nullable(positive())} Send it as \`before\` to get older deliveries. Null if there are none.`,
}));
export type DeliveryListResponse = z.infer<ReturnType<typeof DeliveryListResponse>>;

export const RedeliveryResponse = component("Redelivery", () => ({
  _: "Events will be sent again.",
  status: z.literal("success"),
  webhook: field`${WebhookResponse()} The endpoint. Its \`position\` is before the first event of \`since_sequence\`, or before the next event of an earlier redelivery that is being sent.`,
}));
export type RedeliveryResponse = z.infer<ReturnType<typeof RedeliveryResponse>>;

/** A request that changes or uses an endpoint. */
const CHANGE = { method: "POST", scope: "admin", errors: [...BODY_ERRORS, "not_found"] } as const;

export const listWebhooks = endpoint({
  operationId: "listWebhooks",
  method: "GET",
  path: "/api/webhooks",
  near: true,
  response: WebhookListResponse,
  errors: ["validation_error"],
});

export const getWebhook = endpoint({
  operationId: "getWebhook",
  method: "GET",
  path: "/api/webhook",
  query: WebhookQuery,
  response: WebhookResponse,
  errors: ["validation_error", "not_found"],
});

export const saveWebhook = endpoint({
  operationId: "saveWebhook",
  method: "POST",
  scope: "admin",
  path: "/api/webhook",
  body: WebhookRequest,
  response: WebhookSecretResponse,
  errors: BODY_ERRORS,
});

export const deleteWebhook = endpoint({
  ...CHANGE,
  operationId: "deleteWebhook",
  path: "/api/webhook/delete",
  body: WebhookSelection,
  response: WebhookDeletedResponse,
});

export const disableWebhook = endpoint({
  ...CHANGE,
  operationId: "disableWebhook",
  path: "/api/webhook/disable",
  body: WebhookSelection,
  response: WebhookResponse,
});

export const enableWebhook = endpoint({
  ...CHANGE,
  operationId: "enableWebhook",
  path: "/api/webhook/enable",
  body: WebhookSelection,
  response: WebhookResponse,
});

export const rotateWebhookSecret = endpoint({
  ...CHANGE,
  operationId: "rotateWebhookSecret",
  path: "/api/webhook/rotate",
  body: RotationRequest,
  response: WebhookSecretResponse,
});

export const testWebhook = endpoint({
  ...CHANGE,
  operationId: "testWebhook",
  path: "/api/webhook/test",
  body: WebhookSelection,
  response: WebhookTestResponse,
});

export const listDeliveries = endpoint({
  operationId: "listDeliveries",
  method: "GET",
  path: "/api/webhook/deliveries",
  query: DeliveriesQuery,
  response: DeliveryListResponse,
  errors: ["validation_error", "not_found"],
});

export const redeliver = endpoint({
  ...CHANGE,
  operationId: "redeliver",
  path: "/api/webhook/redeliver",
  body: RedeliveryRequest,
  response: RedeliveryResponse,
});
