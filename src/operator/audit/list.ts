// The audit log.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountText } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { STOPPED_REASONS } from "../../features/lifecycle/send.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listAudit } from "./queries.ts";
import { requireOrder } from "../order/queries.ts";
import { wordsOf, wordsOfName } from "../words.ts";

export const AUDIT_COLUMNS = {
  at: kinds.from("createdAtMs", kinds.time("When")),
  operator: kinds.from("actor", kinds.email("Who")),
  action: kinds.text("Action"),
  object_type: kinds.from("subjectType", kinds.text("Type", { beside: "object" })),
  object: kinds.from("subject", kinds.text("Object")),
  client: kinds.from("clientId", kinds.client("Client")),
  order: kinds.from("orderId", kinds.order("Order")),
  reason: kinds.text("Reason"),
  change: kinds.text("Change"),
};

type Entry = Awaited<ReturnType<typeof listAudit>>[number];

export const auditRow = (entry: Entry) => ({ ...entry, change: changeText(entry) });

/** One round trip, and others if there are no entries. The name of an operator is personal data. */
export const auditListOf = (isOperation: (name: string) => boolean) =>
  list({
    name: "audit list",
    title: "Audit log",
    description:
      "Changes by operators and readings of personal data, newest first. Changes through the API and by recipients are events.",
    permission: "audit",
    isPersonal: true,
    input: {
      show: kinds.withDefault(
        kinds.choice("Show", ["changes", "readings", "all"], { isTabs: true }),
        "changes",
      ),
      action: kinds.optional(kinds.text("Action", { hint: "Such as gift extend." })),
      client: kinds.optional(kinds.client("Client")),
      order: kinds.optional(
        kinds.orderOrGift("Order", { hint: "With its gifts, also by the number of one." }),
      ),
      operator: kinds.optional(kinds.text("Operator", { max: 320 })),
      since: kinds.optional(kinds.time("Since")),
      until: kinds.optional(kinds.time("Before")),
    },
    columns: AUDIT_COLUMNS,
    empty: "No change matches.",
    examples: ["--operator ada@example.com --since 2026-05-01"],
    first: () => ({ createdAtMs: Number.MAX_SAFE_INTEGER, id: 0 }),
    read: async ({ DB }, { show, action, client, order, operator, since, until }, page) => {
      const found = await listAudit(DB, {
        ...page,
        kind: show === "all" ? undefined : show,
        action,
        clientId: client,
        orderId: order,
        actor: operator,
        sinceMs: since,
        untilMs: until,
      });
      if (found.length > 0) return found;
      if (action !== undefined && !isOperation(action)) {
        throw validationError([
          { field: "action", message: "must be an operation, such as gift extend" },
        ]);
      }
      if (order !== undefined) await requireOrder(DB, order);
      return found;
    },
    row: auditRow,
  });

/** The names of values that differ from their names in the database. */
const NAMES: Readonly<Record<string, string>> = {
  linkGeneration: "number of replaced links",
  corrections: "number of corrections",
  expiresAtMs: "end",
};

/** The values that differ, such as `status from active to suspended`. Of a new object, all values that exist. */
function changeText({ subjectType, subject, before, after }: Entry): string {
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
