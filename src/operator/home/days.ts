// The numbers of the last 30 days. They are kept in KV, because reading them costs as much as the orders of 30 days.
import { DAY_MS, formatDay } from "../../core/values/time.ts";
import { type DayCounts, readDays } from "../../features/report/queries.ts";
import { kvKey } from "../../platform/cache/tiered.ts";
import { logFault } from "../../platform/log.ts";
import type { OperatorContext } from "../declaration/declare.ts";

const DAYS = 30;
const KEY = "days:1";
const KEPT_SECONDS = 600;

/** The last 30 days, today first. One round trip, or none if the numbers are in KV. */
export async function lastDays(context: OperatorContext) {
  const today = Math.floor(context.nowMs / DAY_MS);
  const counts = await keptCounts(context, today);
  return Array.from({ length: DAYS }, (_, age) => {
    const rows = counts.filter(({ day }) => day === today - age);
    const sumOf = (name: keyof DayCounts) => rows.reduce((sum, row) => sum + row[name], 0);
    return {
      day: formatDay((today - age) * DAY_MS),
      orders: sumOf("orders"),
      accepted: sumOf("accepted"),
      shipped: sumOf("shipped"),
      failures: sumOf("failures"),
    };
  });
}

async function keptCounts({ DB, ...env }: OperatorContext, today: number): Promise<DayCounts[]> {
  const key = kvKey(env, KEY);
  try {
    const kept = await env.KV.get<DayCounts[]>(key, "json");
    if (kept) return kept;
  } catch (error) {
    logFault("cache.read_failed", error);
  }
  const period = { fromMs: (today - DAYS + 1) * DAY_MS, toMs: (today + 1) * DAY_MS };
  const counts = await readDays(DB, period);
  try {
    await env.KV.put(key, JSON.stringify(counts), { expirationTtl: KEPT_SECONDS });
  } catch (error) {
    logFault("cache.write_failed", error);
  }
  return counts;
}
