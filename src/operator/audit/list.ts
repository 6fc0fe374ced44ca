// The audit log.
import { validationError } from "../../core/api-error.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { changeText } from "./change-text.ts";
import { listAudit } from "./queries.ts";
import { requireOrder } from "../order/queries.ts";

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

export const auditRow = (entry: Awaited<ReturnType<typeof listAudit>>[number]) => ({
  ...entry,
  change: changeText(entry),
});

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
