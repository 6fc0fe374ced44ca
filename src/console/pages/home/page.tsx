// What waits for operators.
import type { HealthState } from "../../../features/health/state-queries.ts";
import { MAX_CRON_AGE_MS } from "../../../features/health/summary.ts";
import { MAX_COUNTED, type Overview } from "../../../operator/health/overview-queries.ts";
import { HOME } from "../../texts/home.ts";
import type { Page } from "../../ui/layout.tsx";

interface HomeData {
  overview: Overview;
  health: HealthState;
  nowMs: number;
}

export function homePage({ overview, health, nowMs }: HomeData): Page {
  const { tiles } = HOME;
  const links: [href: string, label: string, value: string][] = [
    ["/shipment/list", tiles.toShip, countText(overview.toShip)],
    ["/shipment/list?older_than=2d", tiles.late, countText(overview.late)],
    ["/payments", tiles.unpaid, countText(overview.unpaid)],
    ["/webhooks?show=failing", tiles.failingWebhooks, countText(overview.failingWebhooks)],
    ["/emails", tiles.failedEmails, countText(overview.failedEmails)],
    ["/clients?credit=low", tiles.lowAccounts, countText(overview.lowAccounts)],
    ["/health", tiles.health, healthText(health, nowMs)],
  ];
  return {
    title: HOME.title,
    content: (
      <ul class="tiles">
        {links.map(([href, label, value]) => (
          <li>
            <a href={href}>
              <b>{value}</b> {label}
            </a>
          </li>
        ))}
      </ul>
    ),
  };
}

const countText = (count: number) =>
  count > MAX_COUNTED ? `${MAX_COUNTED.toLocaleString("en")}+` : count.toLocaleString("en");

function healthText({ cronSucceededAtMs, lastCheck }: HealthState, nowMs: number): string {
  if (nowMs - (cronSucceededAtMs ?? 0) > MAX_CRON_AGE_MS) return HOME.cronLate;
  const total = lastCheck?.total ?? 0;
  return total > 0 ? HOME.differences(total) : HOME.healthy;
}
