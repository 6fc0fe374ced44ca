// What waits for operators, and what happened in the last days.
import { DAY_MS, MINUTE_MS } from "../../../core/values/time.ts";
import type { HealthState } from "../../../features/health/state-queries.ts";
import type { DayCount } from "../../../operator/health/daily.ts";
import { MAX_COUNTED, type Overview } from "../../../operator/health/overview-queries.ts";
import { HOME } from "../../texts/home.ts";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { DailyChart } from "./chart.tsx";

/** The cron handler runs each minute. */
const MAX_CRON_AGE_MS = 15 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

interface HomeData {
  overview: Overview;
  health: HealthState;
  /** Empty if there are no counts. */
  days: DayCount[];
  nowMs: number;
}

export function homePage({ overview, health, days, nowMs }: HomeData): Page {
  const { tiles } = HOME;
  const failedEmails = days
    .filter(({ day }) => Date.parse(day) > nowMs - WEEK_MS)
    .reduce((sum, day) => sum + day.failedEmails, 0);
  const links: [href: string, label: string, value: string][] = [
    ["/shipments", tiles.toShip, countText(overview.toShip.gifts)],
    ["/shipments?age=2d", tiles.late, countText(overview.toShip.late)],
    ["/payments", tiles.unpaid, countText(overview.unpaid)],
    ["/webhooks?show=failing", tiles.failingWebhooks, countText(overview.failingWebhooks)],
    ["/emails", tiles.failedEmails, days.length === 0 ? "–" : countText(failedEmails)],
    ["/clients?credit=low", tiles.lowAccounts, countText(overview.lowAccounts)],
    ["/health", tiles.health, healthText(health, nowMs)],
  ];
  return {
    title: HOME.title,
    content: (
      <>
        <ul class="tiles">
          {links.map(([href, label, value]) => (
            <li>
              <a href={href}>
                <b>{value}</b> {label}
              </a>
            </li>
          ))}
        </ul>
        <h2>{HOME.chart.title}</h2>
        {days.length === 0 ? <p class="empty">{HOME.chart.empty}</p> : <Days days={days} />}
      </>
    ),
  };
}

const Days = ({ days }: { days: DayCount[] }) => (
  <>
    <DailyChart days={days} />
    <p>
      {HOME.chart.asOf} <Time ms={days.at(-1)?.countedAtMs ?? null} />
    </p>
    <details>
      <summary>{HOME.chart.table}</summary>
      <Table
        caption={HOME.chart.caption}
        rows={days.toReversed()}
        empty={HOME.chart.empty}
        columns={[
          { label: HOME.chart.day, cell: ({ day }) => day },
          { label: HOME.chart.orders, cell: ({ orders }) => orders, isNumber: true },
          { label: HOME.chart.accepted, cell: ({ accepted }) => accepted, isNumber: true },
          { label: HOME.chart.shipped, cell: ({ shipped }) => shipped, isNumber: true },
        ]}
      />
    </details>
  </>
);

const countText = (count: number) =>
  count > MAX_COUNTED ? `${MAX_COUNTED.toLocaleString("en")}+` : count.toLocaleString("en");

function healthText({ cronSucceededAtMs, lastRound }: HealthState, nowMs: number): string {
  if (nowMs - (cronSucceededAtMs ?? 0) > MAX_CRON_AGE_MS) return HOME.cronLate;
  const total = lastRound?.total ?? 0;
  return total > 0 ? HOME.differences(total) : HOME.healthy;
}
