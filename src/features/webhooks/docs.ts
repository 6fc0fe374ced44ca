// Describes the endpoints that manage webhooks, and the request that a webhook endpoint receives.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import {
  described,
  type FeatureDocs,
  operation,
  type Parameter,
} from "../../platform/http/documentation.ts";
import { EventResponse } from "../events/contract.ts";
import { EVENT_EXAMPLES, PAID_EVENT, SAMPLE_ORDER } from "../events/docs.ts";
import * as contract from "./contract.ts";
import { messageId } from "./delivery/send-page.ts";
import { deliveryListResponse, webhookListResponse, webhookResponse } from "./response.ts";
import { testEvent } from "./send-test.ts";
import type { Webhook } from "./queries.ts";
import { MAX_WEBHOOKS, PREVIOUS_SECRET_MS } from "./webhook.ts";

const WEBHOOK = {
  webhook_id: "Identifies the endpoint.",
  url: "The URL to which we send events, in its normal form.",
  description: "Your description. Null if there is none.",
  event_types:
    "The types of events that we send. Null means all types, also types that we add later.",
  status: "`enabled`: we send events. `disabled`: we do not.",
  disabled_reason:
    "Why the endpoint is disabled. `client`: you have disabled it. `operator`: we have disabled it. Write to us. `gone`: its response was 410. `failing`: all attempts have failed for 5 days. Null if it is enabled.",
  failing_since:
    "When the first of the consecutive failed attempts was made, in UTC. Null if the last attempt succeeded or there was none.",
  created_at: "When the endpoint was created, in UTC.",
  previous_secret_until:
    "Until this time, deliveries also have a signature with the previous secret. Null if they have one signature.",
  position:
    "The `sequence` of the last event that we have sent or skipped because of `event_types`. The next event is the one after it.",
};

const REQUEST = {
  url: "https://partner.example/regalo/events",
  event_types: ["order.paid", "gift.redeemed"],
  description: "Gift status in our CRM",
} satisfies contract.WebhookRequest;

/** The id of the first endpoint in a new database. */
const WEBHOOK_ID = 1;

const SELECTION = { webhook: { webhook_id: WEBHOOK_ID } };

const webhookId: Parameter = { description: "The endpoint's id.", example: WEBHOOK_ID };

const { createdAtMs, redeemedAtMs } = SAMPLE_ORDER;

const webhook: Webhook = {
  id: WEBHOOK_ID,
  clientId: "",
  url: REQUEST.url,
  description: REQUEST.description,
  eventTypes: [...REQUEST.event_types],
  status: "enabled",
  disabledReason: null,
  failingSinceMs: null,
  position: PAID_EVENT.sequence,
  secretNonce: "",
  previousSecretNonce: null,
  previousSecretUntilMs: null,
  createdAtMs: createdAtMs - 24 * HOUR_MS,
};

const shown = (changes: Partial<Webhook> = {}) =>
  webhookResponse({ ...webhook, ...changes }, redeemedAtMs);

export const webhookDocs: FeatureDocs = {
  tag: { name: "Webhooks", description: "Your endpoints, to which we send events as they occur." },

  requests: {
    WebhookRequest: described(contract.WebhookRequest(), {
      _: "A webhook endpoint. Unknown fields are ignored, unless they look misspelt or misplaced.",
      url: "The URL to which we send events. It begins with `https://`.",
      event_types:
        "The types of events that we send. Null means all types. If it is left out, a new endpoint gets all types.",
      description: "A description for yourself. Null means none.",
    }),
    WebhookSelection: described(contract.WebhookSelection(), {
      _: "One of your endpoints.",
      webhook_id: "The endpoint's id.",
    }),
    RotationRequest: described(contract.RotationRequest(), {
      _: "One of your endpoints, and when its present secret ends.",
      webhook_id: "The endpoint's id.",
      immediately: "True to end the present secret at once, and not after 24 hours.",
    }),
    RedeliveryRequest: described(contract.RedeliveryRequest(), {
      _: "Events to send again. Set exactly one of the two sequences.",
      webhook_id: "The endpoint's id.",
      sequence: "The event to send again.",
      since_sequence: "The first event to send again. All later events are sent too.",
    }),
  },

  responses: {
    Webhook: described(contract.WebhookResponse(), { _: "A webhook endpoint.", ...WEBHOOK }),
    WebhookWithSecret: described(contract.WebhookSecretResponse(), {
      _: "A webhook endpoint with its secret.",
      ...WEBHOOK,
      secret:
        "The key of the signatures: `whsec_` and 32 bytes in base64. Store it like a password. Anyone who has it can send events to you in our name.",
    }),
    WebhookList: described(contract.WebhookListResponse(), {
      _: "All your webhook endpoints.",
      webhooks: "The endpoints, oldest first. Deleted ones are not included.",
    }),
    WebhookDeleted: described(contract.WebhookDeletedResponse(), { _: "The endpoint is deleted." }),
    WebhookTest: described(contract.WebhookTestResponse(), {
      _: "The outcome of a test event.",
      status: "Always `success`, also if the endpoint did not accept the event.",
      delivered: "True if the endpoint's response had a 2xx status.",
      response_status: "HTTP status of the endpoint's response. Null if there was no response.",
      duration_ms: "Duration of the attempt in milliseconds.",
      response_text:
        "The beginning of the response's body, with spaces for control characters, or the reason why there was no response. May be empty.",
    }),
    Delivery: described(contract.DeliveryResponse(), {
      _: "The last attempt to send an event to an endpoint.",
      sequence: "The event's `sequence`.",
      type: "The event's `type`.",
      status:
        "`pending`: there will be another attempt. `delivered`: the endpoint has accepted the event. `failed`: all attempts have failed, and there will be no other.",
      attempts: "Number of attempts.",
      attempted_at: "When the last attempt was made, in UTC. Null if there was none.",
      next_attempt_at: "When the next attempt is due, in UTC. Null if `status` is not `pending`.",
      response_status:
        "HTTP status of the response to the last attempt. Null if there was no response.",
      duration_ms: "Duration of the last attempt in milliseconds. Null if there was none.",
      response_text:
        "The beginning of the response's body, with spaces for control characters, or the reason why there was no response. Null if there was no attempt.",
    }),
    DeliveryList: described(contract.DeliveryListResponse(), {
      _: "A page of the delivery log, in descending order of `sequence`.",
      deliveries: "The deliveries.",
      next_before: "Send it as `before` to get older deliveries. Null if there are none.",
    }),
    Redelivery: described(contract.RedeliveryResponse(), {
      _: "Events will be sent again.",
      webhook:
        "The endpoint. Its `position` is before the first event of `since_sequence`, or before the next event of an earlier redelivery that is being sent.",
    }),
  },

  // The sample requests succeed one after another in a new database.
  operations: [
    operation(contract.saveWebhook, contract.WebhookSecretResponse(), {
      summary: "Create or update a webhook endpoint",
      description: `Registers the URL to which we send your events, and returns the secret that signs them. If you
already have an endpoint with this URL, its \`event_types\` and its \`description\` change only if they are set, and the
secret does not change. It is safe to repeat the request, and it is the way to read the secret again. You can have
${String(MAX_WEBHOOKS)} endpoints.

A new endpoint receives the events that occur from now on. For earlier events, use
[POST /api/webhook/redeliver](#redeliver).

The URL must begin with \`https://\` and have a public domain name as its host, without a port, a user, a password or a
fragment. It is stored in its normal form, with a host in lower case.`,
      requests: { webhook: REQUEST },
      returns: "The endpoint and its secret.",
      responses: {
        webhook: { ...shown(), secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfajlIvFfo=" },
      },
    }),
    operation(contract.getWebhook, contract.WebhookResponse(), {
      summary: "Get a webhook endpoint",
      description: "Returns one of your endpoints, without its secret.",
      query: { webhook_id: webhookId },
      returns: "The endpoint.",
      responses: { webhook: shown() },
    }),
    operation(contract.listWebhooks, contract.WebhookListResponse(), {
      summary: "List webhook endpoints",
      description: "Returns all your endpoints, oldest first, without their secrets.",
      returns: "The endpoints.",
      responses: { webhooks: webhookListResponse([webhook], redeemedAtMs) },
    }),
    operation(contract.testWebhook, contract.WebhookTestResponse(), {
      summary: "Send a test event",
      description: `Sends an event of the type \`webhook.test\` to the endpoint, signed like every other event, and returns
the endpoint's response. The event is sent once, also to a disabled endpoint. It has the sequence 0 and is neither in
the event feed nor in the delivery log. The request may take 15 seconds, the time that an endpoint has to respond.`,
      requests: SELECTION,
      returns: "The event was sent. `delivered` shows whether the endpoint accepted it.",
      responses: {
        delivered: {
          status: "success",
          delivered: true,
          response_status: 204,
          duration_ms: 127,
          response_text: "",
        },
      },
    }),
    operation(contract.rotateWebhookSecret, contract.WebhookSecretResponse(), {
      summary: "Rotate the secret of a webhook endpoint",
      description: `Returns a new secret. For 24 hours, each delivery has two signatures, one with the new and one with
the previous secret. Replace the secret in your receiver during this time. If the previous secret is not safe any more,
set \`immediately\`, and deliveries have only the signature with the new secret.

Do not repeat this request if its response was lost, because each request replaces the secret, and a secret before the
previous one is not used any more. Read the present secret with [POST /api/webhook](#saveWebhook).`,
      requests: SELECTION,
      returns: "The endpoint and its new secret.",
      responses: {
        rotated: {
          ...shown({ previousSecretUntilMs: redeemedAtMs + PREVIOUS_SECRET_MS }),
          secret: "whsec_hZVbgOmRFrF6mYvWp1Q0gIWdnp1zAuPPfxvPH3sGqDY=",
        },
      },
    }),
    operation(contract.listDeliveries, contract.DeliveryListResponse(), {
      summary: "List deliveries",
      description: `Returns the last attempt to send each event to the endpoint, in descending order of \`sequence\`. To
read older deliveries, send \`next_before\` as \`before\`, until it is null.`,
      query: {
        webhook_id: webhookId,
        status: { description: "Only deliveries with this status.", example: "failed" },
        before: {
          description: "Only deliveries of events before this sequence. All if it is left out.",
          example: 918,
        },
        limit: {
          description: `Maximum number of deliveries in the response, at most ${String(contract.MAX_PAGE_DELIVERIES)}.`,
          example: 100,
        },
      },
      returns: "A page of the delivery log.",
      responses: {
        deliveries: deliveryListResponse(
          [
            {
              sequence: 918,
              type: "gift.redeemed",
              status: "pending",
              attempts: 2,
              attemptedAtMs: redeemedAtMs + 7 * SECOND_MS,
              nextAttemptAtMs: redeemedAtMs + 5 * MINUTE_MS,
              responseStatus: 500,
              durationMs: 1_904,
              responseText: "Internal Server Error",
            },
            {
              sequence: 917,
              type: "order.paid",
              status: "delivered",
              attempts: 1,
              attemptedAtMs: createdAtMs + SECOND_MS,
              nextAttemptAtMs: null,
              responseStatus: 204,
              durationMs: 131,
              responseText: "",
            },
          ],
          null,
        ),
      },
    }),
    operation(contract.redeliver, contract.RedeliveryResponse(), {
      summary: "Send events again",
      description: `Sends events to the endpoint again. Set exactly one of the two sequences:

- \`sequence\`: this event is sent, even if \`event_types\` does not contain its type.
- \`since_sequence\`: this event and all later ones that \`event_types\` contains are sent.

An event that has not been sent yet is sent once. While a redelivery with \`since_sequence\` is pending, another one is
ignored, unless it begins earlier and no event of the pending one has been sent yet. If it is ignored, the response is the
same, and \`position\` is the last event that was sent. If the endpoint is disabled, the events are sent when you enable it.`,
      requests: {
        all: { webhook_id: WEBHOOK_ID, since_sequence: 1 },
        one: { webhook_id: WEBHOOK_ID, sequence: 917 },
      },
      returns: "The events will be sent.",
      responses: { all: { status: "success", webhook: shown({ position: 0 }) } },
    }),
    operation(contract.disableWebhook, contract.WebhookResponse(), {
      summary: "Disable a webhook endpoint",
      description: `Stops sending events to the endpoint. Events that occur in the meantime are sent when you enable it
again. A delivery that has begun may still arrive.`,
      requests: SELECTION,
      returns: "The endpoint is disabled.",
      responses: { disabled: shown({ status: "disabled", disabledReason: "client" }) },
    }),
    operation(contract.enableWebhook, contract.WebhookResponse(), {
      summary: "Enable a webhook endpoint",
      description: `Sends events to the endpoint again, beginning with the event where sending stopped, and repeats
pending deliveries at once. Deliveries with the status \`failed\` are not repeated: use [POST
/api/webhook/redeliver](#redeliver). Enable an endpoint that we have disabled after you have repaired it. If you do
not need the events of that time, delete the endpoint and create it again.`,
      requests: SELECTION,
      returns: "The endpoint is enabled.",
      responses: { enabled: shown() },
    }),
    operation(contract.deleteWebhook, contract.WebhookDeletedResponse(), {
      summary: "Delete a webhook endpoint",
      description: `Stops sending events to the endpoint for good. If you create an endpoint with the same URL later, it
has a new id and a new secret.`,
      requests: SELECTION,
      returns: "The endpoint is deleted.",
      responses: { deleted: { status: "success" } },
    }),
  ],

  sent: {
    event: {
      operationId: "receiveEvent",
      summary: "Receive an event",
      description: `We send this request to your endpoint for each event. Its signature follows
[Standard Webhooks](https://www.standardwebhooks.com), for which there are libraries in many languages. **Verify the
signature of every request before you use it**, because anyone who has the URL can send a request to it:

1. Take the body as the bytes that you received. Do not parse it first.
2. Compute HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`. The key is your secret without the prefix
   \`whsec_\`, decoded from base64.
3. Encode the result as base64. Compare it in constant time with each signature of \`webhook-signature\`, without \`v1,\`.
   One of them must be equal.
4. Reject the request if \`webhook-timestamp\` is more than 5 minutes away from the current time.

Respond with a 2xx status within 15 seconds. Store the event and process it afterwards. An event may arrive more than
once, and events may arrive in another order. The \`sequence\` identifies an event and its position.`,
      headers: {
        "webhook-id": {
          description:
            "Identifies the message. It is the same when we send the message again, so it can be used to detect repetitions.",
          example: messageId(PAID_EVENT),
        },
        "webhook-timestamp": {
          description: "When we sent this request, in seconds since 1970-01-01 UTC.",
          example: String((createdAtMs + SECOND_MS) / SECOND_MS),
        },
        "webhook-signature": {
          description:
            "Signatures, separated by spaces. Each one is `v1,` and the HMAC-SHA256 in base64. For 24 hours after a rotation of the secret there are two.",
          example: "v1,VYhAEb4X2fmEtwVLhUu1cI3Rjpcbk2PPIyOPNE2lQ/0=",
        },
      },
      body: {
        schema: EventResponse(),
        examples: { ...EVENT_EXAMPLES, "webhook.test": testEvent(createdAtMs) },
      },
      responses: {
        "2XX": "The event is delivered. The body is not used.",
        "410": "The endpoint no longer exists. We disable it.",
        default:
          "The attempt has failed, and we may repeat it later. This includes redirects, which we do not follow. A `Retry-After` header delays the next attempts.",
      },
    },
  },
};
