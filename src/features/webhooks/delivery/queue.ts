// The handler of the queue, whose messages are nudges of webhook endpoints or of the outbox of e-mails.
import { requireValidConfiguration } from "../../../platform/configuration.ts";
import { withDeadline } from "../../../platform/db/deadline.ts";
import type { Bindings, QueueMessage } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { nudgeWebhooks } from "../nudge.ts";
import { sendDueEmails } from "../../email/outbox/run.ts";
import { deliver } from "./run.ts";

/**
 * Sends the events of the endpoints in the batch, or e-mails. A message is acknowledged before its delivery ends: the cron handler
 * finds what was not sent.
 */
export function handleQueue(
  batch: Pick<MessageBatch<QueueMessage>, "messages">,
  env: Bindings,
  ctx: Pick<ExecutionContext, "waitUntil">,
  now: () => number = Date.now,
): void {
  requireValidConfiguration(env);
  for (const { body } of batch.messages) {
    ctx.waitUntil(
      "emails" in body ? sendAndNudge(env, now) : deliverAndNudge(env, body.webhookId, now),
    );
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

async function sendAndNudge(env: Bindings, now: () => number): Promise<void> {
  try {
    const hasMore = await sendDueEmails({ d1: withDeadline(env.DB), env, now });
    if (hasMore) await env.WEBHOOK_QUEUE.send({ emails: true });
  } catch (error) {
    logFault("email.run_failed", error);
  }
}
