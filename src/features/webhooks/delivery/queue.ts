// The handler of the queue, whose messages are nudges.
import { requireValidConfiguration } from "../../../platform/configuration.ts";
import { withDeadline } from "../../../platform/db/deadline.ts";
import type { Bindings, WebhookMessage } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { nudgeWebhooks } from "../nudge.ts";
import { deliver } from "./run.ts";

/**
 * Sends the events of the endpoints in the batch. A message is acknowledged before its delivery ends: the cron handler
 * finds the events of a delivery that failed.
 */
export function handleQueue(
  batch: Pick<MessageBatch<WebhookMessage>, "messages">,
  env: Bindings,
  ctx: Pick<ExecutionContext, "waitUntil">,
  now: () => number = Date.now,
): void {
  requireValidConfiguration(env);
  for (const { body } of batch.messages) {
    ctx.waitUntil(deliverAndNudge(env, body.webhookId, now));
  }
}

async function deliverAndNudge(env: Bindings, webhookId: number, now: () => number): Promise<void> {
  try {
    const seconds = await deliver({ d1: withDeadline(env.DB), env, now }, webhookId);
    if (seconds !== null) await nudgeWebhooks(env.WEBHOOK_QUEUE, [webhookId], seconds);
  } catch (error) {
    logFault("webhook.delivery_failed", error, { webhookId });
  }
}
