// A webhook endpoint and its deliveries.
import { EVENT_TYPES } from "../../features/events/event.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { agoText } from "../../core/values/ago.ts";
import { plural } from "../../core/values/plural.ts";
import { readDeliveries } from "../../features/webhooks/queries.ts";
import { DELIVERY_STATUSES, type DisabledReason } from "../../features/webhooks/webhook.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { webhookRow } from "./list.ts";
import { requireWebhook, type WebhookEndpoint } from "./queries.ts";

const DELIVERIES_PER_PAGE = 50;

/** Two round trips. */
export const webhookShow = view({
  name: "webhook show",
  title: "Webhook",
  description:
    "An event is pending until it is delivered or has failed ten times, which takes about three days.",
  permission: "view",
  input: {
    webhook: kinds.webhook("Webhook"),
    status: kinds.optional(
      kinds.choice("Deliveries", ["undelivered", ...DELIVERY_STATUSES], {
        hint: "undelivered: pending or failed, and the last attempt has failed.",
      }),
    ),
    before: kinds.optional(kinds.position("Deliveries of events before this one")),
  },
  examples: ["12 --status undelivered"],
  shape: {
    facts: {
      client: kinds.from("clientId", kinds.client("Client")),
      address: kinds.text("URL"),
      description: kinds.text("Description"),
      state: kinds.from("status", kinds.status("Status")),
      reason: kinds.from("disabledReason", kinds.text("Disabled because", { beside: "state" })),
      failing_since: kinds.from("failingSinceMs", kinds.time("Failing since")),
      events: kinds.text("Events"),
      last_sent: kinds.from("position", kinds.count("Last event sent")),
      last_event: kinds.from("lastSequence", kinds.count("Last event")),
      waiting: kinds.count("Waiting events"),
      created: kinds.from("createdAtMs", kinds.time("Created")),
    },
    lists: {
      deliveries: {
        title: "Deliveries, newest first",
        empty: "No delivery matches. Events are sent within a minute.",
        columns: {
          event: kinds.from("sequence", kinds.id("Event")),
          type: kinds.choice("Type", EVENT_TYPES),
          status: kinds.status("Status"),
          attempts: kinds.count("Attempts"),
          last_attempt: kinds.from("attemptedAtMs", kinds.time("Last attempt")),
          next_attempt: kinds.from("nextAttemptAtMs", kinds.time("Next attempt")),
          answer: kinds.from("responseStatus", kinds.count("Answer")),
          milliseconds: kinds.from("durationMs", kinds.count("Milliseconds")),
          answer_text: kinds.from("responseText", kinds.text("Text", { beside: "answer" })),
        },
        rowActions: ["webhook redeliver"],
      },
    },
  },
  read: async ({ DB, nowMs }, { webhook: webhookId, status = null, before = MAX_ID }) => {
    const endpoint = await requireWebhook(DB, webhookId);
    const { clientId } = endpoint;
    const limit = DELIVERIES_PER_PAGE;
    const page = await readDeliveries(DB, { clientId, webhookId, status, before, limit });
    const { deliveries = [], nextBefore = null } = page ?? {};
    return {
      headline: `Webhook ${String(webhookId)} of ${clientId}`,
      ...stateOf(endpoint, nowMs),
      facts: webhookRow(endpoint),
      lists: { deliveries },
      actions: ["webhook redeliver"],
      ...(nextBefore !== null && { next: { before: String(nextBefore) } }),
    };
  },
});

const DISABLED: Record<DisabledReason, string> = {
  client: "by its client",
  gone: "because it answered 410",
  failing: "because no attempt has succeeded for five days",
};

/** The state in a sentence, which is a warning if events are not received. */
function stateOf(endpoint: WebhookEndpoint, nowMs: number) {
  const { status, disabledReason, failingSinceMs, responseStatus, waiting } = endpoint;
  const wait = waiting > 0 ? ` ${plural(waiting, "event")} wait${waiting === 1 ? "s" : ""}.` : "";
  const answer =
    responseStatus === null ? "got no answer" : `was answered with ${String(responseStatus)}`;
  if (status === "disabled") {
    const reason = disabledReason === null ? "" : ` ${DISABLED[disabledReason]}`;
    return { warnings: [`Disabled${reason}. Nothing is sent.${wait}`] };
  }
  if (failingSinceMs !== null) {
    return {
      warnings: [
        `The last attempt ${answer}. The first that failed was ${agoText(failingSinceMs, nowMs)}.${wait}`,
      ],
    };
  }
  return { text: `Enabled.${wait || " All events are sent."}` };
}
