// The statements that claim e-mails: they insert their rows before they are sent.
import { concernsDelivery } from "../../../core/values/email-kinds.ts";
import { DAY_MS } from "../../../core/values/time.ts";
import { insertColumns, type NewRow } from "../../../platform/db/columns.ts";
import type { Emails } from "../../../platform/db/schema.ts";
import { batch, type Database, expression, type RowOf, sql } from "../../../platform/db/sql.ts";
import { MAX_TO_ADDRESS_A_DAY, type ScheduledEmail } from "../../schedule/next-email.ts";
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

/** An e-mail whose row is inserted. It is sent, or it fails with its `reason`. */
export interface ClaimedEmail extends NewEmail {
  gift: OutboxGift;
}

const ADDRESS = {
  digest: expression<string>()`v.value ->> '$.digest'`,
  hasComplained: expression<0 | 1>()`
    EXISTS (SELECT 1 FROM email_complaints k WHERE k.address_digest = v.value ->> '$.complaintDigest')`,
  /** The number of e-mails from `fromMs` on, without those whose attempt is running or will be repeated. */
  sent: expression<number>()`
    (SELECT count(*) FROM emails e WHERE e.address_digest = v.value ->> '$.digest'
      AND e.attempted_at_ms >= ${"fromMs"} AND e.status NOT IN ('sending', 'retry'))`,
};

const SELECT_ADDRESSES = sql<{ addresses: string; fromMs: number }>()`
  SELECT ${ADDRESS} FROM json_each(${"addresses"}) v`;

const COLUMNS = insertColumns("emails", NEW_EMAIL);

// The guard: the lease is held, and the gift's schedule and its address are those that were read.
const CLAIM = sql<
  Pick<OutboxLease, "leaseId"> & { emails: string },
  { orderId: number; sequence: number }
>()`
  INSERT OR REPLACE INTO emails (${COLUMNS.names})
  SELECT ${COLUMNS.valuesOf("v.value")}
  FROM email_outbox x CROSS JOIN json_each(${"emails"}) v
  CROSS JOIN gifts s ON s.order_id = v.value ->> '$.orderId' AND s.sequence = v.value ->> '$.sequence'
  WHERE x.lease_id = ${"leaseId"} AND s.next_email_ms IS v.value ->> '$.nextEmailMs'
    AND s.link_generation = v.value ->> '$.linkGeneration'
    AND coalesce(s.delivery_email, s.email) = v.value ->> '$.address'
  RETURNING order_id AS orderId, sequence`;

/** Decides which e-mails are sent, and which fail. Reads a few rows for each. One round trip. */
export async function decideClaims(
  db: Database,
  { nowMs }: OutboxLease,
  due: readonly DueEmail[],
  isSandbox: boolean,
): Promise<ClaimedEmail[]> {
  const digests = await Promise.all(due.map(({ gift }) => digestsOf(gift, isSandbox)));
  const distinct = new Map(digests.map((each) => [each.digest, each]));
  const addresses = JSON.stringify([...distinct.values()]);
  const rows = await SELECT_ADDRESSES.all(db, { addresses, fromMs: startOfDay(nowMs) });
  const byDigest = new Map(rows.map((row) => [row.digest, row]));
  return due.flatMap((email, index) => {
    const address = byDigest.get(digests[index]?.digest ?? "");
    return address ? [claimOf(email, address, nowMs)] : [];
  });
}

const startOfDay = (ms: number) => ms - (ms % DAY_MS);

/** Counts the e-mail in `address`. */
function claimOf(
  { gift, kind, dueMs }: DueEmail,
  address: RowOf<typeof ADDRESS>,
  nowMs: number,
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
  const uncounted = { ...claim, addressDigest: undefined };
  if (address.hasComplained) return { ...uncounted, reason: "complained" };
  if (concernsDelivery(kind)) return uncounted;
  if (address.sent >= MAX_TO_ADDRESS_A_DAY) return { ...uncounted, reason: "address_limit" };
  address.sent++;
  return claim;
}

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
    claims.map(({ gift, ...claim }) => ({
      ...claim,
      address: gift.email,
      nextEmailMs: gift.nextEmailMs,
    })),
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

/** Whether the address has sent a complaint, and whether it gets no more e-mails on the day of `atMs`. One round trip. */
export async function readAddress(
  db: Database,
  gift: Addressed,
  { atMs, isSandbox }: { atMs: number; isSandbox: boolean },
) {
  const addresses = JSON.stringify([await digestsOf(gift, isSandbox)]);
  const address = await SELECT_ADDRESSES.first(db, { addresses, fromMs: startOfDay(atMs) });
  return {
    hasComplained: address?.hasComplained === 1,
    isLimited: address !== null && address.sent >= MAX_TO_ADDRESS_A_DAY,
  };
}
