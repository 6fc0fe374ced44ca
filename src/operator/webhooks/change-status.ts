// Enables and disables webhook endpoints.
import { setDisabled, setEnabled, type WebhookKey } from "../../features/webhooks/queries.ts";
import type { Change, PlannedChange } from "../change.ts";
import { invalidateClient } from "../clients/invalidate.ts";
import { endpointText, type ListedWebhook, requireWebhook } from "./find.ts";

export type WebhookPlan = PlannedChange & { key: WebhookKey };

/** The endpoint after a change. */
export interface ChangedWebhook {
  webhook: ListedWebhook;
  /** False if it takes a minute until all isolates use the change, because KV could not be reached. */
  isInvalidated: boolean;
}

type StatusChange = Change<{ webhookId: number }, WebhookPlan, ChangedWebhook>;

const statusChange = (
  verb: "enable" | "disable",
  write: (d1: D1Database, key: WebhookKey, nowMs: number) => Promise<unknown>,
): StatusChange => ({
  action: `webhook ${verb}`,
  plan: async ({ DB }, { webhookId }) => {
    const webhook = await requireWebhook(DB, webhookId);
    const { clientId } = webhook;
    return {
      key: { clientId, webhookId },
      description: `${verb} ${endpointText(webhook)}, which is ${webhook.status}`,
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  },
  run: async (env, { key }, nowMs) => {
    await write(env.DB, key, nowMs);
    return changedWebhook(env, key);
  },
});

/** Sends events to an endpoint again, from where sending stopped. */
export const ENABLE_WEBHOOK = statusChange("enable", (d1, key, nowMs) =>
  setEnabled(d1, key, "operator", nowMs),
);

/** Stops sending events to an endpoint. Its client cannot enable it. */
export const DISABLE_WEBHOOK = statusChange("disable", (d1, key) =>
  setDisabled(d1, key, "operator"),
);

export async function changedWebhook(
  env: Parameters<StatusChange["run"]>[0],
  { clientId, webhookId }: WebhookKey,
): Promise<ChangedWebhook> {
  const isInvalidated = await invalidateClient(env, clientId);
  return { webhook: await requireWebhook(env.DB, webhookId), isInvalidated };
}
