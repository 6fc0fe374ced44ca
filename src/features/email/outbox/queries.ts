// The statements of sending. One run at a time sends e-mails: the one that has the lease. A page of e-mails is claimed before
// it is sent: their rows are `sending` until the outcomes are stored, so that e-mails that a killed run has perhaps sent are
// repeated once at most.
import { MINUTE_MS } from "../../../core/values/time.ts";
import { columnsOf, type NewRow, type Parsed, parseJson } from "../../../platform/db/columns.ts";
import type { EmailOutbox, Emails } from "../../../platform/db/schema.ts";
import { batch, type Database, fragment, type RowOf, sql } from "../../../platform/db/sql.ts";
import { bindSchedule } from "../../schedule/plan-queries.ts";
import { JOIN_MAILED_GIFT, MAILED_GIFT_COLUMNS } from "../../schedule/queries.ts";
import { JOIN_RECEIVED_REVISION } from "../../orders/queries.ts";
import { MESSAGE_COLUMNS } from "../email.ts";
import { insertEmailEvents } from "../event-queries.ts";

/** Longer than a run takes. If a run is killed, another one starts after this time. */
const LEASE_MS = MINUTE_MS;

/** The number of e-mails that are sent at once. The state of their gifts is checked when they are read. */
const PAGE_EMAILS = 40;

export interface OutboxLease {
  /** Unique for each page. */
  leaseId: string;
  nowMs: number;
}

/** The client's gifts whose e-mails are due, in the order of the index. */
const DUE_GIFTS = fragment`
  FROM gifts g WHERE g.client_id = c.id AND g.next_email_ms <= ${"nowMs"} ORDER BY g.next_email_ms`;

// A lease or a pause that ends later than possible was computed with a wrong clock, and counts as over.
const LEASE = sql<OutboxLease & { leaseUntilMs: number }>()`
  UPDATE email_outbox AS x SET lease_id = ${"leaseId"}, lease_until_ms = ${"leaseUntilMs"}
  WHERE coalesce(x.lease_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"nowMs"} + 120000
    AND coalesce(x.paused_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"nowMs"} + 7200000
    AND (EXISTS (SELECT 1 FROM emails e WHERE e.status = 'sending')
      OR EXISTS (SELECT 1 FROM clients c WHERE c.status = 'active' AND EXISTS (SELECT 1 ${DUE_GIFTS})))`;

const COLUMNS = {
  ...MAILED_GIFT_COLUMNS,
  ...MESSAGE_COLUMNS,
  /** The last refusal of all e-mails, and the number of consecutive ones. */
  ...columnsOf<EmailOutbox>("x")("fault", "faults"),
};

/**
 * The gifts with e-mails that a killed run may have sent, and those with due e-mails. Clients have equal shares of the page. D1
 * binds numbers as reals, whose division is not that of integers.
 */
const SELECT_PAGE = sql<OutboxLease & { limit: number }>()`
  WITH due_clients AS MATERIALIZED (
    SELECT c.id, (SELECT g.next_email_ms ${DUE_GIFTS} LIMIT 1) AS first_ms
    FROM clients c WHERE c.status = 'active' AND first_ms IS NOT NULL ORDER BY first_ms LIMIT ${"limit"}),
  share AS MATERIALIZED (SELECT CAST(${"limit"} / max(1, count(*)) AS INTEGER) AS gifts FROM due_clients),
  page AS MATERIALIZED (
    SELECT e.order_id, e.sequence FROM emails e WHERE e.status = 'sending'
    UNION
    SELECT s.order_id, s.sequence FROM due_clients c CROSS JOIN gifts s
    WHERE (s.order_id, s.sequence) IN (
      SELECT g.order_id, g.sequence ${DUE_GIFTS} LIMIT (SELECT gifts FROM share)))
  SELECT ${COLUMNS}
  FROM email_outbox x CROSS JOIN page p
  CROSS JOIN gifts s ON s.order_id = p.order_id AND s.sequence = p.sequence ${JOIN_MAILED_GIFT}
  CROSS JOIN catalogues k ON k.id = c.catalogue_id ${JOIN_RECEIVED_REVISION}
  WHERE x.lease_id = ${"leaseId"}`;

/** A gift with a due e-mail, or one that a killed run may have sent. */
export type OutboxGift = Parsed<RowOf<typeof COLUMNS>>;

/** Takes the lease and reads a page. Safe to repeat. Empty if nothing is due, or if another run has the lease. One round trip. */
export async function leaseOutboxPage(db: Database, lease: OutboxLease): Promise<OutboxGift[]> {
  const { gifts } = await batch(db, {
    lease: LEASE.bind(db, { ...lease, leaseUntilMs: lease.nowMs + LEASE_MS }),
    gifts: SELECT_PAGE.bind(db, { ...lease, limit: PAGE_EMAILS }),
  });
  return gifts.results.map((row) => ({
    ...row,
    branding: parseJson(row.branding),
    moreImages: parseJson(row.moreImages),
    emails: parseJson(row.emails),
    code: parseJson(row.code),
  }));
}

/** The outcome of an attempt, for its row in `emails`. */
export type Outcome = NewRow<
  Emails,
  | ("orderId" | "sequence" | "number" | "kind" | "status" | "dueMs" | "attempts" | "attemptedAtMs")
  | ("nextAttemptAtMs" | "messageId" | "reason" | "message" | "repeats")
>;

export interface OutboxPageOutcome {
  outcomes: Outcome[];
  /** The gifts of the page, with their e-mails after the outcomes. */
  gifts: OutboxGift[];
  /** False if some of its e-mails were not sent, because the time was over or the service has refused them. */
  isComplete: boolean;
  /** Set if the e-mail service refuses all e-mails. */
  pausedUntilMs: number | null;
  fault: string | null;
  faults: number;
}

type OutcomeParams = OutboxLease & { outcomes: string };

/** The outcomes `v`. */
const OUTCOMES = fragment`
  FROM email_outbox x CROSS JOIN json_each(${"outcomes"}) v`;
/** The lease is still held. An attempt that has stored the outcomes has released it. */
const IS_HELD = fragment`x.lease_id = ${"leaseId"}`;

const UPDATE_EMAILS = sql<Omit<OutcomeParams, "nowMs">>()`
  UPDATE emails SET status = v.value ->> '$.status', attempts = v.value ->> '$.attempts',
    next_attempt_at_ms = v.value ->> '$.nextAttemptAtMs', message_id = v.value ->> '$.messageId',
    reason = v.value ->> '$.reason', message = iif(s.erased_at_ms IS NULL, v.value -> '$.message', NULL)
  FROM json_each(${"outcomes"}) v
  JOIN gifts s ON s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
  WHERE emails.order_id = s.order_id AND emails.sequence = s.sequence AND emails.number = v.value ->> '$.number'
    AND emails.status = 'sending' AND EXISTS (SELECT 1 FROM email_outbox x WHERE ${IS_HELD})`;

const INSERT_EVENTS = sql<OutcomeParams>()`${insertEmailEvents(fragment`
  SELECT o.client_id, v.key, iif(v.value ->> '$.status' = 'sent', 'gift.email_sent', 'gift.email_failed') AS type,
    o.id AS order_id, v.value ->> '$.sequence' AS sequence, v.value ->> '$.kind' AS kind, v.value ->> '$.reason' AS reason
  ${OUTCOMES} CROSS JOIN orders o ON o.id = v.value ->> '$.orderId'
  WHERE ${IS_HELD} AND v.value ->> '$.status' IN ('sent', 'failed')`)}`;

const STOP_GIFTS = sql<Omit<OutcomeParams, "nowMs">>()`
  UPDATE gifts SET emails_stopped = 'complained' WHERE emails_stopped IS NULL AND (order_id, sequence) IN (
    SELECT v.value ->> '$.orderId', v.value ->> '$.sequence' ${OUTCOMES}
    WHERE ${IS_HELD} AND v.value ->> '$.reason' = 'complained')`;

const SAVE_OUTBOX = sql<
  Pick<OutboxLease, "leaseId"> & Pick<OutboxPageOutcome, "pausedUntilMs" | "fault" | "faults">
>()`
  UPDATE email_outbox AS x SET lease_id = NULL, lease_until_ms = NULL,
    paused_until_ms = ${"pausedUntilMs"}, fault = ${"fault"}, faults = ${"faults"}
  WHERE ${IS_HELD}`;

/**
 * Stores the outcomes of a page and the schedules of its gifts, and releases the lease. Nothing changes if the lease is
 * lost. Safe to repeat. One round trip.
 */
export async function savePage(
  db: Database,
  lease: OutboxLease,
  { gifts, outcomes, pausedUntilMs, fault, faults }: OutboxPageOutcome,
): Promise<void> {
  const { leaseId } = lease;
  const params = { ...lease, outcomes: JSON.stringify(outcomes) };
  await batch(db, {
    update: UPDATE_EMAILS.bind(db, params),
    events: INSERT_EVENTS.bind(db, params),
    stop: STOP_GIFTS.bind(db, params),
    schedules: bindSchedule(db, gifts, lease),
    save: SAVE_OUTBOX.bind(db, { leaseId, pausedUntilMs, fault, faults }),
  });
}
