// The chart of the last days, as SVG. A table has the same numbers.
import type { DayCount } from "../../../operator/health/daily.ts";
import { HOME } from "../../texts/home.ts";

const WIDTH = 720;
const HEIGHT = 200;
const MARGIN = 8;

const SERIES = ["orders", "accepted", "shipped"] as const;

/** The lines differ in colour and in their dashes. */
export function DailyChart({ days }: { days: readonly DayCount[] }) {
  const highest = Math.max(1, ...days.flatMap((day) => SERIES.map((name) => day[name])));
  const x = (index: number) =>
    MARGIN + (index * (WIDTH - 2 * MARGIN)) / Math.max(1, days.length - 1);
  const y = (count: number) => HEIGHT - MARGIN - (count / highest) * (HEIGHT - 2 * MARGIN);
  const pointsOf = (name: (typeof SERIES)[number]) =>
    days.map((day, index) => `${x(index).toFixed(1)},${y(day[name]).toFixed(1)}`).join(" ");
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={HOME.chart.description}
      >
        <line class="axis" x1={MARGIN} x2={WIDTH - MARGIN} y1={y(0)} y2={y(0)} />
        {SERIES.map((name) => (
          <polyline class={name} points={pointsOf(name)} />
        ))}
      </svg>
      <p class="ends">
        <span>{days[0]?.day}</span>
        <span>
          {HOME.chart.highest}: {highest.toLocaleString("en")}
        </span>
        <span>{days.at(-1)?.day}</span>
      </p>
      <figcaption>
        {SERIES.map((name) => (
          <span class={`key ${name}`}>{HOME.chart[name]}</span>
        ))}
      </figcaption>
    </figure>
  );
}
