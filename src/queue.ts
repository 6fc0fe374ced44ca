// The handler of the queues: nudges of webhook endpoints, of the outbox of e-mails, of the registration of parcels and of
// messages to vendors, and reports about e-mails.
import { registerParcels } from "./features/carrier/register.ts";
import { sendDueEmails } from "./features/email/outbox/run.ts";
import { receiveReports } from "./features/email/reports.ts";
import { tellVendors } from "./features/vendors/tell.tsx";
import { deliver } from "./features/webhooks/delivery/run.ts";
import { nudgeWebhooks } from "./features/webhooks/nudge.ts";
import { requireValidConfiguration } from "./platform/configuration.ts";
import { withDeadlines } from "./platform/deadlines.ts";
import type { Bindings, QueueMessage } from "./platform/env.ts";
import { logFault } from "./platform/log.ts";

/** The end of the name of the queue to which the e-mail service sends its reports. */
const REPORTS = "-email-reports";

/** What is logged if a message fails. */
const FAULTS = {
  webhook: "webhook.delivery_failed",
  emails: "email.run_failed",
  trackers: "carrier.registration_failed",
  vendors: "vendor.telling_failed",
} as const satisfies Record<QueueMessage["type"], unknown>;

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
      run(body, env, now).catch((error: unknown) => {
        logFault(FAULTS[body.type], error, { ...body });
      }),
    );
  }
}

/** Carries out what the message starts, and nudges it again if more is to be done. */
async function run(message: QueueMessage, env: Bindings, now: () => number): Promise<void> {
  const context = { d1: env.DB, env, now };
  switch (message.type) {
    case "webhook": {
      const { webhookId } = message;
      const seconds = await deliver(context, webhookId);
      if (seconds !== null) await nudgeWebhooks(env.WEBHOOK_QUEUE, [webhookId], seconds);
      return;
    }
    case "emails":
      if (await sendDueEmails(context)) await env.WEBHOOK_QUEUE.send(message);
      return;
    case "trackers":
      if (await registerParcels(env, now)) await env.WEBHOOK_QUEUE.send(message);
      return;
    case "vendors":
      return tellVendors(env, now);
  }
}
