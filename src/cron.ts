// The handler of the cron trigger, which runs each minute.
import { requireValidConfiguration } from "./configuration.ts";
import { reportLowCredit } from "./credit/alert.ts";
import { withDeadline } from "./db/deadline.ts";
import type { Bindings } from "./env.ts";
import { expireGifts } from "./lifecycle/expire.ts";
import { logFault } from "./log.ts";
import { MINUTE_MS } from "./values/time.ts";
import { deleteOldDeliveries, findReadyWebhooks } from "./webhooks/delivery/queries.ts";
import { nudgeWebhooks } from "./webhooks/nudge.ts";

/**
 * Expires gifts, inserts reminders of expiries, and inserts the events of low credit. Then it nudges all endpoints that
 * have events to send: these events, events whose nudge was lost, and retries that are due. Once an hour it deletes old
 * entries of the delivery log. A task that fails does not prevent the others. Two handlers may run at the same time.
 * Throws if a task failed, so that the platform shows the run as failed.
 */
export async function handleCron(env: Bindings, now: () => number = Date.now): Promise<void> {
  requireValidConfiguration(env);
  const db = withDeadline(env.DB);
  const nowMs = now();
  const isFullHour = Math.floor(nowMs / MINUTE_MS) % 60 === 0;
  const tasks: Record<string, () => Promise<unknown>> = {
    expiry: () => expireGifts(db, nowMs),
    "credit alerts": () => reportLowCredit(db, nowMs),
    "webhook sweep": async () =>
      nudgeWebhooks(env.WEBHOOK_QUEUE, await findReadyWebhooks(db, nowMs)),
    ...(isFullHour && { "delivery log": () => deleteOldDeliveries(db, nowMs) }),
  };
  const failed: string[] = [];
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await task();
    } catch (error) {
      logFault(name, error);
      failed.push(name);
    }
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(", ")}`);
}
