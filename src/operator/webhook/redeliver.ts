// Sends events to a webhook endpoint again.
import { refusal } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { markForRedelivery } from "../../features/webhooks/queries.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { invalidated } from "../client/invalidate.ts";
import { change, type PlannedChange } from "../declaration/declare.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { readEventCount, requireWebhook, type WebhookEndpoint } from "./queries.ts";

/** Sends one event again, or all events since one that the endpoint's filter includes. One transaction. */
export const webhookRedeliver = change({
  name: "webhook redeliver",
  title: "Send events again",
  description:
    "Either one event, even if the endpoint's filter excludes it, or one and all later ones that the filter includes.",
  permission: "webhooks",
  input: {
    webhook: kinds.webhook("Webhook"),
    event: kinds.optional(kinds.argument(kinds.id("One event"))),
    since: kinds.optional(kinds.id("All events since this one")),
  },
  examples: ["12 --event 918", "12 --since 900 --env production"],
  plan: async ({ DB }, { webhook: webhookId, event: sequence, since: sinceSequence }) => {
    requireOne({ event: sequence, since: sinceSequence }, "event", "since");
    const endpoint = await requireWebhook(DB, webhookId);
    const { clientId, lastSequence } = endpoint;
    const first = sequence ?? sinceSequence ?? 1;
    if (first > lastSequence) {
      throw refusal(`the last event of ${clientId} is ${String(lastSequence)}.`);
    }
    const key = { clientId, webhookId };
    const plan = { key, events: { sequence, sinceSequence }, confirms: key };
    if (sequence !== undefined) {
      return {
        ...plan,
        will: `send event ${String(sequence)} again ${toEndpoint(endpoint)}`,
        subjects: [{ type: "delivery", keys: [[webhookId, sequence]] }],
      };
    }
    return { ...plan, ...(await planRange(DB, endpoint, first)) };
  },
  run: async (context, { key, events }) => {
    await markForRedelivery(context.DB, key, events, context.nowMs);
    const { status, waiting } = await requireWebhook(context.DB, key.webhookId);
    const begins = status === "disabled" ? "when the webhook is enabled" : "within a minute";
    return {
      text: `Sending begins ${begins}. Events that are waiting: ${String(waiting)}.`,
      ...(await invalidated(context, key.clientId)),
    };
  },
});

/** The last event that was sent before a redelivery that is pending. */
const lastSent = ({ position, redeliveryUntil }: WebhookEndpoint) =>
  Math.max(position, redeliveryUntil ?? 0);

/** Sends all events since `first` again. */
async function planRange(
  d1: D1Database,
  endpoint: WebhookEndpoint,
  first: number,
): Promise<PlannedChange> {
  const subjects = [{ type: "webhook" as const, keys: [endpoint.clientId] }];
  const unchanged = whyUnchanged(endpoint, first);
  if (unchanged !== null) return { will: null, preview: { warnings: [unchanged] }, subjects };
  const sent = await readEventCount(d1, endpoint, { first, last: lastSent(endpoint) });
  const range = sent.count === 0 ? "" : `, ${String(sent.first)} to ${String(sent.last)},`;
  const will = `send ${plural(sent.count, "event")}${range} again ${toEndpoint(endpoint)}`;
  return { will, subjects };
}

function whyUnchanged(endpoint: WebhookEndpoint, first: number): string | null {
  const { position, redeliveryFrom } = endpoint;
  const last = lastSent(endpoint);
  if (position < last && (first > position || position !== redeliveryFrom)) {
    return `Events up to ${String(last)} are being sent again already, and ${String(position)} was sent last.`;
  }
  return first > position ? `Events after ${String(position)} have not been sent yet.` : null;
}

const toEndpoint = ({ id, clientId, url, status }: WebhookEndpoint) =>
  `to webhook ${String(id)} of ${clientId}, ${shownUrl(url)}${status === "disabled" ? ", when it is enabled" : ""}`;
