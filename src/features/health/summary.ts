// The state that GET /health shows. The cron handler writes it to KV, so that a monitor's request does not read D1.
import { type KvBindings, kvKey } from "../../platform/cache/tiered.ts";
import { within } from "../../core/deadline.ts";
import { logFault } from "../../platform/log.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import type { HealthState } from "./state-queries.ts";

export interface HealthSummary {
  cronSucceededAtMs: number;
  /** The number of differences of the last complete round. Null if there is none. */
  differences: number | null;
}

const KEY = "health:1";
const KV_DEADLINE_MS = SECOND_MS;

/** Each write to KV is billed, and the free plan has 1,000 a day. */
const PUBLISH_EVERY_MINUTES = 5;

/**
 * More than two intervals between summaries, because one summary may be lost, plus the time until a new summary is
 * visible everywhere in KV.
 */
export const MAX_CRON_AGE_MS = 15 * MINUTE_MS;

/** Writes the summary after a successful run, every five minutes or if `isNews`. A failure of KV is only logged. */
export async function publishHealth(
  env: KvBindings,
  { lastRound }: HealthState,
  nowMs: number,
  isNews: boolean,
): Promise<void> {
  if (!isNews && Math.floor(nowMs / MINUTE_MS) % PUBLISH_EVERY_MINUTES !== 0) return;
  const summary = { cronSucceededAtMs: nowMs, differences: lastRound?.total ?? null };
  try {
    await within(KV_DEADLINE_MS, "KV", env.KV.put(kvKey(env, KEY), JSON.stringify(summary)));
  } catch (error) {
    logFault("health.publish_failed", error);
  }
}

/** The last summary, or null if there is none or KV does not respond. */
export async function readSummary(env: KvBindings): Promise<HealthSummary | null> {
  try {
    return await within(KV_DEADLINE_MS, "KV", env.KV.get<HealthSummary>(kvKey(env, KEY), "json"));
  } catch (error) {
    logFault("cache.read_failed", error);
    return null;
  }
}
