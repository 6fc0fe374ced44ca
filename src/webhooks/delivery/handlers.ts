// The Worker's handlers of the queue and of the cron trigger.
import { brokenRules } from "../../configuration.ts";
import { withDeadline } from "../../db/deadline.ts";
import type { Bindings } from "../../env.ts";
import { logFault } from "../../log.ts";
import { nudgeWebhooks, type WebhookMessage } from "../nudge.ts";
import { findReadyWebhooks } from "./queries.ts";
import { deliver } from "./run.ts";

/** Sends the events of the endpoints in the batch. A message is acknowledged before its delivery ends. */
export function handleQueue(
  batch: Pick<MessageBatch<WebhookMessage>, "messages">,
  env: Bindings,
  ctx: Pick<ExecutionContext, "waitUntil">,
  now: () => number = Date.now,
): void {
  requireConfiguration(env);
  for (const { body } of batch.messages) {
    ctx.waitUntil(deliverAndNudge(env, body.webhookId, now));
  }
}

async function deliverAndNudge(env: Bindings, webhookId: number, now: () => number): Promise<void> {
  try {
    const seconds = await deliver({ d1: withDeadline(env.DB), env, now }, webhookId);
    if (seconds !== null) await nudgeWebhooks(env.WEBHOOK_QUEUE, [webhookId], seconds);
  } catch (error) {
    logFault("webhook delivery", error, { webhookId });
  }
}

/** Nudges all endpoints that have events to send: new ones whose nudge was lost, and retries that are due. */
export async function handleCron(env: Bindings, now: () => number = Date.now): Promise<void> {
  requireConfiguration(env);
  const webhookIds = await findReadyWebhooks(withDeadline(env.DB), now());
  await nudgeWebhooks(env.WEBHOOK_QUEUE, webhookIds);
}

/** Throws if the configuration is invalid. The platform logs the error, and retries a message of the queue. */
function requireConfiguration(env: Bindings): void {
  const broken = brokenRules(env);
  if (broken.length > 0) throw new Error(broken.join("; "));
}
