// Nudges of the outbox: messages in the queue that start a run.
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";

/** Starts a run after the response. If this fails, the response is not affected: the cron handler starts a run too. */
export function nudgeEmails(
  { WEBHOOK_QUEUE: queue, EMAIL_FROM }: Pick<Bindings, "WEBHOOK_QUEUE" | "EMAIL_FROM">,
  ctx: Pick<ExecutionContext, "waitUntil">,
): void {
  if (EMAIL_FROM === "") return;
  ctx.waitUntil(
    queue.send({ emails: true }).catch((error: unknown) => {
      logFault("email.nudge_failed", error);
    }),
  );
}
