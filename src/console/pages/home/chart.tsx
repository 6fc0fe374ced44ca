// The chart of the last days, as SVG. A table has the same numbers.
import type { DayCount } from "../../../operator/health/daily.ts";
import { HOME } from "../../texts/home.ts";

const WIDTH = 720;
const HEIGHT = 200;
const BOTTOM = 24;
const LEFT = 48;

const SERIES = ["orders", "accepted", "shipped"] as const;

/** The lines differ in colour and in their dashes. */
export function DailyChart({ days }: { days: readonly DayCount[] }) {
  const highest = Math.max(1, ...days.flatMap((day) => SERIES.map((name) => day[name])));
  const x = (index: number) => LEFT + (index * (WIDTH - LEFT - 8)) / Math.max(1, days.length - 1);
  const y = (count: number) => HEIGHT - BOTTOM - (count / highest) * (HEIGHT - BOTTOM - 8);
  const pointsOf = (name: (typeof SERIES)[number]) =>
    days.map((day, index) => `${x(index).toFixed(1)},${y(day[name]).toFixed(1)}`).join(" ");
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        role="img"
        aria-label={HOME.chart.description}
      >
        <line class="axis" x1={LEFT} x2={WIDTH} y1={y(0)} y2={y(0)} />
        <text x={LEFT - 8} y={y(highest) + 10} text-anchor="end">
          {highest.toLocaleString("en")}
        </text>
        <text x={LEFT - 8} y={y(0)} text-anchor="end">
          0
        </text>
        <text x={LEFT} y={HEIGHT - 4}>
          {days[0]?.day}
        </text>
        <text x={WIDTH} y={HEIGHT - 4} text-anchor="end">
          {days.at(-1)?.day}
        </text>
        {SERIES.map((name) => (
          <polyline class={name} points={pointsOf(name)} />
        ))}
      </svg>
      <figcaption>
        {SERIES.map((name) => (
          <span class={`key ${name}`}>{HOME.chart[name]}</span>
        ))}
      </figcaption>
    </figure>
  );
}
