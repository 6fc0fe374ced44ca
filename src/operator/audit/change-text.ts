// What an entry of the audit log has changed, as text.
import { statusLabel } from "../../features/orders/status-label.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import type { listAudit } from "./queries.ts";

export type States = Pick<
  Awaited<ReturnType<typeof listAudit>>[number],
  "subjectType" | "subject" | "before" | "after"
>;

/** The fields that differ, such as `status: active -> suspended`. Of a new object, all fields that are not null. */
export function changeText({ subjectType, subject, before, after }: States): string {
  if (after === null) return "deleted";
  // An account is named by its client and its currency. An order has its currency in its state.
  const currency = subjectType === "account" ? subject.split(" ").at(-1) : after["currency"];
  return Object.entries(after)
    .map(([name, value]) => ({ name, from: before?.[name] ?? null, to: value ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map(({ name, from, to }) => {
      const label = name.replace(/(Minor|Ms)$/, "");
      const valueText = (value: unknown) => textOf(name, value, currency as Currency);
      const toText = valueText(to);
      return `${label}: ${before === null ? toText : `${valueText(from)} -> ${toText}`}`;
    })
    .join(", ");
}

function textOf(name: string, value: unknown, currency: Currency): string {
  if (value === null) return "none";
  if (typeof value === "number" && name.endsWith("Minor")) return formatAmount(value, currency);
  if (typeof value === "number" && name.endsWith("Ms")) return formatDateTime(value);
  return typeof value === "string" ? statusLabel(value) : JSON.stringify(value);
}
