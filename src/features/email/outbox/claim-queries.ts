// The statements that claim e-mails: they insert their rows before they are sent. Those above the limit of their addresses
// wait for another day.
import { concernsDelivery } from "../../../core/values/email-kinds.ts";
import { DAY_MS } from "../../../core/values/time.ts";
import { insertColumns, type NewRow } from "../../../platform/db/columns.ts";
import type { Emails } from "../../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../../platform/db/sql.ts";
import {
  ADDRESS_LIMIT,
  MAX_INVITATIONS_A_DAY,
  type ScheduledEmail,
} from "../../schedule/next-email.ts";
import { addressDigest } from "../address-digest.ts";
import type { OutboxLease, OutboxGift } from "./queries.ts";

/** An e-mail to send. */
export interface DueEmail extends ScheduledEmail {
  gift: OutboxGift;
}

const NEW_EMAIL = [
  "orderId",
  "sequence",
  "number",
  "kind",
  "status",
  "dueMs",
  "linkGeneration",
  "attempts",
  "attemptedAtMs",
  "nextAttemptAtMs",
  "addressDigest",
  "reason",
  "repeats",
] as const;

type NewEmail = NewRow<Emails, (typeof NEW_EMAIL)[number]>;

/** An e-mail whose row is inserted. It waits, or it is sent, or it fails with its `reason`. */
export interface ClaimedEmail extends NewEmail {
  gift: OutboxGift;
}

/** The e-mails to address `d` from the given time on. An e-mail counts on the day of its next attempt. */
const TO_ADDRESS = fragment`
  FROM emails e WHERE e.address_digest = d.digest AND coalesce(e.next_attempt_at_ms, e.attempted_at_ms) >=`;

const DAY = rawSql(String(DAY_MS));

const ADDRESS = {
  digest: expression<string>()`d.digest`,
  hasComplained: expression<0 | 1>()`d.has_complained`,
  /** The number of e-mails today, without those that wait or are claimed. */
  today: expression<number>()`(SELECT count(*) ${TO_ADDRESS} ${"tomorrowMs"} - ${DAY}
    AND coalesce(e.next_attempt_at_ms, e.attempted_at_ms) < ${"tomorrowMs"} AND e.status NOT IN ('sending', 'retry'))`,
  /** The last day for which an e-mail waits, or tomorrow, and the number of e-mails on that day. */
  lastDayMs: expression<number>()`d.last_day_ms`,
  onLastDay: expression<number>()`(SELECT count(*) ${TO_ADDRESS} d.last_day_ms)`,
};

const SELECT_ADDRESSES = sql<{ addresses: string; tomorrowMs: number }>()`
  WITH addresses AS MATERIALIZED (
    SELECT v.value ->> '$.digest' AS digest, k.address_digest IS NOT NULL AS has_complained
    FROM json_each(${"addresses"}) v
    LEFT JOIN email_complaints k ON k.address_digest = v.value ->> '$.complaintDigest'),
  days AS MATERIALIZED (
    SELECT d.*, (SELECT max(coalesce(e.next_attempt_at_ms, e.attempted_at_ms)) ${TO_ADDRESS} ${"tomorrowMs"}) AS last_ms
    FROM addresses d),
  last_days AS MATERIALIZED (
    SELECT d.*, coalesce(d.last_ms - d.last_ms % ${DAY}, ${"tomorrowMs"}) AS last_day_ms FROM days d)
  SELECT ${ADDRESS} FROM last_days d`;

const COLUMNS = insertColumns("emails", NEW_EMAIL);

// The guard: the lease is held, and the gift's next e-mail and its address are those that were read.
const CLAIM = sql<
  Pick<OutboxLease, "leaseId"> & { emails: string },
  { orderId: number; sequence: number }
>()`
  INSERT OR REPLACE INTO emails (${COLUMNS.names})
  SELECT ${COLUMNS.valuesOf("v.value")}
  FROM email_outbox x CROSS JOIN json_each(${"emails"}) v
  CROSS JOIN gifts s ON s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
  WHERE x.lease_id = ${"leaseId"} AND s.next_email = v.value ->> '$.kind'
    AND s.link_generation = v.value ->> '$.linkGeneration'
    AND coalesce(s.delivery_email, s.email) = v.value ->> '$.address'
  RETURNING order_id AS orderId, sequence`;

/** Decides which e-mails are sent, fail or wait. Reads a few rows for each. One round trip. */
export async function decideClaims(
  db: Database,
  { nowMs }: OutboxLease,
  due: readonly DueEmail[],
  isSandbox: boolean,
): Promise<ClaimedEmail[]> {
  const tomorrowMs = tomorrowOf(nowMs);
  const digests = await Promise.all(due.map(({ gift }) => digestsOf(gift, isSandbox)));
  const rows = await SELECT_ADDRESSES.all(db, { addresses: JSON.stringify(digests), tomorrowMs });
  const addresses = new Map(rows.map((row) => [row.digest, row]));
  return due.flatMap((email, index) => {
    const address = addresses.get(digests[index]?.digest ?? "");
    return address ? [claimOf(email, address, { nowMs, tomorrowMs })] : [];
  });
}

const tomorrowOf = (nowMs: number) => nowMs - (nowMs % DAY_MS) + DAY_MS;

/** The start of the day on which the address may get another e-mail. Null for today. */
const freeFrom = ({ today, onLastDay, lastDayMs }: RowOf<typeof ADDRESS>): number | null =>
  today < MAX_INVITATIONS_A_DAY
    ? null
    : lastDayMs + (onLastDay < MAX_INVITATIONS_A_DAY ? 0 : DAY_MS);

/** Counts the e-mail in `address`. */
function claimOf(
  { gift, kind, dueMs }: DueEmail,
  address: RowOf<typeof ADDRESS>,
  { nowMs, tomorrowMs }: { nowMs: number; tomorrowMs: number },
): ClaimedEmail {
  const { orderId, sequence, linkGeneration } = gift;
  const earlier = gift.emails.find(
    (email) => email.kind === kind && (email.status === "sending" || email.status === "retry"),
  );
  const claim: ClaimedEmail = {
    gift,
    orderId,
    sequence,
    kind,
    dueMs,
    linkGeneration,
    number: earlier?.number ?? Math.max(0, ...gift.emails.map(({ number }) => number)) + 1,
    status: "sending",
    attempts: earlier?.dueMs === dueMs ? earlier.attempts : 0,
    attemptedAtMs: nowMs,
    nextAttemptAtMs: undefined,
    addressDigest: address.digest,
    reason: undefined,
    repeats: earlier?.status === "sending" ? earlier.repeats + 1 : 0,
  };
  if (address.hasComplained) return { ...claim, addressDigest: undefined, reason: "complained" };
  if (concernsDelivery(kind)) return { ...claim, addressDigest: undefined };
  const freeMs = freeFrom(address);
  if (freeMs === null) {
    address.today++;
    return claim;
  }
  // An e-mail that waits keeps its day when it is asked for again.
  const keptMs = earlier?.nextAttemptAtMs ?? 0;
  if (keptMs >= tomorrowMs) return waiting(claim, keptMs);
  address.onLastDay = freeMs === address.lastDayMs ? address.onLastDay + 1 : 1;
  address.lastDayMs = freeMs;
  return waiting(claim, freeMs);
}

const waiting = (claim: ClaimedEmail, nextAttemptAtMs: number): ClaimedEmail => ({
  ...claim,
  status: "retry",
  nextAttemptAtMs,
  reason: ADDRESS_LIMIT,
});

/**
 * Inserts the rows of the e-mails, and returns those that were inserted: none if the lease is lost, and not those whose gift
 * has changed. Safe to repeat. One round trip.
 */
export async function claimEmails(
  db: Database,
  { leaseId }: OutboxLease,
  claims: readonly ClaimedEmail[],
): Promise<ClaimedEmail[]> {
  if (claims.length === 0) return [];
  const emails = JSON.stringify(
    claims.map(({ gift, ...claim }) => ({ ...claim, address: gift.email })),
  );
  const { claim } = await batch(db, { claim: CLAIM.bind(db, { leaseId, emails }) });
  const keys = new Set(claim.results.map(keyOf));
  return claims.filter((email) => keys.has(keyOf(email)));
}

const keyOf = ({ orderId, sequence }: { orderId: number; sequence: number }) =>
  `${String(orderId)}-${String(sequence)}`;

type Addressed = Pick<OutboxGift, "email" | "clientId">;

/** In the sandbox, a complaint concerns only the e-mails of the client that has simulated it. */
const digestsOf = async ({ email, clientId }: Addressed, isSandbox: boolean) => ({
  digest: await addressDigest(email, clientId),
  complaintDigest: await addressDigest(email, isSandbox ? clientId : ""),
});

/** Whether a complaint has come from the address, and from when it may get an e-mail: null for today. One round trip. */
export async function readAddress(
  db: Database,
  gift: Addressed,
  { nowMs, isSandbox }: { nowMs: number; isSandbox: boolean },
) {
  const addresses = JSON.stringify([await digestsOf(gift, isSandbox)]);
  const address = await SELECT_ADDRESSES.first(db, { addresses, tomorrowMs: tomorrowOf(nowMs) });
  return {
    hasComplained: address?.hasComplained === 1,
    freeFromMs: address && freeFrom(address),
  };
}
