// Values as pages show them: times, states and e-mail addresses.
import { formatDateTime } from "../../core/values/time.ts";
import { useView } from "./view.tsx";

/** `2026-05-01 12:30:00` → `12:30` */
const clockOf = (text: string) => text.slice(11, 16);

/** A time in the viewer's zone, with UTC beside it if that differs. */
export function Time({ ms }: { ms: number | null }) {
  const { timeZone } = useView();
  if (ms === null) return <>–</>;
  const utc = formatDateTime(ms);
  const local = localTime(ms, timeZone);
  const isUtc = local === utc.slice(0, 16);
  const utcText = local.slice(0, 10) === utc.slice(0, 10) ? clockOf(utc) : utc.slice(0, 16);
  return (
    <time dateTime={new Date(ms).toISOString()}>
      {local.replace(" ", NO_BREAK)} <small>{isUtc ? "UTC" : `(${utcText} UTC)`}</small>
    </time>
  );
}

const NO_BREAK = "\u00a0";

/** By time zone: a page formats many times, and creating a format is slow. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Such as `2026-05-01 14:30`. */
function localTime(ms: number, timeZone: string): string {
  const styles = { dateStyle: "short", timeStyle: "short" } as const;
  const format = FORMATS.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, ...styles });
  FORMATS.set(timeZone, format);
  return format.format(ms);
}

/** A status as a label. `tone` gives it a colour; the text alone has the meaning. */
export const Status = ({ text, tone = "plain" }: { text: string; tone?: Tone }) => (
  <span class={`status ${tone}`}>{text}</span>
);

const TONES: Record<string, Tone> = {
  active: "good",
  enabled: "good",
  delivered: "good",
  shipped: "good",
  sent: "good",
  redeemed: "good",
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

/** The colour of a state. */
export const toneOf = (text: string): Tone => TONES[text] ?? "plain";

type Tone = "plain" | "good" | "warning" | "bad";

/** An address that breaks after its `@`, if it does not fit on a line. */
export function EmailAddress({ text }: { text: string }) {
  const at = text.indexOf("@") + 1;
  return (
    <>
      {text.slice(0, at)}
      {at > 0 && <wbr />}
      {text.slice(at)}
    </>
  );
}
