// Adds a webhook endpoint, or changes its description and its types of events.
import { refusal, validationError } from "../../core/api-error.ts";
import { EVENT_TYPES } from "../../features/events/event.ts";
import {
  listClientWebhooks,
  upsertWebhook,
  type Webhook,
} from "../../features/webhooks/queries.ts";
import { newNonce } from "../../features/webhooks/secret.ts";
import { normalUrl, webhookUrlProblem } from "../../features/webhooks/url.ts";
import { MAX_WEBHOOKS } from "../../features/webhooks/webhook.ts";
import { invalidated } from "../client/invalidate.ts";
import { requireClient } from "../client/require-client.ts";
import { change, type ValueChange } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { endpointText } from "./require-webhook.ts";

/** One transaction. */
export const webhookAdd = change({
  name: "webhook add",
  title: "Add an endpoint",
  description:
    "Changes the client's endpoint with this URL if there is one. The client gets the secret with POST /api/webhook.",
  permission: "webhooks",
  input: {
    client: kinds.client("Client"),
    url: kinds.url("URL"),
    events: kinds.nullable(
      kinds.many(
        kinds.choice("Types of events", EVENT_TYPES, {
          hint: "Such as order.paid. Without them, all.",
        }),
      ),
    ),
    description: kinds.nullable(kinds.text("Description", { hint: "The client sees it." })),
  },
  examples: ["acme --url https://acme.example/regalo --events gift.redeemed --events gift.shipped"],
  plan: async ({ DB, ...env }, { client: clientId, url, events, description }) => {
    const problem = webhookUrlProblem(url, env);
    if (problem !== null) throw validationError([{ field: "url", message: problem }]);
    const [client, endpoints] = await Promise.all([
      requireClient(DB, clientId),
      listClientWebhooks(DB, clientId),
    ]);
    const address = normalUrl(url);
    const existing = endpoints.find((each) => each.url === address);
    if (!existing && endpoints.length >= MAX_WEBHOOKS) throw tooMany(clientId);
    const eventTypes = events && [...new Set(events)];
    const changes = changesOf(existing, { eventTypes, description });
    const added = `add the webhook endpoint ${address} to ${clientId} (${client.name})`;
    const isUnchanged = existing !== undefined && changes.length === 0;
    return {
      endpoint: { clientId, url: address, eventTypes, description },
      will: isUnchanged ? null : existing ? `change ${endpointText(existing)}` : added,
      changes,
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  },
  result: { facts: { webhook: kinds.webhook("Webhook") } },
  run: async (context, { endpoint }) => {
    const { DB, nowMs } = context;
    const webhook = await upsertWebhook(DB, { ...endpoint, nonce: newNonce(), nowMs });
    if (!webhook) throw tooMany(endpoint.clientId);
    return {
      text: `Webhook ${String(webhook.id)} of ${endpoint.clientId} is ${webhook.status}.`,
      facts: { webhook: webhook.id },
      ...(await invalidated(context, endpoint.clientId)),
    };
  },
});

interface Values {
  eventTypes?: Webhook["eventTypes"] | undefined;
  description?: string | null | undefined;
}

/** The values that the input changes. */
function changesOf(before: Values = {}, input: Values): ValueChange[] {
  const { eventTypes, description } = input;
  const types = (values: Values) => values.eventTypes?.join(", ") ?? null;
  const changes = [
    { label: "Types of events", before: types(before), after: types(input), given: eventTypes },
    {
      label: "Description",
      before: before.description ?? null,
      after: description ?? null,
      given: description,
    },
  ];
  return changes.flatMap(({ given, ...each }) =>
    given === undefined || each.before === each.after ? [] : [each],
  );
}

const tooMany = (clientId: string) =>
  refusal(`${clientId} has ${String(MAX_WEBHOOKS)} endpoints, the maximum number.`);
