// The audit log.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionOf } from "../declaration/pages.ts";
import { changeText } from "../audit/change-text.ts";
import { listAudit } from "../audit/queries.ts";

/** One round trip. The name of an operator is personal data. */
export const auditList = list({
  name: "audit list",
  title: "Audit log",
  description:
    "Changes by operators and readings of personal data, newest first. Changes through the API and by recipients are events.",
  permission: "audit",
  isPersonal: true,
  input: {
    client: kinds.optional(kinds.client("Client")),
    order: kinds.optional(kinds.order("Order", { hint: "With its gifts." })),
    operator: kinds.optional(kinds.text("Operator", { max: 320 })),
    since: kinds.optional(kinds.time("Since (UTC)")),
    until: kinds.optional(kinds.time("Before (UTC)")),
  },
  columns: {
    at: kinds.time("When"),
    operator: kinds.email("Who"),
    action: kinds.text("Action"),
    object: kinds.text("Object"),
    object_type: kinds.text("Type", { beside: "object" }),
    client: kinds.client("Client"),
    order: kinds.order("Order"),
    reason: kinds.text("Reason"),
    change: kinds.text("Change"),
  },
  empty: "No change matches.",
  examples: ["--operator ada@example.com --since 2026-05-01"],
  page: async ({ DB }, { client, order, operator, since, until }, { after, limit }) => {
    const position = positionOf(after);
    const found = await listAudit(DB, {
      clientId: client,
      orderId: order,
      actor: operator,
      sinceMs: since,
      untilMs: until,
      after: position && { createdAtMs: position[0], id: position[1] },
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, ({ createdAtMs, id }) => [createdAtMs, id]);
    return {
      rows: shown.map((entry) => ({
        at: entry.createdAtMs,
        operator: entry.actor,
        action: entry.action,
        object_type: entry.subjectType,
        object: entry.subject,
        client: entry.clientId,
        order: entry.orderId,
        reason: entry.reason,
        change: changeText(entry),
      })),
      next,
    };
  },
});
