// Counts of the last days, which KV keeps: a page reads one key instead of all orders of a month.
import { DAY_MS, formatDay } from "../../core/values/time.ts";
import { kvKey } from "../../platform/cache/tiered.ts";
import type { OperatorBindings } from "../change.ts";
import { countDay, type DayTotals } from "./daily-queries.ts";

export const DAYS = 30;

export interface DayCount extends DayTotals {
  /** Such as `2026-05-01`, in UTC. */
  day: string;
  countedAtMs: number;
}

const KEY = "days:1";

type DailyBindings = Pick<OperatorBindings, "DB" | "KV" | "ENVIRONMENT">;

/** The counted days, oldest first. Empty before the first run. */
export async function readDays(env: DailyBindings): Promise<DayCount[]> {
  return (await env.KV.get<DayCount[]>(kvKey(env, KEY), "json")) ?? [];
}

/** Counts today, and each of the last days that was not counted after its end. A D1 round trip for each of them. */
export async function updateDays(env: DailyBindings, nowMs: number): Promise<void> {
  const counted = new Map((await readDays(env)).map((each) => [each.day, each]));
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days: DayCount[] = [];
  for (let fromMs = today - (DAYS - 1) * DAY_MS; fromMs <= today; fromMs += DAY_MS) {
    const day = formatDay(fromMs);
    const untilMs = fromMs + DAY_MS;
    const known = counted.get(day);
    const isFinal = known !== undefined && known.countedAtMs >= untilMs;
    days.push(
      isFinal
        ? known
        : { day, countedAtMs: nowMs, ...(await countDay(env.DB, { fromMs, untilMs })) },
    );
  }
  await env.KV.put(kvKey(env, KEY), JSON.stringify(days));
}
