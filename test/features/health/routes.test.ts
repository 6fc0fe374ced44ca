// GET /health.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { handleCron } from "../../../src/cron.ts";
import { MAX_CRON_AGE_MS, publishHealth } from "../../../src/features/health/summary.ts";
import { readHealth } from "../../../src/features/health/state-queries.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { overriding } from "../../support/counting.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { broken, watchLog } from "../../support/faults.ts";
import { openShop } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const NOW_MS = Date.UTC(2026, 5, 1, 10, 0);

const NOTHING_DUE = { emailFault: null, emailsPausedUntilMs: null, emailsDueMs: null };

/** Publishes the summary of a run of the cron handler at NOW_MS. The last checks ended an hour before. */
async function publish(total: number | null): Promise<void> {
  const finishedAtMs = NOW_MS - HOUR_MS;
  const lastCheck =
    total === null ? null : { startedAtMs: finishedAtMs, finishedAtMs, total, differences: [] };
  const state = { cronSucceededAtMs: NOW_MS, lastCheck, ...NOTHING_DUE };
  await publishHealth({ ...env, ...MAILING }, state, NOW_MS);
}

/** The state of a new isolate. */
async function healthAt(nowMs: number, changes: object = {}) {
  const answer = await startWorker({ now: () => nowMs, env: changes }).fetch("/health");
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=30");
  expect(answer.meter).toMatchObject({ roundTrips: 0, kvWrites: 0 });
  expect(answer.meter.kvReads).toBeLessThanOrEqual(1);
  return { http: answer.status, ...(answer.json as object) };
}

const OK = {
  http: 200,
  status: "ok",
  configuration: "valid",
  cron: "ok",
  cron_age_seconds: 60,
  invariants: "ok",
  invariants_age_seconds: 3660,
  differences: 0,
  emails: "ok",
  version: null,
};
const UNCHECKED = { invariants: "unknown", invariants_age_seconds: null, differences: null };
const FAILING = { ...OK, http: 503, status: "failing" };

// Runs of the cron handler in other test files publish a summary too.
beforeEach(async () => {
  await env.KV.delete("local:health:1");
});

test.each([
  ["is ok while the checks find no difference", 0, OK],
  ["is ok before the first checks have ended", null, { ...OK, ...UNCHECKED }],
  [
    "fails if the checks have found a difference",
    3,
    { ...FAILING, invariants: "broken", differences: 3 },
  ],
])("%s", async (_, total, expected) => {
  await publish(total);
  expect(await healthAt(NOW_MS + 60_000)).toEqual(expected);
});

test("fails if the cron handler has not succeeded for 15 minutes, or never", async () => {
  expect(await healthAt(NOW_MS)).toEqual({
    ...FAILING,
    cron: "unknown",
    cron_age_seconds: null,
    ...UNCHECKED,
    emails: "unknown",
  });
  await publish(0);
  const late = NOW_MS + MAX_CRON_AGE_MS;
  expect(await healthAt(late - 1)).toMatchObject({ http: 200, cron_age_seconds: 899 });
  expect(await healthAt(late)).toMatchObject({ http: 503, cron: "late", cron_age_seconds: 900 });
});

test("contains the version of the Worker", async () => {
  const VERSION = { id: "7e6c2d1a", tag: "", timestamp: "" };
  expect(await healthAt(NOW_MS, { VERSION })).toMatchObject({ version: VERSION.id });
});

describe("the e-mails", () => {
  /** The status of the response after a run of the cron handler, and its `emails`. */
  async function healthAfterCron(nowMs: number, changes: object = {}) {
    const queue = overriding(env.WEBHOOK_QUEUE, { send: () => Promise.resolve() });
    await handleCron({ ...env, ...MAILING, WEBHOOK_QUEUE: queue, ...changes }, () => nowMs);
    const { http, ...json } = await healthAt(nowMs);
    return [http, (json as { emails?: string }).emails];
  }
  /** Places an order with an e-mail, and runs the outbox in a minute in which the cron handler publishes no summary. */
  async function tryToSend(code: string | undefined) {
    await placeGifts(startWorker({ env: MAILING }), await openShop());
    const dueMs = Math.ceil(Date.now() / (5 * MINUTE_MS)) * 5 * MINUTE_MS + MINUTE_MS;
    const service = emailService();
    service.fail = () => code;
    await runOutbox({ service, nowMs: dueMs });
    return dueMs;
  }

  beforeEach(async () => {
    await resetOutbox();
    watchLog();
    vi.spyOn(console, "log").mockReturnValue();
  });

  test("fail at once if the service refuses the sender", async () => {
    const nowMs = await tryToSend("E_SENDER_NOT_VERIFIED");
    expect(await healthAfterCron(nowMs)).toEqual([503, "refused"]);
    // Other summaries are published every five minutes.
    await env.KV.delete("local:health:1");
    const { emailFault } = await readHealth(env.DB);
    const state = { ...NOTHING_DUE, cronSucceededAtMs: NOW_MS, lastCheck: null };
    for (const [fault, emails] of [
      [null, "unknown"],
      [emailFault, "refused"],
    ] as const) {
      const atMs = NOW_MS + MINUTE_MS;
      await publishHealth({ ...env, ...MAILING }, { ...state, emailFault: fault }, atMs);
      expect(await healthAt(atMs)).toMatchObject({ emails });
    }
  });

  test.each(["E_DAILY_LIMIT_EXCEEDED", undefined])(
    "fail if they are late, also because of a limit: %s",
    async (code) => {
      const nowMs = await tryToSend(code);
      const sent = code === undefined;
      expect(await healthAfterCron(nowMs + 4 * MINUTE_MS)).toEqual([200, "ok"]);
      expect(await healthAfterCron(nowMs + 19 * MINUTE_MS)).toEqual(
        sent ? [200, "ok"] : [503, "late"],
      );
    },
  );

  test("do not fail if they are switched off", async () => {
    const nowMs = await tryToSend("E_SENDER_NOT_VERIFIED");
    expect(await healthAfterCron(nowMs + 4 * MINUTE_MS, { EMAIL_FROM: "" })).toEqual([200, "off"]);
  });
});

test("fails if the configuration is invalid, and does not name the setting", async () => {
  watchLog();
  await publish(0);
  const changes = { WEBHOOK_SECRET: "short" };
  expect(await healthAt(NOW_MS + 60_000, changes)).toEqual({
    ...FAILING,
    configuration: "invalid",
  });
});

test("fails if KV fails and there is no summary yet", async () => {
  const log = watchLog();
  const KV = broken(() => Promise.reject(new Error("KV is down")));
  expect(await healthAt(NOW_MS, { KV })).toMatchObject({ http: 503, cron: "unknown" });
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"event":"cache.read_failed"'));
});

test("concurrent first requests of an isolate all report the summary", async () => {
  await publish(0);
  const worker = startWorker({ now: () => NOW_MS + 60_000 });
  const answers = await Promise.all([1, 2, 3].map(() => worker.fetch("/health")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("uses the last summary while KV fails, until it is too old", async () => {
  watchLog();
  await publish(0);
  let nowMs = NOW_MS;
  const get = vi.fn(() => env.KV.get("local:health:1", "json"));
  const worker = startWorker({ now: () => nowMs, env: { KV: overriding(env.KV, { get }) } });
  expect((await worker.fetch("/health")).status).toBe(200);
  get.mockImplementation(() => Promise.reject(new Error("KV is down")));
  nowMs = NOW_MS + 60_000;
  expect((await worker.fetch("/health")).json).toMatchObject({
    status: "ok",
    cron_age_seconds: 60,
  });
  nowMs = NOW_MS + MAX_CRON_AGE_MS;
  expect((await worker.fetch("/health")).json).toMatchObject({ status: "failing", cron: "late" });
  expect(get).toHaveBeenCalledTimes(3);
});

test("reads KV once in 30 seconds in an isolate, also while KV fails", async () => {
  watchLog();
  for (const fails of [false, true]) {
    const get = vi.fn(() =>
      fails ? Promise.reject(new Error("KV is down")) : Promise.resolve(null),
    );
    let nowMs = NOW_MS;
    const worker = startWorker({
      now: () => nowMs,
      env: { KV: overriding(env.KV, { get }) },
    });
    for (nowMs of [0, 1, 29_999].map((ms) => NOW_MS + ms)) await worker.fetch("/health");
    expect(get).toHaveBeenCalledTimes(1);
    nowMs = NOW_MS + 30_000;
    await worker.fetch("/health");
    expect(get).toHaveBeenCalledTimes(2);
  }
});

test("supports HEAD, and refuses other methods", async () => {
  await publish(0);
  const worker = startWorker({ now: () => NOW_MS });
  const head = await worker.fetch("/health", { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  const post = await worker.fetch("/health", { method: "POST" });
  expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});
