// The statements that store reports about sent e-mails.
import { batch, type Database, fragment, rawSql, sql } from "../../platform/db/sql.ts";
import { insertEmailEvents } from "./event-queries.ts";
import { EMAIL_STATUSES, type EmailStatus } from "../../core/values/email-kinds.ts";

export interface EmailReport {
  messageId: string;
  status: Exclude<EmailStatus, "retry" | "sent">;
  /** The class of the failure, without personal data. */
  reason: string | null;
  /** The address to which the e-mail was sent, in lower case. Null if it is unknown. It is not stored. */
  recipient: string | null;
  /** The digest of the address, if its owner has complained. */
  complaintDigest: string | null;
}

const WHEN_THEN = EMAIL_STATUSES.map((status, at) => `WHEN '${status}' THEN ${String(at)}`).join(
  " ",
);
const rank = (status: string) => rawSql(`(CASE ${status} ${WHEN_THEN} END)`);
const REPORTED = rank("v.value ->> '$.status'");
const FIRST_FAILURE = rawSql(String(EMAIL_STATUSES.indexOf("failed")));

/** The reports `v` that change the status of their e-mail `e`. */
const NEWS = fragment`
  FROM json_each(${"reports"}) v CROSS JOIN emails e ON e.message_id = v.value ->> '$.messageId'
  CROSS JOIN orders o ON o.id = e.order_id
  WHERE ${REPORTED} > ${rank("e.status")}`;

interface Params {
  /** JSON: EmailReport[]. */
  reports: string;
  nowMs: number;
}

const INSERT_EVENTS = sql<Params>()`${insertEmailEvents(fragment`
  SELECT o.client_id, v.key, 'gift.email_failed' AS type, e.order_id, e.sequence, e.kind, v.value ->> '$.reason' AS reason
  ${NEWS} AND ${REPORTED} >= ${FIRST_FAILURE} AND ${rank("e.status")} < ${FIRST_FAILURE}`)}`;

// A report about a link that was renewed or an address that was corrected since concerns another address.
const STOP_GIFTS = sql<Pick<Params, "reports"> & { status: "bounced" | "complained" }>()`
  UPDATE gifts SET emails_stopped = ${"status"}
  WHERE (order_id, sequence, link_generation) IN (SELECT e.order_id, e.sequence, e.link_generation
      ${NEWS} AND v.value ->> '$.status' = ${"status"} AND NOT EXISTS (SELECT 1 FROM gifts s
        WHERE s.order_id = e.order_id AND s.sequence = e.sequence AND s.corrections > 0
          AND lower(coalesce(s.delivery_email, s.email)) <> v.value ->> '$.recipient'))
    AND erased_at_ms IS NULL AND (emails_stopped IS NULL OR emails_stopped = 'bounced')`;

const INSERT_COMPLAINTS = sql<Params>()`
  INSERT OR IGNORE INTO email_complaints (address_digest, created_at_ms)
  SELECT v.value ->> '$.complaintDigest', ${"nowMs"} FROM json_each(${"reports"}) v
  WHERE v.value ->> '$.complaintDigest' IS NOT NULL`;

const UPDATE_EMAILS = sql<Pick<Params, "reports">>()`
  WITH n AS MATERIALIZED (SELECT e.order_id, e.sequence, e.number, v.value ->> '$.status' AS status,
      v.value ->> '$.reason' AS reason ${NEWS})
  UPDATE emails SET status = n.status, reason = n.reason FROM n
  WHERE (emails.order_id, emails.sequence, emails.number) = (n.order_id, n.sequence, n.number)`;

const SELECT_UNKNOWN = sql<Pick<Params, "reports">, { messageId: string }>()`
  SELECT v.value ->> '$.messageId' AS messageId FROM json_each(${"reports"}) v
  WHERE NOT EXISTS (SELECT 1 FROM emails e WHERE e.message_id = v.value ->> '$.messageId')`;

/**
 * Sets the status of the e-mails, inserts an event for each failure, and stops the e-mails about a gift after a bounce or
 * a complaint. Safe to repeat. Returns the ids of unknown messages. One transaction, one round trip.
 */
export async function saveReports(
  db: Database,
  reports: readonly EmailReport[],
  nowMs: number,
): Promise<Set<string>> {
  // One report for each message, so that the cost of the statements is linear.
  const byRank = reports.toSorted(
    (a, b) => EMAIL_STATUSES.indexOf(a.status) - EMAIL_STATUSES.indexOf(b.status),
  );
  const last = new Map(byRank.map((report) => [report.messageId, report]));
  const params = { reports: JSON.stringify([...last.values()]), nowMs };
  const { unknown } = await batch(db, {
    events: INSERT_EVENTS.bind(db, params),
    bounced: STOP_GIFTS.bind(db, { ...params, status: "bounced" }),
    complained: STOP_GIFTS.bind(db, { ...params, status: "complained" }),
    complaints: INSERT_COMPLAINTS.bind(db, params),
    emails: UPDATE_EMAILS.bind(db, params),
    unknown: SELECT_UNKNOWN.bind(db, params),
  });
  return new Set(unknown.results.map(({ messageId }) => messageId));
}
