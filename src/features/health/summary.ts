// The state that GET /health shows. The cron handler writes it to KV, so that a monitor's request does not read D1.
import { type KvBindings, kvKey } from "../../platform/cache/tiered.ts";
import { logFault } from "../../platform/log.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import type { Bindings } from "../../platform/env.ts";
import type { CheckResult, EmailState, HealthState } from "./state-queries.ts";

export interface HealthSummary {
  cronSucceededAtMs: number;
  /** Null if the checks of the invariants have never run. */
  lastCheck: Pick<CheckResult, "finishedAtMs" | "total"> | null;
  emails: EmailHealth;
}

/** `refused`: the e-mail service does not accept the sender. `late`: an e-mail has been due for 15 minutes. */
export type EmailHealth = "off" | "ok" | "refused" | "late";

const KEY = "health:1";

/** Each write to KV is billed, and the free plan has 1,000 a day. */
const PUBLISH_EVERY_MINUTES = 5;

/**
 * More than two intervals between summaries, because one summary may be lost, plus the time until a new summary is
 * visible everywhere in KV.
 */
export const MAX_CRON_AGE_MS = 15 * MINUTE_MS;

/** E-mails are sent within a minute, unless the e-mail service limits their number. */
const MAX_EMAIL_DELAY_MS = 15 * MINUTE_MS;

export function emailHealth(
  { EMAIL_FROM }: Pick<Bindings, "EMAIL_FROM">,
  { emailFault, emailsDueMs }: EmailState,
  nowMs: number,
): EmailHealth {
  if (EMAIL_FROM === "") return "off";
  // A limit ends by itself.
  if (emailFault !== null && !emailFault.includes("_LIMIT_")) return "refused";
  return emailsDueMs !== null && nowMs - emailsDueMs > MAX_EMAIL_DELAY_MS ? "late" : "ok";
}

/**
 * Writes the summary after a successful run: every five minutes, and at once after the first run and if the sender of
 * e-mails is refused. A failure of KV is only logged.
 */
export async function publishHealth(
  env: KvBindings & Pick<Bindings, "EMAIL_FROM">,
  state: HealthState,
  nowMs: number,
): Promise<void> {
  const emails = emailHealth(env, state, nowMs);
  const isDue = Math.floor(nowMs / MINUTE_MS) % PUBLISH_EVERY_MINUTES === 0;
  if (!isDue && state.cronSucceededAtMs !== null && emails !== "refused") return;
  const lastCheck = state.lastCheck && {
    finishedAtMs: state.lastCheck.finishedAtMs,
    total: state.lastCheck.total,
  };
  const summary: HealthSummary = { cronSucceededAtMs: nowMs, lastCheck, emails };
  try {
    await env.KV.put(kvKey(env, KEY), JSON.stringify(summary));
  } catch (error) {
    logFault("health.publish_failed", error);
  }
}

/** The last summary, or null if there is none or KV does not respond. */
export async function findSummary(env: KvBindings): Promise<HealthSummary | null> {
  try {
    return await env.KV.get<HealthSummary>(kvKey(env, KEY), "json");
  } catch (error) {
    logFault("cache.read_failed", error);
    return null;
  }
}
