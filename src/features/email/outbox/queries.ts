// The statements of sending. One run at a time sends e-mails: the one that has the lease. A page of e-mails is written to
// the outbox before it is sent, so that e-mails that a killed run has perhaps sent are repeated once at most. A page ends
// with the outcomes of all e-mails that it has claimed, so only those of the present page are `sending`.
import { MINUTE_MS } from "../../../core/values/time.ts";
import { type NewRow, type Parsed, parseJson } from "../../../platform/db/columns.ts";
import type { Emails } from "../../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  statement,
} from "../../../platform/db/statement.ts";
import { JOIN_RECEIVED_REVISION } from "../../orders/queries.ts";
import { NEXT_EMAIL } from "../../orders/next-email.ts";
import { type EmailKind, MESSAGE_COLUMNS } from "../email.ts";
import { insertEmailEvents } from "../event-queries.ts";

/** Longer than a run takes. If a run is killed, another one starts after this time. */
const LEASE_MS = MINUTE_MS;

/** The number of e-mails that are taken at once. Their state is checked when they are taken. */
export const PAGE_EMAILS = 40;

export interface Lease {
  /** Unique for each page. */
  leaseId: string;
  nowMs: number;
}

/** How often e-mails are taken again that a killed run may have sent. */
const MAX_REPEATS = 1;

const HAS_DUE = fragment`
  EXISTS (SELECT 1 FROM clients c WHERE c.status = 'active' AND EXISTS (SELECT 1 FROM email_wakes w
    WHERE w.client_id = c.id AND w.due_ms <= ${"nowMs"}))`;

// A lease or a pause that ends later than possible was computed with a wrong clock, and counts as over.
const IS_READY = fragment`
  coalesce(x.lease_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"nowMs"} + 120000
  AND coalesce(x.paused_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"nowMs"} + 7200000
  AND (x.taken IS NOT NULL OR ${HAS_DUE})`;

const LEASE = statement<Lease & { leaseUntilMs: number }>()`
  UPDATE email_outbox AS x SET lease_id = ${"leaseId"}, lease_until_ms = ${"leaseUntilMs"},
    repeats = iif(x.taken IS NULL, 0, x.repeats + 1)
  WHERE ${IS_READY}`;

/**
 * What to send next. Clients have equal shares of the page, and so have the orders of the page, which bounds the rows
 * that are read. D1 binds numbers as reals, whose division is not that of integers. `wakes`: [client, due, order, last sequence, whether it is the order's last one].
 */
const TAKE = statement<Lease & { limit: number }>()`
  UPDATE email_outbox AS x SET taken = coalesce(x.taken, (
    WITH due_clients AS MATERIALIZED (
      SELECT c.id, (SELECT w.due_ms FROM email_wakes w WHERE w.client_id = c.id ORDER BY w.due_ms LIMIT 1) AS first_ms
      FROM clients c WHERE c.status = 'active' AND first_ms <= ${"nowMs"} ORDER BY first_ms LIMIT ${"limit"}),
    wakes AS MATERIALIZED (
      SELECT d.id AS client_id, j.value ->> 0 AS due_ms, j.value ->> 1 AS order_id, j.value ->> 2 AS after_sequence
      FROM due_clients d CROSS JOIN json_each((
        SELECT json_group_array(json_array(w.due_ms, w.order_id, w.after_sequence)) FROM (
          SELECT w.due_ms, w.order_id, w.after_sequence FROM email_wakes w
          WHERE w.client_id = d.id AND w.due_ms <= ${"nowMs"} ORDER BY w.due_ms, w.order_id
          LIMIT (SELECT CAST(${"limit"} / count(*) AS INTEGER) FROM due_clients)) w)) j),
    spans AS MATERIALIZED (
      SELECT w.*, o.qty, w.after_sequence + CAST(${"limit"} / (SELECT count(*) FROM wakes) AS INTEGER) AS last_sequence
      FROM wakes w CROSS JOIN orders o ON o.id = w.order_id)
    SELECT json_object(
      'wakes', (SELECT json_group_array(json_array(client_id, due_ms, order_id, last_sequence, last_sequence >= qty))
        FROM spans),
      'emails', (SELECT json_group_array(json_array(t.order_id, t.sequence, t.next ->> 0, t.next ->> 1)) FROM (
        SELECT DISTINCT s.order_id, s.sequence, ${NEXT_EMAIL} AS next
        FROM spans w CROSS JOIN orders o ON o.id = w.order_id CROSS JOIN clients c ON c.id = w.client_id
        CROSS JOIN sub_orders s
          ON s.order_id = w.order_id AND s.sequence > w.after_sequence AND s.sequence <= w.last_sequence
        LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence) t
        WHERE t.next ->> 2 <= ${"nowMs"}))
    FROM (SELECT 1) WHERE EXISTS (SELECT 1 FROM wakes)))
  WHERE x.lease_id = ${"leaseId"}`;

/** The e-mail `t` is claimed: it may have been sent. */
const IS_CLAIMED = fragment`
  EXISTS (SELECT 1 FROM emails e WHERE e.order_id = s.order_id AND e.sequence = s.sequence AND e.status = 'sending')`;

// If the e-mails were taken before, they may not be due any more, or since another time.
const IS_DUE = fragment`
  (x.repeats = 0 OR (${NEXT_EMAIL} ->> 0 IS t.value ->> 2 AND ${NEXT_EMAIL} ->> 2 <= ${"nowMs"}))`;

const COLUMNS = {
  ...MESSAGE_COLUMNS,
  kind: expression<EmailKind>()`t.value ->> 2`,
  dueMs: expression<number>()`iif(x.repeats = 0, t.value ->> 3, ${NEXT_EMAIL} ->> 1)`,
  /** The number of earlier attempts. */
  attempts: expression<number>()`coalesce((SELECT e.attempts FROM emails e WHERE e.order_id = s.order_id
    AND e.sequence = s.sequence AND e.status IN ('sending', 'retry') AND e.kind = t.value ->> 2 AND e.due_ms = t.value ->> 3), 0)`,
  /** 1 if an earlier run may have sent the e-mail, and it is not sent again: it is not due any more, or was repeated before. */
  isUnknown: expression<0 | 1>()`
    (${IS_CLAIMED} AND (x.repeats > ${rawSql(String(MAX_REPEATS))} OR NOT ${IS_DUE}))`,
};

const SELECT_TAKEN = statement<Lease>()`
  SELECT ${COLUMNS}
  FROM email_outbox x CROSS JOIN json_each(x.taken, '$.emails') t
  CROSS JOIN sub_orders s ON s.order_id = t.value ->> 0 AND s.sequence = t.value ->> 1
  CROSS JOIN orders o ON o.id = s.order_id CROSS JOIN clients c ON c.id = o.client_id
  CROSS JOIN catalogues k ON k.id = c.catalogue_id ${JOIN_RECEIVED_REVISION}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE x.lease_id = ${"leaseId"} AND (${IS_DUE} OR ${IS_CLAIMED})`;

const SELECT_OUTBOX = statement<Pick<Lease, "leaseId">, { wakes: string | null; faults: number }>()`
  SELECT x.taken -> '$.wakes' AS wakes, x.faults FROM email_outbox x WHERE x.lease_id = ${"leaseId"}`;

/** An e-mail to send. */
export type TakenEmail = Parsed<RowOf<typeof COLUMNS>>;

export interface Page {
  emails: TakenEmail[];
  /** The orders that were looked at, as the statement TAKE describes. */
  wakes: Wake[];
  /** The number of consecutive refusals of all e-mails. */
  faults: number;
}

type Wake = [clientId: string, dueMs: number, orderId: number, lastSequence: number, isLast: 0 | 1];

const takeStatements = (db: Database, lease: Lease) => ({
  take: TAKE.bind(db, { ...lease, limit: PAGE_EMAILS }),
  emails: SELECT_TAKEN.bind(db, lease),
  outbox: SELECT_OUTBOX.bind(db, lease),
});

interface TakeResults {
  emails: D1Result<RowOf<typeof COLUMNS>>;
  outbox: D1Result<{ wakes: string | null; faults: number }>;
}

function toPage({ emails, outbox }: TakeResults): Page | null {
  const [state] = outbox.results;
  if (!state || state.wakes === null) return null;
  return {
    emails: emails.results.map((row) => ({ ...row, branding: parseJson(row.branding) })),
    wakes: JSON.parse(state.wakes) as Wake[],
    faults: state.faults,
  };
}

/** Takes the lease and the first page. Safe to repeat. Null if nothing is due, or if another run has the lease. One round trip. */
export async function leasePage(db: Database, lease: Lease): Promise<Page | null> {
  return toPage(
    await batch(db, {
      lease: LEASE.bind(db, { ...lease, leaseUntilMs: lease.nowMs + LEASE_MS }),
      ...takeStatements(db, lease),
    }),
  );
}

/** The outcome of an attempt, for its row in `emails`. */
export type Outcome = NewRow<
  Emails,
  | ("orderId" | "sequence" | "kind" | "status" | "attempts" | "nextAttemptAtMs")
  | ("messageId" | "reason" | "message")
>;

export interface PageOutcome {
  outcomes: Outcome[];
  /** Empty if the page was not completed. */
  wakes: Wake[];
  /** Set if the e-mail service refuses all e-mails. */
  pausedUntilMs: number | null;
  fault: string | null;
  faults: number;
}

type OutcomeParams = Lease & { outcomes: string };

/** The outcomes `v`, if the lease is still held and the outcomes were not stored by an earlier attempt. */
const OUTCOMES = fragment`
  FROM email_outbox x CROSS JOIN json_each(${"outcomes"}) v`;
const IS_HELD = fragment`x.lease_id = ${"leaseId"} AND x.taken IS NOT NULL`;

const UPDATE_EMAILS = statement<Omit<OutcomeParams, "nowMs">>()`
  WITH n AS MATERIALIZED (
    SELECT e.order_id, e.sequence, e.number, v.value AS outcome, s.erased_at_ms ${OUTCOMES}
    CROSS JOIN sub_orders s ON s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
    CROSS JOIN emails e ON e.order_id = s.order_id AND e.sequence = s.sequence AND e.status = 'sending'
    WHERE ${IS_HELD})
  UPDATE emails SET status = n.outcome ->> '$.status', attempts = n.outcome ->> '$.attempts',
    next_attempt_at_ms = n.outcome ->> '$.nextAttemptAtMs', message_id = n.outcome ->> '$.messageId',
    reason = n.outcome ->> '$.reason', message = iif(n.erased_at_ms IS NULL, n.outcome -> '$.message', NULL)
  FROM n WHERE (emails.order_id, emails.sequence, emails.number) = (n.order_id, n.sequence, n.number)`;

const INSERT_EVENTS = statement<OutcomeParams>()`${insertEmailEvents(fragment`
  SELECT o.client_id, v.key, iif(v.value ->> '$.status' = 'sent', 'gift.email_sent', 'gift.email_failed') AS type,
    o.id AS order_id, v.value ->> '$.sequence' AS sequence, v.value ->> '$.kind' AS kind, v.value ->> '$.reason' AS reason
  ${OUTCOMES} CROSS JOIN orders o ON o.id = v.value ->> '$.orderId'
  WHERE ${IS_HELD} AND v.value ->> '$.status' IN ('sent', 'failed')`)}`;

const STOP_GIFTS = statement<Omit<OutcomeParams, "nowMs">>()`
  UPDATE sub_orders SET emails_stopped = 'complained' WHERE emails_stopped IS NULL AND (order_id, sequence) IN (
    SELECT v.value ->> '$.orderId', v.value ->> '$.sequence' ${OUTCOMES}
    WHERE ${IS_HELD} AND v.value ->> '$.reason' = 'complained')`;

type WakeParams = Lease & { wakes: string };

const WAKES = fragment`FROM email_outbox x CROSS JOIN json_each(${"wakes"}) v`;

// The order goes behind those of other clients.
const ADVANCE_WAKES = statement<WakeParams>()`
  UPDATE OR IGNORE email_wakes AS w SET due_ms = max(w.due_ms, ${"nowMs"}), after_sequence = n.value ->> 3
  FROM (SELECT v.value ${WAKES} WHERE ${IS_HELD} AND v.value ->> 4 = 0) n
  WHERE w.client_id = n.value ->> 0 AND w.due_ms = n.value ->> 1 AND w.order_id = n.value ->> 2`;

// The new time differs from the old one, by which the next statement finds the orders without a further e-mail.
const MOVE_WAKES = statement<WakeParams>()`
  UPDATE OR REPLACE email_wakes AS w SET due_ms = max(n.next_ms, w.due_ms + 1), after_sequence = 0
  FROM (SELECT v.value, (SELECT min(${NEXT_EMAIL} ->> 2) FROM orders o
      CROSS JOIN clients c ON c.id = o.client_id CROSS JOIN sub_orders s ON s.order_id = o.id
      LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
      WHERE o.id = v.value ->> 2) AS next_ms
    ${WAKES} WHERE ${IS_HELD} AND v.value ->> 4 = 1) n
  WHERE w.client_id = n.value ->> 0 AND w.due_ms = n.value ->> 1 AND w.order_id = n.value ->> 2
    AND n.next_ms IS NOT NULL`;

const DELETE_WAKES = statement<Omit<WakeParams, "nowMs">>()`
  DELETE FROM email_wakes WHERE (client_id, due_ms, order_id) IN (
    SELECT v.value ->> 0, v.value ->> 1, v.value ->> 2 ${WAKES} WHERE ${IS_HELD} AND v.value ->> 4 = 1)`;

const SAVE_OUTBOX = statement<
  Pick<Lease, "leaseId"> &
    Pick<PageOutcome, "pausedUntilMs" | "fault" | "faults"> & {
      nextLeaseId: string | null;
      leaseUntilMs: number | null;
    }
>()`
  UPDATE email_outbox AS x SET taken = NULL, repeats = 0, lease_id = ${"nextLeaseId"}, lease_until_ms = ${"leaseUntilMs"},
    paused_until_ms = ${"pausedUntilMs"}, fault = ${"fault"}, faults = ${"faults"}
  WHERE ${IS_HELD}`;

function saveStatements(db: Database, lease: Lease, outcome: PageOutcome, next: Lease | null) {
  const outcomes = { ...lease, outcomes: JSON.stringify(outcome.outcomes) };
  // The first wake of an order moves to its next time. It may be that of another one, which is deleted before.
  const orders = new Set<number>();
  const [first, others] = [[] as Wake[], [] as Wake[]];
  for (const wake of outcome.wakes) {
    const [, , orderId, , isLast] = wake;
    if (isLast && orders.has(orderId)) others.push(wake);
    else first.push(wake);
    if (isLast) orders.add(orderId);
  }
  const wakes = { ...lease, wakes: JSON.stringify(first) };
  const nextLeaseId = next && next.leaseId;
  const leaseUntilMs = next && next.nowMs + LEASE_MS;
  return {
    update: UPDATE_EMAILS.bind(db, outcomes),
    events: INSERT_EVENTS.bind(db, outcomes),
    stop: STOP_GIFTS.bind(db, outcomes),
    advance: ADVANCE_WAKES.bind(db, wakes),
    removeOthers: DELETE_WAKES.bind(db, { ...lease, wakes: JSON.stringify(others) }),
    move: MOVE_WAKES.bind(db, wakes),
    remove: DELETE_WAKES.bind(db, wakes),
    save: SAVE_OUTBOX.bind(db, { ...lease, ...outcome, nextLeaseId, leaseUntilMs }),
  };
}

/**
 * Stores the outcomes of a page and takes the next one, with the lease `next`. Null if nothing else is due. Safe to repeat.
 * One round trip.
 */
export async function saveAndTake(
  db: Database,
  lease: Lease,
  outcome: PageOutcome,
  next: Lease,
): Promise<Page | null> {
  return toPage(
    await batch(db, {
      ...saveStatements(db, lease, outcome, next),
      ...takeStatements(db, next),
    }),
  );
}

/** Stores the outcomes of a page and releases the lease. Safe to repeat. One round trip. */
export async function saveAndRelease(
  db: Database,
  lease: Lease,
  outcome: PageOutcome,
): Promise<void> {
  await batch(db, saveStatements(db, lease, outcome, null));
}

const RELEASE = statement<Pick<Lease, "leaseId">>()`
  UPDATE email_outbox SET lease_until_ms = NULL WHERE lease_id = ${"leaseId"} AND taken IS NULL`;

/** Releases the lease after a page without anything to send. One round trip. */
export async function release(db: Database, lease: Lease): Promise<void> {
  await RELEASE.bind(db, lease).run();
}
