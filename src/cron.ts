// The handler of the cron trigger, which runs each minute.
import { requireValidConfiguration } from "./platform/configuration.ts";
import { updateAvailability } from "./features/catalogue/availability-queries.ts";
import { insertProductEvents } from "./features/catalogue/product-events.ts";
import { resealCodes } from "./features/codes/reseal.ts";
import { voidExpiringCodes } from "./features/codes/upkeep-queries.ts";
import { reportLowCredit } from "./features/credit/alert-queries.ts";
import { withDeadlines } from "./platform/deadlines.ts";
import type { Bindings } from "./platform/env.ts";
import { type HealthState, readHealth, saveCronSuccess } from "./features/health/state-queries.ts";
import { publishHealth } from "./features/health/summary.ts";
import { expireGifts } from "./features/lifecycle/expire.ts";
import { logFault } from "./platform/log.ts";
import { eraseDue } from "./features/privacy/retention.ts";
import { MINUTE_MS } from "./core/values/time.ts";
import { deleteOldDeliveries, listReadyWebhooks } from "./features/webhooks/delivery/queries.ts";
import { nudgeWebhooks } from "./features/webhooks/nudge.ts";

/**
 * Expires gifts, inserts reminders of expiries, removes codes that expire, inserts the events of low credit and of
 * products, and erases personal data whose retention period has passed. Then it nudges all endpoints that have events to
 * send: these events, events whose nudge was lost, and retries that are due. It nudges the outbox if an e-mail is due, and
 * starts the registration of parcels and the messages to vendors. Once an hour it deletes old entries of the delivery log. At
 * the end it records that it has succeeded. A task that fails does not prevent the others. Two handlers may run at the same time. Throws if a task
 * failed, so that the platform shows the run as failed.
 */
export async function handleCron(bindings: Bindings, now: () => number = Date.now): Promise<void> {
  requireValidConfiguration(bindings);
  const env = withDeadlines(bindings);
  const db = env.DB;
  const nowMs = now();
  const isFullHour = Math.floor(nowMs / MINUTE_MS) % 60 === 0;
  let health: HealthState | undefined;
  const tasks: Record<string, () => Promise<unknown>> = {
    expiry: () => expireGifts(db, nowMs),
    code_expiry: () => voidExpiringCodes(db, nowMs),
    code_keys: () => resealCodes(db, env),
    credit_alerts: () => reportLowCredit(db, nowMs),
    availability: () => updateAvailability(db, nowMs),
    product_events: () => insertProductEvents(db),
    retention: () => eraseDue(db, nowMs),
    webhook_sweep: async () => nudgeWebhooks(env.WEBHOOK_QUEUE, await listReadyWebhooks(db, nowMs)),
    email_sweep: async () => {
      health = await readHealth(db);
      const { emailsDueMs: dueMs } = health;
      if (env.EMAIL_FROM !== "" && dueMs !== null && dueMs <= nowMs)
        await env.WEBHOOK_QUEUE.send({ type: "emails" });
    },
    vendor_sweep: () => env.WEBHOOK_QUEUE.send({ type: "vendors" }),
    ...(env.EASYPOST_API_KEY && {
      tracker_sweep: () => env.WEBHOOK_QUEUE.send({ type: "trackers" }),
    }),
    ...(isFullHour && { delivery_log: () => deleteOldDeliveries(db, nowMs) }),
  };
  const failed: string[] = [];
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await task();
    } catch (error) {
      logFault("cron.task_failed", error, { task: name });
      failed.push(name);
    }
  }
  if (failed.length > 0 || !health) throw new Error(`failed: ${failed.join(", ")}`);
  await saveCronSuccess(db, nowMs);
  await publishHealth(env, health, nowMs);
}
