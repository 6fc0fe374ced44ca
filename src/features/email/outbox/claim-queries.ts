// The statement that claims e-mails: it inserts their rows before they are sent, and decides which of them wait because of
// the limit of their addresses.
import { DAY_MS } from "../../../core/values/time.ts";
import {
  batch,
  type Database,
  fragment,
  rawSql,
  statement,
} from "../../../platform/db/statement.ts";
import { ADDRESS_LIMIT, MAX_INVITATIONS_A_DAY } from "../../orders/next-email.ts";
import { addressDigest } from "../address-digest.ts";
import type { Lease, TakenEmail } from "./queries.ts";

const DAY = rawSql(String(DAY_MS));
const LIMIT = rawSql(String(MAX_INVITATIONS_A_DAY));

/** The e-mails to the address of claim `c`, from the given time on. An e-mail counts on the day of its next attempt. */
const SINCE = fragment`
  FROM emails e WHERE e.address_digest = c.digest AND coalesce(e.next_attempt_at_ms, e.attempted_at_ms) >=`;

/** The e-mail of claim `c` that an earlier claim has inserted. If it waits, it keeps its day when it is asked for again. */
const UNFINISHED = fragment`
  FROM emails e WHERE e.order_id = c.order_id AND e.sequence = c.sequence
    AND e.status IN ('sending', 'retry') AND e.kind = c.email ->> '$.kind'`;

/** `place`: the number of the e-mail among those of its address on this day. `last_ms`: that of the last one that waits. */
const CLAIM = statement<
  Lease & { emails: string; tomorrowMs: number },
  { orderId: number; sequence: number; status: "sending" | "retry"; reason: string | null }
>()`
  INSERT OR REPLACE INTO emails (order_id, sequence, number, kind, due_ms, link_generation, attempts, attempted_at_ms,
    address_digest, status, next_attempt_at_ms, reason)
  WITH claims AS MATERIALIZED (
    SELECT v.key, v.value AS email, v.value ->> '$.orderId' AS order_id, v.value ->> '$.sequence' AS sequence,
      k.address_digest IS NOT NULL AS complained,
      iif(k.address_digest IS NULL, v.value ->> '$.limitDigest', NULL) AS digest
    FROM email_outbox x CROSS JOIN json_each(${"emails"}) v
    CROSS JOIN sub_orders s ON s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
    LEFT JOIN email_complaints k ON k.address_digest = v.value ->> '$.complaintDigest'
    WHERE x.lease_id = ${"leaseId"} AND x.taken IS NOT NULL AND s.erased_at_ms IS NULL),
  places AS MATERIALIZED (
    SELECT c.*, row_number() OVER (PARTITION BY c.digest ORDER BY c.key) + min(${LIMIT}, (SELECT count(*)
        ${SINCE} ${"tomorrowMs"} - ${DAY} AND coalesce(e.next_attempt_at_ms, e.attempted_at_ms) < ${"tomorrowMs"}
        AND e.status NOT IN ('sending', 'retry'))) AS place,
      (SELECT max(coalesce(e.next_attempt_at_ms, e.attempted_at_ms)) ${SINCE} ${"tomorrowMs"}) AS last_ms
    FROM claims c),
  times AS MATERIALIZED (
    SELECT c.*, iif(c.digest IS NULL OR c.place <= ${LIMIT}, NULL, coalesce(
      (SELECT e.next_attempt_at_ms ${UNFINISHED} AND e.next_attempt_at_ms >= ${"tomorrowMs"}),
      coalesce(c.last_ms - c.last_ms % ${DAY}, ${"tomorrowMs"})
        + (c.place - 1 - ${LIMIT} + (SELECT count(*) ${SINCE} c.last_ms - c.last_ms % ${DAY})) / ${LIMIT} * ${DAY})) AS at_ms
    FROM places c)
  SELECT c.order_id, c.sequence,
    coalesce(
      (SELECT e.number ${UNFINISHED}),
      (SELECT max(e.number) + 1 FROM emails e WHERE e.order_id = c.order_id AND e.sequence = c.sequence), 1),
    c.email ->> '$.kind', c.email ->> '$.dueMs', c.email ->> '$.linkGeneration', c.email ->> '$.attempts', ${"nowMs"},
    c.digest, iif(c.at_ms IS NULL, 'sending', 'retry'), c.at_ms,
    CASE WHEN c.complained THEN 'complained' WHEN c.at_ms IS NOT NULL THEN '${rawSql(ADDRESS_LIMIT)}' END
  FROM times c
  RETURNING order_id AS orderId, sequence, status, reason`;

/** An e-mail that is sent, or fails with `failure`. */
export type ClaimedEmail = TakenEmail & { failure: string | null };

/**
 * Inserts the rows of the e-mails, and returns those to send. Those above the limit of their address wait for the next day
 * with room. Returns none if the lease is lost. Safe to repeat. One round trip.
 */
export async function claimEmails(
  db: Database,
  lease: Lease,
  taken: readonly TakenEmail[],
  isSandbox: boolean,
): Promise<ClaimedEmail[]> {
  if (taken.length === 0) return [];
  const emails = await Promise.all(
    taken.map(async ({ orderId, sequence, kind, dueMs, linkGeneration, attempts, ...gift }) => ({
      orderId,
      sequence,
      kind,
      dueMs,
      linkGeneration,
      attempts,
      complaintDigest: await complaintDigest(gift, isSandbox),
      // The recipient has caused the e-mail about the shipment by accepting the gift.
      limitDigest: kind === "shipped" ? null : await addressDigest(gift.email, gift.clientId),
    })),
  );
  const tomorrowMs = lease.nowMs - (lease.nowMs % DAY_MS) + DAY_MS;
  const params = { ...lease, emails: JSON.stringify(emails), tomorrowMs };
  const { claim } = await batch(db, { claim: CLAIM.bind(db, params) });
  return taken.flatMap((email) => {
    const row = claim.results.find(
      ({ orderId, sequence }) => orderId === email.orderId && sequence === email.sequence,
    );
    return row?.status === "sending" ? [{ ...email, failure: row.reason }] : [];
  });
}

type Addressed = Pick<TakenEmail, "email" | "clientId">;

/** In the sandbox, a complaint concerns only the e-mails of the client that has simulated it. */
const complaintDigest = ({ email, clientId }: Addressed, isSandbox: boolean) =>
  addressDigest(email, isSandbox ? clientId : "");

const SELECT_COMPLAINT = statement<{ digest: string }, { found: 1 }>()`
  SELECT 1 AS found FROM email_complaints WHERE address_digest = ${"digest"}`;

/** Whether nothing is sent to the address. One round trip. */
export const hasComplaint = async (db: Database, gift: Addressed, isSandbox: boolean) =>
  (await SELECT_COMPLAINT.first(db, { digest: await complaintDigest(gift, isSandbox) })) !== null;
