// What happened to an order and its gifts, for the operator.
import { listAudit } from "../audit/queries.ts";
import { listClientEvents } from "../events/queries.ts";
import type { ClientEvent } from "../../features/events/queries.ts";
import { type OrderDelivery, readDeliveriesOf } from "./timeline-queries.ts";

export type AuditEntry = Awaited<ReturnType<typeof listAudit>>[number];

/** An event, a change by an operator, or the last attempt to send an event. A future time is that of the next attempt. */
export type TimelineEntry =
  | { atMs: number; kind: "event"; event: ClientEvent }
  | { atMs: number; kind: "change"; change: AuditEntry }
  | { atMs: number; kind: "delivery"; delivery: OrderDelivery };

/** Entries of the same time have this order: the command writes its event, and then the event is sent. */
const KINDS = ["change", "event", "delivery"];

/**
 * The latest `limit` entries of the client's order, oldest first. `complete` is false if there are more. Two round
 * trips. The rows read are linear in the order's own events, changes and deliveries.
 */
export async function readTimeline(
  d1: D1Database,
  { orderId, clientId }: { orderId: number; clientId: string },
  limit: number,
): Promise<{ entries: TimelineEntry[]; complete: boolean }> {
  // One more of each kind shows whether there are more.
  const [events, changes] = await Promise.all([
    listClientEvents(d1, { clientId, orderId, limit: limit + 1 }),
    listAudit(d1, { orderId, limit: limit + 1 }),
  ]);
  const sequences = events.map(({ sequence }) => sequence);
  const deliveries = await readDeliveriesOf(d1, clientId, sequences);
  const entries: TimelineEntry[] = [
    ...changes.map((change) => ({ atMs: change.createdAtMs, kind: "change" as const, change })),
    ...events.map((event) => ({ atMs: event.createdAtMs, kind: "event" as const, event })),
    ...deliveries.map((delivery) => ({
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
  return entry.kind === "change" ? entry.change.id : entry.delivery.sequence;
}
