// Descriptions and examples of the operations that manage webhooks, and of the request that an endpoint receives.
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  MAX_PAGE_DELIVERIES,
  redeliver,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
} from "../features/webhooks/contract.ts";
import { MAX_WEBHOOKS } from "../features/webhooks/webhook.ts";
import { REQUEST_EXAMPLES, type ResponseExamples } from "./examples.ts";
import type { Operation, Parameter } from "./operations.ts";
import { ref } from "./schemas.ts";

const TAG = "Webhooks";

const WEBHOOK_ID: Parameter = {
  description: "The endpoint's id.",
  example: REQUEST_EXAMPLES.webhookSelection.webhook_id,
  required: true,
};

const SELECTION: NonNullable<Operation["body"]> = {
  schema: "WebhookSelection",
  examples: { webhook: REQUEST_EXAMPLES.webhookSelection },
};

/** The sample requests of these operations succeed one after another in a new database. */
export function webhookOperations(examples: ResponseExamples): Operation[] {
  return [
    {
      endpoint: saveWebhook,
      tag: TAG,
      summary: "Create or update a webhook endpoint",
      description: `Registers the URL to which we send your events, and returns the secret that signs them. If you
already have an endpoint with this URL, its \`event_types\` and its \`description\` are replaced, and the secret does not
change. It is safe to repeat the request, and it is the way to read the secret again. You can have
${String(MAX_WEBHOOKS)} endpoints.

A new endpoint receives the events that occur from now on. For earlier events, use
[POST /api/webhook/redeliver](#redeliver).

The URL must begin with \`https://\` and have a public domain name as its host, without a port, a user, a password or a
fragment. It is stored in its normal form, with a host in lower case.`,
      body: { schema: "WebhookRequest", examples: { webhook: REQUEST_EXAMPLES.webhook } },
      response: {
        schema: "WebhookWithSecret",
        description: "The endpoint and its secret.",
        examples: { webhook: examples.webhookWithSecret },
      },
    },
    {
      endpoint: getWebhook,
      tag: TAG,
      summary: "Get a webhook endpoint",
      description: "Returns one of your endpoints, without its secret.",
      query: { sample: ["webhook_id"], parameters: { webhook_id: WEBHOOK_ID } },
      response: {
        schema: "Webhook",
        description: "The endpoint.",
        examples: { webhook: examples.webhook },
      },
    },
    {
      endpoint: listWebhooks,
      tag: TAG,
      summary: "List webhook endpoints",
      description: "Returns all your endpoints, oldest first, without their secrets.",
      response: {
        schema: "WebhookList",
        description: "The endpoints.",
        examples: { webhooks: examples.webhooks },
      },
    },
    {
      endpoint: testWebhook,
      tag: TAG,
      summary: "Send a test event",
      description: `Sends an event of the type \`webhook.test\` to the endpoint, signed like every other event, and returns
the endpoint's response. The event is sent once, also to a disabled endpoint. It has the sequence 0 and is neither in
the event feed nor in the delivery log. The request may take 15 seconds, the time that an endpoint has to respond.`,
      body: SELECTION,
      response: {
        schema: "WebhookTest",
        description: "The event was sent. `delivered` shows whether the endpoint accepted it.",
        examples: { delivered: examples.webhookTest },
      },
    },
    {
      endpoint: rotateWebhookSecret,
      tag: TAG,
      summary: "Rotate the secret of a webhook endpoint",
      description: `Returns a new secret. For 24 hours, each delivery has two signatures, one with the new and one with
the previous secret. Replace the secret in your receiver during this time. If you send the request again within the 24
hours, you get the same secret, and nothing changes.`,
      body: SELECTION,
      response: {
        schema: "WebhookWithSecret",
        description: "The endpoint and its new secret.",
        examples: { rotated: examples.rotatedWebhook },
      },
    },
    {
      endpoint: listDeliveries,
      tag: TAG,
      summary: "List deliveries",
      description: `Returns the last attempt to send each event to the endpoint, in descending order of \`sequence\`. To
read older deliveries, send \`next_before\` as \`before\`. With a \`status\`, a page may have fewer deliveries than
\`limit\`, or none, although there are older ones. Continue until \`next_before\` is null.`,
      query: {
        sample: ["webhook_id"],
        parameters: {
          webhook_id: WEBHOOK_ID,
          status: { description: "Only deliveries with this status.", example: "failed" },
          before: {
            description: "Only deliveries of events before this sequence. All if it is left out.",
            example: 918,
          },
          limit: {
            description: `Maximum number of deliveries in the response, at most ${String(MAX_PAGE_DELIVERIES)}.`,
            example: 100,
          },
        },
      },
      response: {
        schema: "DeliveryList",
        description: "A page of the delivery log.",
        examples: { deliveries: examples.deliveries },
      },
    },
    {
      endpoint: redeliver,
      tag: TAG,
      summary: "Send events again",
      description: `Sends events to the endpoint again. Set exactly one of the two sequences:

- \`sequence\`: this event is sent, even if \`event_types\` does not contain its type.
- \`since_sequence\`: this event and all later ones that \`event_types\` contains are sent.

An event that has not been sent yet is sent once. While a redelivery with \`since_sequence\` is pending, another one is
ignored, unless it begins earlier and no event of the pending one has been sent yet. If it is ignored, the response is the
same, and \`position\` is the last event that was sent. If the endpoint is disabled, the events are sent when you enable it.`,
      body: {
        schema: "RedeliveryRequest",
        examples: {
          all: REQUEST_EXAMPLES.redeliverSince,
          one: REQUEST_EXAMPLES.redeliverOne,
        },
      },
      response: {
        schema: "Redelivery",
        description: "The events will be sent.",
        examples: { all: examples.redelivery },
      },
    },
    {
      endpoint: disableWebhook,
      tag: TAG,
      summary: "Disable a webhook endpoint",
      description: `Stops sending events to the endpoint. Events that occur in the meantime are sent when you enable it
again. A delivery that has begun may still arrive.`,
      body: SELECTION,
      response: {
        schema: "Webhook",
        description: "The endpoint is disabled.",
        examples: { disabled: examples.disabledWebhook },
      },
    },
    {
      endpoint: enableWebhook,
      tag: TAG,
      summary: "Enable a webhook endpoint",
      description: `Sends events to the endpoint again, beginning with the event where sending stopped, and repeats
pending deliveries at once. Deliveries with the status \`failed\` are not repeated: use [POST
/api/webhook/redeliver](#redeliver). Enable an endpoint that we have disabled after you have repaired it. If you do
not need the events of that time, delete the endpoint and create it again.`,
      body: SELECTION,
      response: {
        schema: "Webhook",
        description: "The endpoint is enabled.",
        examples: { enabled: examples.webhook },
      },
    },
    {
      endpoint: deleteWebhook,
      tag: TAG,
      summary: "Delete a webhook endpoint",
      description: `Stops sending events to the endpoint for good. If you create an endpoint with the same URL later, it
has a new id and a new secret.`,
      body: SELECTION,
      response: {
        schema: "WebhookDeleted",
        description: "The endpoint is deleted.",
        examples: { deleted: { status: "success" } },
      },
    },
  ];
}

/** The `webhooks` of the OpenAPI document: the request that we send to an endpoint. */
export function webhooks({ eventRequest, testEventRequest, eventHeaders }: ResponseExamples) {
  const descriptions: Record<keyof typeof eventHeaders, string> = {
    "webhook-id":
      "Identifies the message. It is the same when we send the message again, so it can be used to detect repetitions.",
    "webhook-timestamp": "When we sent this request, in seconds since 1970-01-01 UTC.",
    "webhook-signature":
      "Signatures, separated by spaces. Each one is `v1,` and the HMAC-SHA256 in base64. For 24 hours after a rotation of the secret there are two.",
  };
  return {
    event: {
      post: {
        operationId: "receiveEvent",
        tags: [TAG],
        summary: "Receive an event",
        description: RECEIVING,
        security: [],
        parameters: Object.entries(eventHeaders).map(([name, example]) => ({
          name,
          in: "header",
          required: true,
          description: descriptions[name as keyof typeof eventHeaders],
          example,
          schema: { type: "string" },
        })),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: ref("Event"),
              examples: { event: { value: eventRequest }, test: { value: testEventRequest } },
            },
          },
        },
        responses: {
          "2XX": { description: "The event is delivered. The body is not used." },
          "410": { description: "The endpoint no longer exists. We disable it." },
          default: {
            description:
              "The attempt has failed, and we may repeat it later. This includes redirects, which we do not follow. A `Retry-After` header delays the next attempts.",
          },
        },
      },
    },
  };
}

const RECEIVING = `We send this request to your endpoint for each event. Its signature follows
[Standard Webhooks](https://www.standardwebhooks.com), for which there are libraries in many languages. **Verify the
signature of every request before you use it**, because anyone who has the URL can send a request to it:

1. Take the body as the bytes that you received. Do not parse it first.
2. Compute HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`. The key is your secret without the prefix
   \`whsec_\`, decoded from base64.
3. Encode the result as base64. Compare it in constant time with each signature of \`webhook-signature\`, without \`v1,\`.
   One of them must be equal.
4. Reject the request if \`webhook-timestamp\` is more than 5 minutes away from the current time.

Respond with a 2xx status within 15 seconds. Store the event and process it afterwards. An event may arrive more than
once, and events may arrive in another order. The \`sequence\` identifies an event and its position.`;
