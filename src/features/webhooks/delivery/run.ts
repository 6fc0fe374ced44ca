// A run of delivery: sends the due events of one endpoint.
import { SECOND_MS } from "../../../core/values/time.ts";
import { type Attempt, leaseWebhookPage, saveAndReadPage, saveAndRelease } from "./queries.ts";
import { isDown } from "./retry.ts";
import { type DeliveryContext, type RunState, sendPage } from "./send-page.ts";

/** A run starts no attempt after this time. With the last attempts it ends within the 30 s that waitUntil allows. */
const RUN_MS = 10 * SECOND_MS;

/** Keeps a run below the 1,000 D1 statements that Cloudflare allows in one invocation. */
export const MAX_PAGES = 100;

/** The run nudges the endpoint for retries that are due within this time. The cron handler starts later ones. */
const SOON_MS = 60 * SECOND_MS;

/**
 * Sends the endpoint's new events and due retries until there are none left, the time is over or the endpoint fails.
 * Returns the seconds after which the endpoint should be nudged again, or null. An event is sent at least once: if the
 * run is killed after an attempt and before its outcome is saved, the event is sent again.
 */
export async function deliver(context: DeliveryContext, webhookId: number): Promise<number | null> {
  const { d1, now, maxPages = MAX_PAGES } = context;
  const lease = { webhookId, leaseId: crypto.randomUUID() };
  const untilMs = now() + RUN_MS;
  const run: RunState = { failures: 0, successes: 0, stopped: false };
  let soonestRetryMs = Infinity;
  let page = await leaseWebhookPage(d1, lease, now());
  for (let pages = 1; page; pages++) {
    const { outcome, isComplete } = await sendPage(context, page, run, untilMs);
    if (!isDown(page.endpoint)) {
      soonestRetryMs = Math.min(soonestRetryMs, soonestRetry(outcome.attempts));
    }
    const isOver = run.stopped || now() >= untilMs || pages >= maxPages;
    if (!isOver && (page.isFull || !isComplete)) {
      page = await saveAndReadPage(d1, lease, outcome, now());
      continue;
    }
    const isReady = await saveAndRelease(d1, lease, outcome, now());
    if (run.stopped || !isReady) break;
    if (isOver) return 0;
    // Events were added during the run.
    page = await leaseWebhookPage(d1, lease, now());
  }
  const delayMs = soonestRetryMs - now();
  return delayMs < SOON_MS ? Math.max(0, Math.ceil(delayMs / SECOND_MS)) : null;
}

function soonestRetry(attempts: Attempt[]): number {
  return Math.min(...attempts.map(({ nextAttemptAtMs }) => nextAttemptAtMs ?? Infinity));
}
