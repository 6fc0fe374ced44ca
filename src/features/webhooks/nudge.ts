// Nudges: messages in a queue that start the delivery of an endpoint's events. A lost nudge loses no event (DECISIONS.md: D1
// is the outbox of webhooks).
import { chunksOf } from "../../core/values/chunks.ts";
import type { QueueMessage } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";

/** The largest batch that Queues accepts. */
const MAX_MESSAGES = 100;

/** Starts the delivery of these endpoints' events after `delaySeconds`. */
export async function nudgeWebhooks(
  queue: Queue<QueueMessage>,
  webhookIds: readonly number[],
  delaySeconds = 0,
): Promise<void> {
  for (const ids of chunksOf(webhookIds, MAX_MESSAGES)) {
    await queue.sendBatch(
      ids.map((webhookId) => ({ body: { type: "webhook", webhookId }, delaySeconds })),
    );
  }
}

/** Sends the nudges after the response. If this fails, the response is not affected. */
export function nudgeAfterResponse(
  queue: Queue<QueueMessage>,
  ctx: Pick<ExecutionContext, "waitUntil">,
  webhookIds: readonly number[],
): void {
  if (webhookIds.length === 0) return;
  ctx.waitUntil(
    nudgeWebhooks(queue, webhookIds).catch((error: unknown) => {
      logFault("webhook.nudge_failed", error);
    }),
  );
}
