// The first page.
import { DAY_MS } from "../../../core/values/time.ts";
import { readHealth } from "../../../features/health/state-queries.ts";
import { readDays } from "../../../operator/health/daily.ts";
import { readOverview } from "../../../operator/health/overview-queries.ts";
import { logFault } from "../../../platform/log.ts";
import { createRoutes } from "../../router.ts";
import { homePage } from "./page.tsx";

/** Gifts that are ready for longer count as late. */
const LATE_AFTER_MS = 2 * DAY_MS;

export const homePages = createRoutes().get("/", "view", async ({ env, get }) => {
  const nowMs = get("nowMs");
  const [overview, health, days] = await Promise.all([
    readOverview(env.DB, nowMs - LATE_AFTER_MS),
    readHealth(env.DB),
    readDays(env).catch((error: unknown) => {
      logFault("cache.read_failed", error);
      return [];
    }),
  ]);
  return homePage({ overview, health, days, nowMs });
});
