// Nudges of the outbox: messages in the queue that start a run.
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";

type NudgeEnv = Pick<Bindings, "WEBHOOK_QUEUE" | "EMAIL_FROM">;

/** Starts a run. Never throws: the cron handler starts a run too. */
export async function startEmails({ WEBHOOK_QUEUE: queue, EMAIL_FROM }: NudgeEnv): Promise<void> {
  if (EMAIL_FROM === "") return;
  try {
    await queue.send({ type: "emails" });
  } catch (error) {
    logFault("email.nudge_failed", error);
  }
}

/** Starts a run after the response. */
export function nudgeEmails(env: NudgeEnv, ctx: Pick<ExecutionContext, "waitUntil">): void {
  ctx.waitUntil(startEmails(env));
}
