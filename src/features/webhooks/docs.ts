// Describes the endpoints that manage webhooks, and the request that a webhook endpoint receives.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { EventResponse } from "../events/contract.ts";
import { EVENT_EXAMPLES, PAID_EVENT, SAMPLE_ORDER } from "../events/docs.ts";
import * as contract from "./contract.ts";
import { messageId } from "./delivery/send-page.ts";
import { deliveryListResponse, webhookListResponse, webhookResponse } from "./response.ts";
import { testEvent } from "./send-test.ts";
import type { Webhook } from "./queries.ts";
import { MAX_WEBHOOKS, PREVIOUS_SECRET_MS } from "./webhook.ts";

const REQUEST = {
  url: "https://partner.example/regalo/events",
  event_types: ["order.paid", "gift.redeemed"],
  description: "Gift status in our CRM",
} satisfies contract.WebhookRequest;

/** The id of the first endpoint in a new database. */
const WEBHOOK_ID = 1;

const SELECTION = { webhook: { webhook_id: WEBHOOK_ID } };

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

  // The sample requests succeed one after another in a new database.
  operations: [
    operation(contract.saveWebhook, {
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
    operation(contract.getWebhook, {
      summary: "Get a webhook endpoint",
      description: "Returns one of your endpoints, without its secret.",
      returns: "The endpoint.",
      responses: { webhook: shown() },
    }),
    operation(contract.listWebhooks, {
      summary: "List webhook endpoints",
      description: "Returns all your endpoints, oldest first, without their secrets.",
      returns: "The endpoints.",
      responses: { webhooks: webhookListResponse([webhook], redeemedAtMs) },
    }),
    operation(contract.testWebhook, {
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
    operation(contract.rotateWebhookSecret, {
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
    operation(contract.listDeliveries, {
      summary: "List deliveries",
      description: `Returns the last attempt to send each event to the endpoint, in descending order of \`sequence\`. To
read older deliveries, send \`next_before\` as \`before\`, until it is null.`,
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
    operation(contract.redeliver, {
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
    operation(contract.disableWebhook, {
      summary: "Disable a webhook endpoint",
      description: `Stops sending events to the endpoint. Events that occur in the meantime are sent when you enable it
again. A delivery that has begun may still arrive.`,
      requests: SELECTION,
      returns: "The endpoint is disabled.",
      responses: { disabled: shown({ status: "disabled", disabledReason: "client" }) },
    }),
    operation(contract.enableWebhook, {
      summary: "Enable a webhook endpoint",
      description: `Sends events to the endpoint again, beginning with the event where sending stopped, and repeats
pending deliveries at once. Deliveries with the status \`failed\` are not repeated: use [POST
/api/webhook/redeliver](#redeliver). Enable an endpoint that we have disabled after you have repaired it. If you do
not need the events of that time, delete the endpoint and create it again.`,
      requests: SELECTION,
      returns: "The endpoint is enabled.",
      responses: { enabled: shown() },
    }),
    operation(contract.deleteWebhook, {
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
