// The first page.
import { DAY_MS } from "../../../core/values/time.ts";
import { readHealth } from "../../../features/health/state-queries.ts";
import { readOverview } from "../../../operator/health/overview-queries.ts";
import { createRoutes } from "../../router.ts";
import { homePage } from "./page.tsx";

/** Gifts that are ready for longer count as late. */
const LATE_AFTER_MS = 2 * DAY_MS;

export const homePages = createRoutes().get("/", "view", async ({ env, get }) => {
  const nowMs = get("nowMs");
  const [overview, health] = await Promise.all([
    readOverview(env.DB, {
      readyBeforeMs: nowMs - LATE_AFTER_MS,
      failedSinceMs: nowMs - 7 * DAY_MS,
    }),
    readHealth(env.DB),
  ]);
  return homePage({ overview, health, nowMs });
});
