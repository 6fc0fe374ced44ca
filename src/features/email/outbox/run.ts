// A run of the outbox: sends the e-mails that are due.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../core/values/time.ts";
import { isSandbox } from "../../../platform/configuration.ts";
import type { Bindings } from "../../../platform/env.ts";
import { retrying } from "../../../platform/db/faults.ts";
import { logFault } from "../../../platform/log.ts";
import { currentGiftUrl } from "../../orders/gift-link.ts";
import type { MessageGift, MessageLinks } from "../email.ts";
import { renderEmail } from "../message/render.tsx";
import { claimEmails } from "./claim-queries.ts";
import {
  type Lease,
  leasePage,
  type Outcome,
  type Page,
  type PageOutcome,
  release,
  saveAndRelease,
  saveAndTake,
  type TakenEmail,
} from "./queries.ts";
import { HOLDS, sendEmail, type SendResult } from "./transport.ts";

export interface OutboxContext {
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
  const newLease = () => ({ leaseId: crypto.randomUUID(), nowMs: now() });
  let lease = newLease();
  let page = await retrying(() => leasePage(d1, lease));
  if (!page) return false;
  while (page) {
    const outcome = await sendPage({ d1, env, now }, lease, page, startedAtMs + STOP_MS);
    const saved = { ...lease, nowMs: now() };
    if (outcome.wakes.length === 0 || now() >= startedAtMs + RUN_MS) {
      await retrying(() => saveAndRelease(d1, saved, outcome));
      return outcome.wakes.length > 0;
    }
    const next = newLease();
    page = await retrying(() => saveAndTake(d1, saved, outcome, next));
    lease = next;
  }
  await release(d1, lease);
  return false;
}

async function sendPage(
  { d1, env, now }: OutboxContext,
  lease: Lease,
  { emails, wakes, faults }: Page,
  untilMs: number,
): Promise<PageOutcome> {
  const due = emails.filter(({ isUnknown }) => !isUnknown);
  const left = await retrying(() => claimEmails(d1, lease, due, isSandbox(env)));
  const outcomes = emails
    .filter(({ isUnknown }) => isUnknown)
    .map((email) => outcomeOf(email, { outcome: "failed", reason: "unknown" }, now()));
  let held: string | undefined;

  async function work(): Promise<void> {
    while (held === undefined && now() < untilMs) {
      const email = left.shift();
      if (!email) return;
      const { failure: reason } = email;
      const result = reason ? ({ outcome: "failed", reason } as const) : await send(env, email);
      if (result.outcome === "held") {
        held = result.reason;
        left.push(email);
      } else outcomes.push(outcomeOf(email, result, now()));
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));

  const isComplete = left.length === 0;
  outcomes.push(...left.map((email) => outcomeOf(email, { outcome: "held" }, now())));
  const holdMs = Math.min(MAX_HOLD_MS, (HOLDS[held ?? ""] ?? 0) * 2 ** faults);
  return {
    outcomes,
    wakes: isComplete ? wakes : [],
    pausedUntilMs: held === undefined ? null : now() + holdMs,
    fault: held ?? null,
    faults: held === undefined ? 0 : faults + 1,
  };
}

async function send(env: Bindings, email: TakenEmail): Promise<SendResult> {
  try {
    return await sendEmail(
      env,
      await renderEmail(env, email.kind, email, await linksOf(env, email)),
    );
  } catch (error) {
    // Such as texts that cannot be loaded.
    logFault("email.failed", error, { orderId: email.orderId, sequence: email.sequence });
    return { outcome: "retry", reason: "internal_error" };
  }
}

/** The links of a message to the recipient of the gift. They are secrets. */
export async function linksOf(
  env: Pick<Bindings, "PUBLIC_URL" | "GIFT_LINK_SECRET">,
  gift: Pick<MessageGift, "orderId" | "sequence" | "linkGeneration" | "linkNonce" | "linkKeyId">,
): Promise<MessageLinks> {
  const { orderId: id, sequence, linkGeneration: generation } = gift;
  const giftUrl = await currentGiftUrl(env, { id, ...gift }, { sequence, generation });
  return { giftUrl, stopUrl: giftUrl.replace("/redeem/", "/stop-emails/") };
}

/** An e-mail that was held, or that the run has not reached, is due again at once. */
function outcomeOf(
  { orderId, sequence, kind, attempts: earlier }: TakenEmail,
  { outcome, messageId, message, reason }: SendResult,
  nowMs: number,
): Outcome {
  const isHeld = outcome === "held";
  const delayMs = isHeld ? 0 : outcome === "retry" ? RETRY_DELAYS_MS[earlier] : undefined;
  return {
    orderId,
    sequence,
    kind,
    messageId,
    message,
    reason,
    status: outcome === "sent" ? "sent" : delayMs === undefined ? "failed" : "retry",
    attempts: isHeld ? earlier : earlier + 1,
    nextAttemptAtMs: delayMs === undefined ? undefined : nowMs + delayMs,
  };
}
