// Enables webhook endpoints, and what it shares with disabling them.
import { setEnabled, type WebhookKey } from "../../features/webhooks/queries.ts";
import { invalidated } from "../client/invalidate.ts";
import { change, type RunContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { endpointText, requireWebhook } from "./require-webhook.ts";

interface StatusChange {
  verb: "enable" | "disable";
  title: string;
  description: string;
  write: (context: RunContext, key: WebhookKey) => Promise<unknown>;
}

/** One transaction. */
export const webhookStatusChange = ({ verb, title, description, write }: StatusChange) =>
  change({
    name: `webhook ${verb}`,
    title,
    description,
    permission: "webhooks",
    input: { webhook: kinds.webhook("Webhook") },
    examples: ["12 --env production"],
    plan: async ({ DB }, { webhook: webhookId }) => {
      const endpoint = await requireWebhook(DB, webhookId);
      const { clientId, status, disabledReason } = endpoint;
      const isDone = verb === "disable" && disabledReason === "operator";
      return {
        key: { clientId, webhookId },
        will: isDone ? null : `${verb} ${endpointText(endpoint)}, which is ${status}`,
        subjects: [{ type: "webhook", keys: [clientId] }],
        confirms: webhookId,
      };
    },
    run: async (context, { key }) => {
      await write(context, key);
      const { status, waiting } = await requireWebhook(context.DB, key.webhookId);
      return {
        text: `Webhook ${String(key.webhookId)} is ${status}. Events that are waiting: ${String(waiting)}.`,
        ...(await invalidated(context, key.clientId)),
      };
    },
  });

export const webhookEnable = webhookStatusChange({
  verb: "enable",
  title: "Enable the endpoint",
  description: "Sends events to the endpoint again, from where sending stopped.",
  write: ({ DB, nowMs }, key) => setEnabled(DB, key, "operator", nowMs),
});
