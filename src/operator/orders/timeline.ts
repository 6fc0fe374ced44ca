// What happened to an order and its gifts, for the operator.
import type { ClientEvent } from "../../features/events/queries.ts";
import type { Database } from "../../platform/db/statement.ts";
import {
  type OrderChange,
  type OrderDelivery,
  type OrderEmail,
  readTimelineRows,
} from "./timeline-queries.ts";

/**
 * An event, a change by an operator, an e-mail, or the last attempt to send an event. A future time is that of the next
 * attempt.
 */
export type TimelineEntry =
  | { atMs: number; kind: "event"; event: ClientEvent }
  | { atMs: number; kind: "change"; change: OrderChange }
  | { atMs: number; kind: "email"; email: OrderEmail }
  | { atMs: number; kind: "delivery"; delivery: OrderDelivery };

/** Entries of the same time have this order: the command writes its event, and then the event is sent. */
const KINDS = ["change", "event", "email", "delivery"];

interface TimelineQuery {
  orderId: number;
  /** Only the entries of this gift, and those of the order. Null for all gifts. */
  sequence: number | null;
}

/**
 * The latest `limit` entries of the order, oldest first. `complete` is false if there are more. One round trip. The rows
 * read are linear in the order's own events, changes, e-mails and deliveries.
 */
export async function readTimeline(
  db: Pick<Database, "prepare" | "batch">,
  query: TimelineQuery,
  limit: number,
): Promise<{ entries: TimelineEntry[]; complete: boolean }> {
  // One more of each kind shows whether there are more.
  const rows = await readTimelineRows(db, { ...query, limit: limit + 1 });
  const entries: TimelineEntry[] = [
    ...rows.changes.map((change) => ({
      atMs: change.createdAtMs,
      kind: "change" as const,
      change,
    })),
    ...rows.events.map((event) => ({
      atMs: event.createdAtMs,
      kind: "event" as const,
      event,
    })),
    ...rows.emails.map((email) => ({
      atMs: email.attemptedAtMs,
      kind: "email" as const,
      email,
    })),
    ...rows.deliveries.map((delivery) => ({
      atMs: delivery.attemptedAtMs ?? delivery.nextAttemptAtMs ?? delivery.eventAtMs,
      kind: "delivery" as const,
      delivery,
    })),
  ];
  entries.sort(
    (a, b) =>
      a.atMs - b.atMs || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || orderIn(a) - orderIn(b),
  );
  return { entries: entries.slice(-limit), complete: entries.length <= limit };
}

function orderIn(entry: TimelineEntry): number {
  if (entry.kind === "event") return entry.event.sequence;
  if (entry.kind === "change") return entry.change.id;
  return entry.kind === "email" ? entry.email.sequence : entry.delivery.sequence;
}
