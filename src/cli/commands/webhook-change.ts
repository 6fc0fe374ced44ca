// Changes of a webhook endpoint that a command names.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { parseId } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { listWebhooksOfAll } from "../../operator/webhooks/queries.ts";
import type { WebhookKey } from "../../features/webhooks/queries.ts";
import { Refusal } from "../../operator/refusal.ts";
import { parsed } from "../options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { invalidateClient, printChange, runChange } from "../run.ts";
import { fields } from "../terminal.ts";

export type ListedWebhook = Awaited<ReturnType<typeof requireWebhook>>;

/** Changes an endpoint after confirmation, and prints it. Errors: `UsageError`, `Refusal`. */
export async function changeWebhook(
  id: string,
  command: Command,
  plan: (webhook: ListedWebhook, d1: D1Database) => PlannedChange | Promise<PlannedChange>,
  work: (env: Bindings, key: WebhookKey) => Promise<void>,
): Promise<void> {
  const webhookId = webhookOption(id);
  await runChange(
    command,
    async ({ DB }) => {
      const webhook = await requireWebhook(DB, webhookId);
      return { ...(await plan(webhook, DB)), clientId: webhook.clientId };
    },
    async (env, { clientId }) => {
      await work(env, { clientId, webhookId });
      await invalidateClient(env, clientId);
      await printWebhook(env, webhookId, command);
    },
  );
}

export async function printWebhook(
  { DB }: Bindings,
  webhookId: number,
  command: Command,
): Promise<void> {
  const webhook = await requireWebhook(DB, webhookId);
  printChange(command, webhook, () =>
    fields({
      webhook: webhook.id,
      client: webhook.clientId,
      url: webhook.url,
      description: webhook.description,
      events: webhook.eventTypes?.join() ?? "all",
      status: webhook.status,
      "disabled because of": webhook.disabledReason,
      "failing since": optionalDateTime(webhook.failingSinceMs),
      position: webhook.position,
      "last event": webhook.lastSequence,
      created: formatDateTime(webhook.createdAtMs),
    }),
  );
}

/** Errors: `Refusal` if there is no such endpoint. */
export async function requireWebhook(d1: D1Database, webhookId: number) {
  const [webhook] = await listWebhooksOfAll(d1, { webhookId });
  if (!webhook) throw unknownWebhook(webhookId);
  return webhook;
}

export function unknownWebhook(webhookId: number): Refusal {
  return new Refusal(`there is no webhook ${String(webhookId)}.`);
}

export const webhookOption = (text: string) =>
  parsed(text, parseId, "<webhook> must be the number of a webhook");
