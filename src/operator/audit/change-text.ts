// What an entry of the audit log has changed, in words.
import { STOPPED_REASONS } from "../../features/lifecycle/send.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountText } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { wordsOf, wordsOfName } from "../words.ts";
import type { listAudit } from "./queries.ts";

export type States = Pick<
  Awaited<ReturnType<typeof listAudit>>[number],
  "subjectType" | "subject" | "before" | "after"
>;

/** The names of values that differ from their names in the database. */
const NAMES: Readonly<Record<string, string>> = {
  linkGeneration: "number of replaced links",
  corrections: "number of corrections",
  expiresAtMs: "end",
};

/** The values that differ, such as `status from active to suspended`. Of a new object, all values that exist. */
export function changeText({ subjectType, subject, before, after }: States): string {
  if (after === null) return "deleted";
  // An account is named by its client and its currency. An order has its currency in its state.
  const currency = subjectType === "account" ? subject.split(" ").at(-1) : after["currency"];
  return Object.entries(after)
    .map(([name, value]) => ({ name, from: before?.[name] ?? null, to: value ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map(({ name, from, to }) => {
      const label = NAMES[name] ?? wordsOfName(name.replace(/(Minor|AtMs|Ms)$/, ""));
      const text = (value: unknown) => textOf(name, value, currency as Currency);
      if (before === null || from === null) return `${label}: ${text(to)}`;
      return to === null
        ? `${label} removed, which was ${text(from)}`
        : `${label} from ${text(from)} to ${text(to)}`;
    })
    .join("; ");
}

function textOf(name: string, value: unknown, currency: Currency): string {
  if (typeof value === "number" && name.endsWith("Minor")) return amountText(value, currency);
  if (typeof value === "number" && name.endsWith("Ms")) return `${formatDateTime(value)} UTC`;
  if (typeof value !== "string") return JSON.stringify(value);
  return name === "emailsStopped"
    ? STOPPED_REASONS[value as keyof typeof STOPPED_REASONS]
    : wordsOf(statusLabel(value));
}
