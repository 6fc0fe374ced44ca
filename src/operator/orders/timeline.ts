// What happened to an order and its gifts: events, changes by operators, e-mails, and the last attempts to send events.
import { suborderNumber } from "../../core/values/ids.ts";
import type { Database } from "../../platform/db/statement.ts";
import { changeText } from "../audit/change-text.ts";
import * as kinds from "../declaration/kinds.ts";
import { dataText, subjectNumber } from "../events/event-text.ts";
import { readTimelineRows } from "./timeline-queries.ts";

export const TIMELINE = {
  title: "Timeline",
  empty: "Nothing has happened yet.",
  columns: {
    when: kinds.time("When"),
    what: kinds.text("What"),
    object: kinds.text("Object"),
    by: kinds.email("By", { beside: "what" }),
    details: kinds.text("Details"),
  },
} as const;

/** What the order and its gifts show already. */
const SHOWN_ABOVE = { metadata: null, externalId: null, recipientMetadata: null };

/**
 * The latest `limit` entries of the order or, with a sequence, of this gift and of the order itself, oldest first.
 * `complete` is false if there are more. One round trip. The rows read are linear in the order's own entries.
 */
export async function readTimeline(
  db: Pick<Database, "prepare" | "batch">,
  { orderId, sequence }: { orderId: number; sequence: number | null },
  limit: number,
) {
  // One more of each kind shows whether there are more.
  const rows = await readTimelineRows(db, { orderId, sequence, limit: limit + 1 });
  // Of the same time, a change comes before the event that it writes, and the event before its delivery.
  const newestFirst = [
    ...rows.deliveries.map(({ atMs, ...delivery }) => ({
      when: atMs,
      what: `webhook ${delivery.webhookId}`,
      object: subjectNumber(delivery),
      by: null,
      details:
        `${delivery.type} ${delivery.status}, attempts ${delivery.attempts}` +
        (delivery.responseStatus === null ? "" : `, response ${delivery.responseStatus}`),
    })),
    ...rows.emails.map((email) => ({
      when: email.attemptedAtMs,
      what: `e-mail ${email.kind}`,
      object: suborderNumber(orderId, email.sequence),
      by: null,
      details: [email.status, email.reason].filter(Boolean).join(", "),
    })),
    ...rows.events.map((event) => ({
      when: event.createdAtMs,
      what: event.type,
      object: subjectNumber(event),
      by: null,
      details: dataText({ ...event, ...SHOWN_ABOVE }),
    })),
    ...rows.changes.map((change) => ({
      when: change.createdAtMs,
      what: change.action,
      object: change.subject,
      by: change.actor,
      details: [change.reason, changeText(change)].filter(Boolean).join("; "),
    })),
  ].sort((a, b) => b.when - a.when);
  return {
    entries: newestFirst.slice(0, limit).reverse(),
    complete: newestFirst.length <= limit,
  };
}
