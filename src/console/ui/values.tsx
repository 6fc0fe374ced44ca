// Values as pages show them: times, states and e-mail addresses.
import { own } from "../../core/values/own.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { localTime } from "../../core/values/time-zone.ts";
import { useView } from "./view.tsx";

/** A time in the viewer's zone. UTC is its title. */
export function Time({ ms }: { ms: number }) {
  const { timeZone } = useView();
  return (
    <time
      class="short"
      dateTime={new Date(ms).toISOString()}
      title={`${formatDateTime(ms)} UTC. Shown in ${timeZone}.`}
    >
      {localTime(ms, timeZone)}
    </time>
  );
}

/** A status as a label with a colour. The text alone has the meaning. */
export const Status = ({ text }: { text: string }) => (
  <span class={`status ${own(TONES, text) ?? "plain"}`}>{text}</span>
);

const TONES: Record<string, "good" | "warning" | "bad"> = {
  active: "good",
  enabled: "good",
  delivered: "good",
  shipped: "good",
  sent: "good",
  accepted: "good",
  paid: "good",
  created: "warning",
  unpaid: "warning",
  "to ship": "warning",
  declined: "warning",
  pending: "warning",
  deferred: "warning",
  retry: "warning",
  failed: "bad",
  expired: "bad",
  bounced: "bad",
  rejected: "bad",
  refused: "bad",
  invalid: "bad",
  complained: "bad",
  suspended: "bad",
  disabled: "bad",
};

/** A colour as a square. Attributes of SVG need no permission of the Content-Security-Policy for styles. */
export const Swatch = ({ colour }: { colour: string }) =>
  /^#[0-9a-f]{6}$/i.test(colour) && (
    <svg class="swatch" aria-hidden="true">
      <rect width="100%" height="100%" fill={colour} />
    </svg>
  );

/** An address on one line, which is cut if it does not fit. */
export const EmailAddress = ({ text }: { text: string }) => (
  <span class="email" title={text}>
    {text}
  </span>
);

/** A text in which numbers of orders and gifts, months and days do not break at their hyphens. */
export const Unbroken = ({ text }: { text: string }) => (
  <>
    {text
      .split(/(GO-\d+(?:-\d+)?|\d{4}-\d\d(?:-\d\d)?)/)
      .map((part, index) => (index % 2 === 1 ? <span class="short">{part}</span> : part))}
  </>
);
