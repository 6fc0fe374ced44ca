// Enables and disables webhook endpoints.
import { setDisabled, setEnabled, type WebhookKey } from "../../features/webhooks/queries.ts";
import { invalidated } from "../clients/invalidate.ts";
import { change, type RunContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { endpointText, requireWebhook } from "./find.ts";

interface StatusChange {
  verb: "enable" | "disable";
  title: string;
  description: string;
  write: (context: RunContext, key: WebhookKey) => Promise<unknown>;
}

/** One transaction. */
const statusChange = ({ verb, title, description, write }: StatusChange) =>
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

export const webhookEnable = statusChange({
  verb: "enable",
  title: "Enable the endpoint",
  description: "Sends events to the endpoint again, from where sending stopped.",
  write: ({ DB, nowMs }, key) => setEnabled(DB, key, "operator", nowMs),
});

export const webhookDisable = statusChange({
  verb: "disable",
  title: "Disable the endpoint",
  description: "Stops sending events to the endpoint. Its client cannot enable it.",
  write: ({ DB }, key) => setDisabled(DB, key, "operator"),
});
