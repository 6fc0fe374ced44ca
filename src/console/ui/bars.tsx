// Charts of bars, whose table stands below them. They have the width of their place, and their text keeps its size.
const ROW_PX = 26;
const MAX_NAME = 18;

interface Bar {
  name: string;
  value: number;
}

export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg class="bars" role="img" aria-label={label} height={bars.length * ROW_PX}>
      {bars.map(({ name, value }, index) => (
        <svg y={index * ROW_PX} height={ROW_PX}>
          <text y="17">{name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name}</text>
          <svg x="10rem" width="100%">
            <rect y="4" rx="3" height="18" width={`${String((value / max) * 44)}%`} />
          </svg>
          <text x="100%" y="17" text-anchor="end">
            {value.toLocaleString("en")}
          </text>
        </svg>
      ))}
    </svg>
  );
}

/** Upright bars without text, side by side. */
export function Columns({ label, values }: { label: string; values: readonly number[] }) {
  const max = Math.max(1, ...values);
  const bars = values.map((value, at) => {
    const height = Math.ceil((value / max) * 40);
    return height > 0 ? `M${String(at * 4)} 40v-${String(height)}h3v${String(height)}z` : "";
  });
  return (
    <svg
      class="bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(values.length * 4 - 1)} 40`}
      preserveAspectRatio="none"
    >
      <path d={bars.join("")} />
    </svg>
  );
}
