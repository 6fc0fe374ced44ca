// The numbers of the last 30 days. They are kept in KV, because reading them costs as much as the orders of 30 days.
import { DAY_MS, formatDay } from "../../core/values/time.ts";
import { type DayCounts, readDays } from "../../features/report/queries.ts";
import { kvKey } from "../../platform/cache/tiered.ts";
import { logFault } from "../../platform/log.ts";
import type { OperatorContext } from "../declaration/declare.ts";

const DAYS = 30;
const KEPT_SECONDS = 600;

/** The last 30 days, today first. One round trip, or none if the numbers are in KV. */
export async function lastDays({ DB, nowMs, ...env }: OperatorContext): Promise<DayCounts[]> {
  const key = kvKey(env, "days:1");
  const read = env.KV.get<DayCounts[]>(key, "json");
  let counts = await read.catch(logFault.bind(null, "cache.read_failed"));
  if (!counts) {
    const today = nowMs - (nowMs % DAY_MS);
    counts = await readDays(DB, { fromMs: today - (DAYS - 1) * DAY_MS, toMs: today + DAY_MS });
    const kept = env.KV.put(key, JSON.stringify(counts), { expirationTtl: KEPT_SECONDS });
    await kept.catch(logFault.bind(null, "cache.write_failed"));
  }
  return Array.from({ length: DAYS }, (_, age) => {
    const day = formatDay(nowMs - age * DAY_MS);
    const nothing = { day, orders: 0, accepted: 0, shipped: 0, failures: 0 };
    return counts.find((each) => each.day === day) ?? nothing;
  });
}
