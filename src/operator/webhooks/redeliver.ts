// Sends events to a webhook endpoint again.
import { plural } from "../../core/values/plural.ts";
import { markForRedelivery, type Redelivery } from "../../features/webhooks/queries.ts";
import type { Change } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { type ChangedWebhook, changedWebhook, type WebhookPlan } from "./change-status.ts";
import { endpointText, type ListedWebhook, requireWebhook } from "./find.ts";
import { countEvents } from "./queries.ts";

interface WebhookRedelivery {
  webhookId: number;
  /** Either one event, or all since one. */
  events: Redelivery;
}

type Plan = WebhookPlan & {
  events: Redelivery;
  /** Why nothing is going to change. Null if something is. */
  unchanged: string | null;
};

/** Sends one event again, or all events since one that the endpoint's filter includes. One transaction. */
export const REDELIVER: Change<WebhookRedelivery, Plan, ChangedWebhook> = {
  action: "webhook redeliver",
  plan: async ({ DB }, { webhookId, events }) => {
    const webhook = await requireWebhook(DB, webhookId);
    const { clientId, lastSequence } = webhook;
    const { sequence, sinceSequence } = events;
    const first = sequence ?? sinceSequence ?? 1;
    if (first > lastSequence) {
      throw new Refusal(`the last event of ${clientId} is ${String(lastSequence)}.`);
    }
    const key = { clientId, webhookId };
    if (sequence !== undefined) {
      return {
        key,
        events,
        unchanged: null,
        description: `send event ${String(sequence)} again ${toEndpoint(webhook)}`,
        subjects: [{ type: "delivery", keys: [[webhookId, sequence]] }],
      };
    }
    const unchanged = whyUnchanged(webhook, first);
    return {
      key,
      events,
      unchanged,
      description: unchanged === null ? await rangeText(DB, webhook, first) : null,
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  },
  run: async (env, { key, events }, nowMs) => {
    await markForRedelivery(env.DB, key, events, nowMs);
    return changedWebhook(env, key);
  },
};

/** The last event that was sent before a redelivery that is pending. */
const lastSent = ({ position, redeliveryUntil }: ListedWebhook) =>
  Math.max(position, redeliveryUntil ?? 0);

function whyUnchanged(webhook: ListedWebhook, first: number): string | null {
  const { position, redeliveryFrom } = webhook;
  const last = lastSent(webhook);
  if (position < last && (first > position || position !== redeliveryFrom)) {
    return (
      `events up to ${String(last)} are being sent again already, and ${String(position)} was sent last. ` +
      "Nothing was changed."
    );
  }
  return first > position ? `events after ${String(position)} have not been sent yet.` : null;
}

/** What a redelivery of all events since `first` sends again. */
async function rangeText(d1: D1Database, webhook: ListedWebhook, first: number): Promise<string> {
  const sent = await countEvents(d1, webhook, { first, last: lastSent(webhook) });
  const range = sent.count === 0 ? "" : `, ${String(sent.first)} to ${String(sent.last)},`;
  return `send ${plural(sent.count, "event")}${range} again ${toEndpoint(webhook)}`;
}

const toEndpoint = (webhook: ListedWebhook) =>
  `to ${endpointText(webhook)}${webhook.status === "disabled" ? ", when it is enabled" : ""}`;
