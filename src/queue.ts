// The handler of the queues: nudges of webhook endpoints, of the outbox of e-mails and of the registration of parcels, and
// reports about e-mails.
import { registerAndNudge } from "./features/carrier/register.ts";
import { receiveReports } from "./features/email/reports.ts";
import { sendAndNudge } from "./features/email/send.ts";
import { deliverAndNudge } from "./features/webhooks/delivery/queue.ts";
import { requireValidConfiguration } from "./platform/configuration.ts";
import { withDeadlines } from "./platform/deadlines.ts";
import type { Bindings, QueueMessage } from "./platform/env.ts";

/** The end of the name of the queue to which the e-mail service sends its reports. */
const REPORTS = "-email-reports";

/**
 * Sends the events of the endpoints in the batch, sends e-mails or registers parcels. Such a message is acknowledged before
 * this ends: the cron handler finds what was not done. Reports are acknowledged when they are stored.
 */
export async function handleQueue(
  batch: Pick<MessageBatch, "queue" | "messages">,
  bindings: Bindings,
  ctx: Pick<ExecutionContext, "waitUntil">,
  now: () => number = Date.now,
): Promise<void> {
  requireValidConfiguration(bindings);
  const env = withDeadlines(bindings);
  if (batch.queue.endsWith(REPORTS)) {
    await receiveReports(batch.messages, env, now);
    return;
  }
  for (const { body } of batch.messages as readonly Message<QueueMessage>[]) {
    ctx.waitUntil(
      "emails" in body
        ? sendAndNudge(env, now)
        : "trackers" in body
          ? registerAndNudge(env, now)
          : deliverAndNudge(env, body.webhookId, now),
    );
  }
}
