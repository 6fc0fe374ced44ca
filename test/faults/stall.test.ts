// A database that stalls for a minute under load, and then resets its connections. The Worker's clock is ten times as
// fast, so times of the Worker are a tenth of those in a deployment.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CODE_SECRET, type Rig, startRig } from "../../bench/rig.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { seed } from "../../src/cli/seed.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { DAY_MS } from "../../src/core/values/time.ts";
import { demoOrder, lastDemoEvent } from "../servers/demo-gift.ts";
import { JSON_HEADERS } from "../servers/demo-server.ts";
import { type ReceivingPath, receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { expectSound } from "../servers/sound.ts";

const SPEED = 10;
const STALL_MS = 60_000 / SPEED;
const DEADLINE_MS = 10_000 / SPEED;
const CALLERS = 40;
const PAUSE_MS = 300;
/** Requests that arrive at once when the stall begins. */
const BURST = 300;
/** Orders that are due for their expiry. */
const DUE = 60;

const STOCK = { productId: 1001, quantity: 5_000 } as const;

let rig: Rig;
let d1: D1Database;
let url: string;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  rig = await startRig([
    { name: "regalo", source: "test/faults/worker/stalling.ts", state: "stall", consumes: true },
  ]);
  url = await rig.url("regalo");
  d1 = await rig.d1("regalo");
  const env: Partial<Bindings> = {
    DB: d1,
    KV: await rig.kv("regalo"),
    ENVIRONMENT: "local",
    CODE_SECRET,
  };
  await seed(env as Bindings, Date.now());
  await adjustCredit(d1, {
    clientId: "demo",
    currency: "AUD",
    amountMinor: 100_000_000_00,
    reference: "stall",
    note: null,
    nowMs: Date.now(),
  });
});

afterAll(async () => {
  await rig.dispose();
  await receiver.close();
});

interface Answer {
  status: number;
  text: string;
  retryAfter: string | null;
  atMs: number;
}

async function send(path: string, body?: object): Promise<Answer> {
  const response = await fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: JSON_HEADERS,
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    atMs: performance.now(),
    retryAfter: response.headers.get("Retry-After"),
  };
}

/** Places orders whose gifts have expired. */
async function placeDueOrders(): Promise<void> {
  const redeemBy = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  for (let n = 0; n < DUE; n++) {
    const body = demoOrder(`due-${String(n)}`, { redeem_by: redeemBy });
    expect((await send("/api/gift-link", body)).status).toBe(200);
  }
  await d1
    .prepare(
      `UPDATE orders SET next_expiry_check_ms = 1, expires_at_ms = 1 WHERE order_ref_id LIKE 'due-%'`,
    )
    .run();
}

/** Callers that place orders and read their balance until they are stopped, and repeat what was answered with a 503. */
function startCallers() {
  const answers: Answer[] = [];
  const placed = new Map<string, string>();
  let isOver = false;
  let references = 0;
  const untilPlaced = async (reference: string) => {
    for (;;) {
      const answer = await send("/api/gift-link", demoOrder(reference));
      answers.push(answer);
      if (answer.status !== 503) {
        placed.set(reference, answer.text);
        return;
      }
      await sleep((Number(answer.retryAfter) * 1_000) / SPEED);
    }
  };
  const running = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      await untilPlaced(`load-${String(++references)}`);
      answers.push(await send("/api/credit-balance"));
      await sleep(PAUSE_MS);
    }
  });
  return {
    answers,
    placed,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** The number of successful responses in the second before `untilMs`. */
const lastSecond = (answers: Answer[], untilMs = performance.now()) =>
  answers.filter(({ status, atMs }) => status === 200 && atMs > untilMs - 1_000 && atMs <= untilMs)
    .length;

const calls = async () => Number((await send("/_calls")).text);

const runCron = () => rig.cron("regalo").catch(() => undefined);

/** Stalls the database for a minute while callers use the server. Returns what was measured and answered. */
async function stall() {
  const callers = startCallers();
  await sleep(1_500);
  const memoryBefore = rig.memoryMib();
  const callsBefore = await calls();
  const startMs = performance.now();
  await send("/_stall");
  // Two runs of the cron handler at once, which fail.
  const crons = [runCron(), runCron()];
  // All of them are answered while the database stalls.
  const burst = await Promise.all(Array.from({ length: BURST }, () => send("/api/credit-balance")));
  await sleep(Math.max(0, STALL_MS - DEADLINE_MS - (performance.now() - startMs)));
  // A run that goes on when the stall ends, at the same time as two more.
  crons.push(runCron());
  await sleep(DEADLINE_MS);
  // The callers get answers, on average more than two each.
  const sinceStart = () => callers.answers.filter(({ atMs }) => atMs > startMs).length;
  while (sinceStart() <= 2 * CALLERS) await sleep(50);
  const callsDuring = (await calls()) - callsBefore;
  const memoryMib = rig.memoryMib() - memoryBefore;
  await send("/_resume");
  const endMs = performance.now();
  crons.push(runCron(), runCron());
  const before = lastSecond(callers.answers, startMs);
  expect(before).toBeGreaterThan(0);
  // The callers go on until the throughput is as before.
  while (lastSecond(callers.answers) <= before / 2) await sleep(50);
  await Promise.all(crons);
  await callers.stop();
  const answers = [...callers.answers, ...burst];
  const during = answers.filter(({ atMs }) => atMs > startMs && atMs < endMs).length;
  const late = answers.filter(({ status, atMs }) => status === 503 && atMs > endMs).length;
  return { answers, placed: callers.placed, burst, during, late, callsDuring, memoryMib };
}

describe("a stall of a minute under load", () => {
  let path: ReceivingPath;
  let seeded: number;
  let measured: Awaited<ReturnType<typeof stall>>;

  beforeAll(async () => {
    path = receivingPath(receiver.url, "stall");
    seeded = await lastDemoEvent(d1);
    expect((await send("/api/webhook", { url: path.url })).status).toBe(200);
    await placeDueOrders();
    measured = await stall();
  });

  test("is answered with a 503 within the deadlines, and with success soon after it", () => {
    const { answers, burst, late } = measured;
    const failed = answers.filter(({ status }) => status !== 200);
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([503]));
    expect(failed.filter(({ retryAfter }) => !retryAfter)).toEqual([]);
    expect(burst.every(({ status }) => status === 503)).toBe(true);
    // The requests that were waiting, and one more of each caller.
    expect(late).toBeLessThanOrEqual(2 * CALLERS);
  });

  test("causes almost no second call of a request, and keeps memory", () => {
    expect(measured.callsDuring).toBeLessThan(1.2 * measured.during + CALLERS);
    expect(measured.memoryMib).toBeLessThan(100);
  });

  test("loses and duplicates no order, and repeated requests get the same response", async () => {
    const { placed } = measured;
    const { results } = await d1
      .prepare("SELECT order_ref_id AS reference FROM orders WHERE order_ref_id LIKE 'load-%'")
      .all<{ reference: string }>();
    expect(results.map(({ reference }) => reference).sort()).toEqual([...placed.keys()].sort());
    const repeated = [...placed].filter((_, index) => index % 10 === 0);
    const texts = await Promise.all(
      repeated.map(
        async ([reference]) => (await send("/api/gift-link", demoOrder(reference))).text,
      ),
    );
    expect(texts).toEqual(repeated.map(([, text]) => text));
  });

  test("expires the due gifts once, and sends every event", async () => {
    await rig.cron("regalo");
    const expired = "SELECT count(*) AS n FROM events WHERE type = 'gift.expired'";
    expect(await d1.prepare(expired).first("n")).toBe(DUE);
    const sent = (await lastDemoEvent(d1)) - seeded;
    const received = async () => {
      await runCron();
      return new Set(await path.sequences()).size;
    };
    await expect.poll(received, { interval: 250 }).toBe(sent);
    const ids = (await path.received()).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(sent);
    await expectSound(d1, STOCK);
  });
});
