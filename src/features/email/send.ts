// A message of the queue, which is a nudge of the outbox.
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { sendDueEmails } from "./outbox/run.ts";

/** Sends the e-mails that are due. If another run should follow, nudges the outbox again. Never throws. */
export async function sendAndNudge(env: Bindings, now: () => number): Promise<void> {
  try {
    const hasMore = await sendDueEmails({ d1: env.DB, env, now });
    if (hasMore) await env.WEBHOOK_QUEUE.send({ type: "emails" });
  } catch (error) {
    logFault("email.run_failed", error);
  }
}
