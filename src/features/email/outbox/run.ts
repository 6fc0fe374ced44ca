// A run of the outbox: sends the e-mails that are due.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../core/values/time.ts";
import { isSandbox } from "../../../platform/configuration.ts";
import type { Bindings } from "../../../platform/env.ts";
import { retrying } from "../../../platform/db/faults.ts";
import { logFault } from "../../../platform/log.ts";
import { unseal } from "../../codes/seal.ts";
import { currentGiftUrl } from "../../orders/gift-link.ts";
import { renderEmail } from "../message/render.tsx";
import { nextEmail } from "../../schedule/next-email.ts";
import { type ClaimedEmail, claimEmails, decideClaims, type DueEmail } from "./claim-queries.ts";
import {
  type OutboxLease,
  leaseOutboxPage,
  type OutboxGift,
  type Outcome,
  type OutboxPageOutcome,
  savePage,
} from "./queries.ts";
import { HOLDS, sendEmail, type SendResult } from "./transport.ts";

interface OutboxContext {
  d1: D1Database;
  env: Bindings;
  now: () => number;
}

/** A run takes no further page after this time. With its last page it ends within the 30 s that waitUntil allows. */
const RUN_MS = 10 * SECOND_MS;

/** A run starts no attempt after this time. */
const STOP_MS = 15 * SECOND_MS;

/** Cloudflare allows six connections at once. The sixth is for D1. */
const CONCURRENCY = 5;

/** The waits between the attempts to send an e-mail after errors of the service. */
const RETRY_DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];

/** The longest time for which nothing is sent. */
const MAX_HOLD_MS = HOUR_MS;

/**
 * Sends the e-mails that are due until there are none left, the time is over or the service refuses them. Returns whether
 * another run should follow at once. One run at a time: if another one has the lease, nothing happens.
 */
export async function sendDueEmails({ d1, env, now }: OutboxContext): Promise<boolean> {
  if (env.EMAIL_FROM === "") return false;
  const startedAtMs = now();
  for (;;) {
    const lease = { leaseId: crypto.randomUUID(), nowMs: now() };
    const gifts = await retrying(() => leaseOutboxPage(d1, lease));
    if (gifts.length === 0) return false;
    const outcome = await sendPage({ d1, env, now }, lease, gifts, startedAtMs + STOP_MS);
    const saved = { ...lease, nowMs: now() };
    await retrying(() => savePage(d1, saved, outcome));
    if (!outcome.isComplete || now() >= startedAtMs + RUN_MS) return outcome.isComplete;
  }
}

async function sendPage(
  { d1, env, now }: OutboxContext,
  lease: OutboxLease,
  gifts: OutboxGift[],
  untilMs: number,
): Promise<OutboxPageOutcome> {
  const { due, unknown } = splitPage(gifts, lease.nowMs);
  const decided = due.length === 0 ? [] : await decideClaims(d1, lease, due, isSandbox(env));
  const claimed = await retrying(() => claimEmails(d1, lease, decided));
  const unsent = claimed.filter(({ status }) => status === "sending");
  const outcomes = unknown.map(({ gift, email }) =>
    outcomeOf({ ...gift, ...email }, { outcome: "failed", reason: "unknown" }, now()),
  );
  let held: string | undefined;

  async function work(): Promise<void> {
    while (held === undefined && now() < untilMs) {
      const email = unsent.shift();
      if (!email) return;
      const { reason } = email;
      const result = reason ? ({ outcome: "failed", reason } as const) : await send(env, email);
      if (result.outcome === "held") {
        held = result.reason;
        unsent.push(email);
      } else outcomes.push(outcomeOf(email, result, now()));
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));

  const isComplete = unsent.length === 0;
  outcomes.push(...unsent.map((email) => outcomeOf(email, { outcome: "held" }, now())));
  // Without an attempt, it is not known whether the service still refuses.
  const { faults = 0, fault = null } =
    claimed.length > 0 && held === undefined ? {} : (gifts[0] ?? {});
  const holdMs = Math.min(MAX_HOLD_MS, (HOLDS[held ?? ""] ?? 0) * 2 ** faults);
  return {
    outcomes,
    gifts: gifts.map((gift) => withOutcomes(gift, [...claimed, ...outcomes])),
    isComplete,
    pausedUntilMs: held === undefined ? null : now() + holdMs,
    fault: held ?? fault,
    faults: held === undefined ? faults : faults + 1,
  };
}

/** How often an e-mail is sent again that a killed run may have sent. */
const MAX_REPEATS = 1;

/**
 * The e-mails to send, and those that a killed run may have sent and that are not sent again: they are not due any more, or
 * were repeated before. The gifts of the others are scheduled again.
 */
function splitPage(gifts: readonly OutboxGift[], nowMs: number) {
  const due: DueEmail[] = [];
  const unknown: { gift: OutboxGift; email: OutboxGift["emails"][number] }[] = [];
  for (const gift of gifts) {
    const next = nextEmail(gift, nowMs);
    const isDue = next !== null && next.atMs <= nowMs;
    const email = gift.emails.find(({ status }) => status === "sending");
    const isRepeatable = email && email.kind === next?.kind && email.repeats < MAX_REPEATS;
    if (email && !(isDue && isRepeatable)) unknown.push({ gift, email });
    else if (isDue) due.push({ ...next, gift });
  }
  return { due, unknown };
}

/** The gift with its e-mails after they were claimed and attempted. */
function withOutcomes(gift: OutboxGift, changes: readonly (ClaimedEmail | Outcome)[]): OutboxGift {
  const { linkGeneration } = gift;
  const emails = new Map(gift.emails.map((email) => [email.number, email]));
  for (const change of changes) {
    if (change.orderId !== gift.orderId || change.sequence !== gift.sequence) continue;
    const { reason = null, nextAttemptAtMs = null, repeats = 0 } = change;
    const stored = { reason, nextAttemptAtMs, repeats, addressChanged: 0 as const, linkGeneration };
    emails.set(change.number, { ...change, ...stored });
  }
  return { ...gift, emails: [...emails.values()] };
}

async function send(env: Bindings, { gift, kind }: ClaimedEmail): Promise<SendResult> {
  try {
    const code = kind === "code" && gift.code ? await unseal(env, gift.code) : null;
    if (kind === "code" && !code) return { outcome: "failed", reason: "no_code" };
    const secrets = { ...(await linksOf(env, gift)), code };
    return await sendEmail(env, await renderEmail(env, kind, gift, secrets));
  } catch (error) {
    // Such as texts that cannot be loaded.
    logFault("email.failed", error, { orderId: gift.orderId, sequence: gift.sequence });
    return { outcome: "retry", reason: "internal_error" };
  }
}

/** The links of a message to the recipient of the gift. They are secrets. */
async function linksOf(
  env: Pick<Bindings, "PUBLIC_URL" | "GIFT_LINK_SECRET">,
  gift: Pick<OutboxGift, "orderId" | "sequence" | "linkGeneration" | "linkNonce" | "linkKeyId">,
) {
  const { orderId: id, sequence, linkGeneration: generation } = gift;
  const giftUrl = await currentGiftUrl(env, { id, ...gift }, { sequence, generation });
  return { giftUrl, stopUrl: giftUrl.replace("/redeem/", "/stop-emails/") };
}

type Attempt = Pick<
  ClaimedEmail,
  | ("orderId" | "sequence" | "number" | "kind" | "dueMs")
  | ("attempts" | "attemptedAtMs" | "repeats")
>;

/** An e-mail that was held, or that the run has not reached, is due again at once. */
function outcomeOf(
  { orderId, sequence, number, kind, dueMs, attempts: earlier, attemptedAtMs, repeats }: Attempt,
  { outcome, messageId, message, reason }: SendResult,
  nowMs: number,
): Outcome {
  const isHeld = outcome === "held";
  const delayMs = isHeld ? 0 : outcome === "retry" ? RETRY_DELAYS_MS[earlier] : undefined;
  return {
    orderId,
    sequence,
    number,
    kind,
    dueMs,
    attemptedAtMs,
    repeats,
    messageId,
    message,
    reason,
    status: outcome === "sent" ? "sent" : delayMs === undefined ? "failed" : "retry",
    attempts: isHeld ? earlier : earlier + 1,
    nextAttemptAtMs: delayMs === undefined ? undefined : nowMs + delayMs,
  };
}
