// Sends the events of one page to their endpoint.
import type { Bindings } from "../../../platform/env.ts";
import { eventResponse } from "../../events/response.ts";
import { isProductEvent } from "../../events/event.ts";
import type { ClientEvent } from "../../events/queries.ts";
import { activeSecrets } from "../secret.ts";
import type { Attempt, DueEvent, DuePage, WebhookPageOutcome } from "./queries.ts";
import { type Failures, hasFailedForDays, isDown, nextAttemptAt } from "./retry.ts";
import { sendEvent, type SendOutcome } from "./send.ts";

export interface DeliveryContext {
  d1: D1Database;
  now: () => number;
  env: Pick<Bindings, "ENVIRONMENT" | "PUBLIC_URL" | "WEBHOOK_SECRET">;
  maxPages?: number;
}

/** The attempts of a run, over all its pages. */
export interface RunState {
  failures: number;
  successes: number;
  /** Whether this run starts no further attempt. */
  stopped: boolean;
}

/** Cloudflare allows six connections at once. The sixth is for D1. */
const CONCURRENCY = 5;

/** A run ends after this number of failures without a success. */
const MAX_FAILURES_IN_RUN = 5;

/**
 * Sends the events of the page in order, several at a time. `isComplete` is false if some events were not attempted. The
 * attempted ones are the first ones.
 */
export async function sendPage(
  { now, env }: Pick<DeliveryContext, "now" | "env">,
  { endpoint, events }: DuePage,
  run: RunState,
  untilMs: number,
): Promise<{ outcome: WebhookPageOutcome; isComplete: boolean }> {
  const secrets = await activeSecrets(env.WEBHOOK_SECRET, endpoint, now());
  const attempts: Attempt[] = [];
  const state: Failures = { failures: endpoint.failures, failingSinceMs: endpoint.failingSinceMs };
  let pausedUntilMs: number | null = null;
  let position = endpoint.position;
  let next = 0;

  async function attempt({ event, attempts: earlier }: DueEvent): Promise<void> {
    const body = JSON.stringify(eventResponse(event));
    const request = { url: endpoint.url, secrets, id: messageId(event), body };
    const sent = await sendEvent(request, env, now);
    const nowMs = now();
    attempts.push(toAttempt(event, earlier + 1, sent, nowMs));
    if (sent.delivered) {
      run.successes += 1;
      state.failures = 0;
      state.failingSinceMs = null;
      return;
    }
    run.failures += 1;
    // After a success in the run, the endpoint is not down: it refuses these events.
    if (run.successes === 0) state.failures += 1;
    state.failingSinceMs ??= nowMs;
    if (sent.retryAfterMs !== null) {
      pausedUntilMs = Math.max(pausedUntilMs ?? 0, nowMs + sent.retryAfterMs);
    }
    run.stopped ||=
      isGone(sent) ||
      pausedUntilMs !== null ||
      (run.successes === 0 && run.failures >= MAX_FAILURES_IN_RUN);
  }

  async function work(): Promise<void> {
    while (!run.stopped && now() < untilMs) {
      const due = events[next];
      if (!due) return;
      next += 1;
      if (due.isNew) {
        position = due.event.sequence;
        if (!isWanted(endpoint, due.event)) continue;
        if (isProductEvent(due.event.type)) {
          attempts.push(laterAttempt(due.event, now()));
          continue;
        }
      }
      await attempt(due);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));

  const hasFailed = hasFailedForDays(state, now());
  if (hasFailed) run.stopped = true;
  return {
    isComplete: next >= events.length,
    outcome: {
      attempts,
      recovered: isDown(endpoint) && attempts.some(({ status }) => status === "delivered"),
      changes: {
        ...state,
        positionBefore: endpoint.position,
        position,
        pausedUntilMs,
      },
      disabledReason: attempts.some(isGone) ? "gone" : hasFailed ? "failing" : null,
    },
  };
}

const isGone = ({ responseStatus }: Pick<Attempt, "responseStatus">) => responseStatus === 410;

const isWanted = ({ eventTypes }: DuePage["endpoint"], { type }: ClientEvent) =>
  eventTypes === null || eventTypes.includes(type);

/** The value of the `webhook-id` header. The time distinguishes events of a restored database. */
export function messageId({ sequence, createdAtMs }: ClientEvent): string {
  return `evt_${String(sequence)}_${createdAtMs.toString(36)}`;
}

/** The event becomes a retry without an attempt, so that other new events do not wait for it. */
const laterAttempt = ({ sequence }: ClientEvent, nowMs: number): Attempt => ({
  sequence,
  status: "pending",
  attempts: 0,
  attemptedAtMs: null,
  nextAttemptAtMs: nowMs,
  responseStatus: null,
  durationMs: null,
  text: null,
});

function toAttempt(
  { sequence }: ClientEvent,
  attempts: number,
  { delivered, responseStatus, durationMs, text, retryAfterMs }: SendOutcome,
  nowMs: number,
): Attempt {
  const nextAttemptAtMs = delivered ? null : nextAttemptAt(attempts, nowMs, retryAfterMs);
  return {
    sequence,
    status: delivered ? "delivered" : nextAttemptAtMs === null ? "failed" : "pending",
    attempts,
    attemptedAtMs: nowMs,
    nextAttemptAtMs,
    responseStatus,
    durationMs,
    text,
  };
}
