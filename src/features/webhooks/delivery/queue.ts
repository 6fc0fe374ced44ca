// A message of the queue, which is a nudge of a webhook endpoint.
import type { Bindings } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { nudgeWebhooks } from "../nudge.ts";
import { deliver } from "./run.ts";

/** Sends the endpoint's events. If another run should follow, nudges the endpoint again. Never throws. */
export async function deliverAndNudge(
  env: Bindings,
  webhookId: number,
  now: () => number,
): Promise<void> {
  try {
    const seconds = await deliver({ d1: env.DB, env, now }, webhookId);
    if (seconds !== null) await nudgeWebhooks(env.WEBHOOK_QUEUE, [webhookId], seconds);
  } catch (error) {
    logFault("webhook.delivery_failed", error, { webhookId });
  }
}
