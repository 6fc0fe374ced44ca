// GET /health, for monitors. It needs no credentials, contains no secrets, and reads no database: anyone may
// call it as often as they like.
import { methodNotAllowed } from "../../platform/http/error-response.ts";
import { HEALTH_PATH } from "../../platform/http/middleware.ts";
import { createRouter } from "../../platform/http/context.ts";
import { SECOND_MS } from "../../core/values/time.ts";
import { type HealthSummary, MAX_CRON_AGE_MS, findSummary } from "./summary.ts";

const MAX_AGE_SECONDS = 30;

export function healthRoutes() {
  let summary: HealthSummary | null = null;
  let isLoaded = false;
  let untilMs = -Infinity;
  const router = createRouter();
  router.get(HEALTH_PATH, async (c) => {
    const nowMs = c.get("nowMs");
    // Until the first read has ended, each concurrent request reads KV itself: a request cannot wait for the read of
    // another one, and without a summary it would report `unknown`. Later, one request reads and the others use the
    // last summary.
    if (!isLoaded || nowMs >= untilMs) {
      untilMs = nowMs + MAX_AGE_SECONDS * SECOND_MS;
      // If KV fails, the last summary is used, whatever its age. The response depends on the age.
      summary = (await findSummary(c.env)) ?? summary;
      isLoaded = true;
    }
    const configuration = c.get("isConfigured") ? "valid" : "invalid";
    const ageMs = summary && Math.max(0, nowMs - summary.cronSucceededAtMs);
    const cron = ageMs === null ? "unknown" : ageMs < MAX_CRON_AGE_MS ? "ok" : "late";
    const check = summary?.lastCheck ?? null;
    const invariants = check === null ? "unknown" : check.total === 0 ? "ok" : "broken";
    const emails = summary?.emails ?? "unknown";
    const isBroken = invariants === "broken" || emails === "refused" || emails === "late";
    const isOk = configuration === "valid" && cron === "ok" && !isBroken;
    return c.json(
      {
        status: isOk ? "ok" : "failing",
        configuration,
        cron,
        cron_age_seconds: ageMs && Math.floor(ageMs / SECOND_MS),
        invariants,
        invariants_age_seconds:
          check && Math.max(0, Math.floor((nowMs - check.finishedAtMs) / SECOND_MS)),
        differences: check?.total ?? null,
        emails,
        version: c.env.VERSION?.id ?? null,
      },
      isOk ? 200 : 503,
      { "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}` },
    );
  });
  router.all(HEALTH_PATH, methodNotAllowed("GET", "HEAD"));
  return router;
}
