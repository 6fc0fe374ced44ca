// The handler of the queues: nudges of webhook endpoints, of the outbox of e-mails, of the registration of parcels and of
// messages to vendors, and reports about e-mails.
import { registerAndNudge } from "./features/carrier/register.ts";
import { receiveReports } from "./features/email/reports.ts";
import { sendAndNudge } from "./features/email/send.ts";
import { tellVendors } from "./features/vendors/tell.tsx";
import { deliverAndNudge } from "./features/webhooks/delivery/queue.ts";
import { requireValidConfiguration } from "./platform/configuration.ts";
import { withDeadlines } from "./platform/deadlines.ts";
import type { Bindings, QueueMessage } from "./platform/env.ts";

/** The end of the name of the queue to which the e-mail service sends its reports. */
const REPORTS = "-email-reports";

const RUNS = {
  emails: sendAndNudge,
  trackers: registerAndNudge,
  vendors: tellVendors,
};

/**
 * Sends the events of the endpoints in the batch, sends e-mails, registers parcels or tells vendors of gifts. Such a message
 * is acknowledged before this ends: the cron handler finds what was not done. Reports are acknowledged when they are stored.
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
      body.type === "webhook"
        ? deliverAndNudge(env, body.webhookId, now)
        : RUNS[body.type](env, now),
    );
  }
}
