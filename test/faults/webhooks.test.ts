// Webhooks of a server that is killed, whose queue loses its messages with the process.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";
import { type ReceivingPath, receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const server = useDemoServer();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
}, 120_000);

afterAll(async () => {
  await receiver.close();
});

const post = (path: string, body: object) => callDemo(server, path, body);

let references = 0;

const placeOrder = () => post("/api/gift-link", demoOrder(`webhook-${String(++references)}`));

/** Runs the cron handler, like the platform each minute. */
async function runCron(): Promise<void> {
  const response = await fetch(`${server.url}/cdn-cgi/handler/scheduled`);
  expect(response.status).toBe(200);
}

async function lastSequence(): Promise<number> {
  let after = 0;
  for (;;) {
    const path = `/api/events?limit=500&after=${String(after)}`;
    const page = await callDemo<{ next_after: number; has_more: boolean }>(server, path);
    after = page.next_after;
    if (!page.has_more) return after;
  }
}

async function hasReceivedAll(path: ReceivingPath, first: number): Promise<void> {
  const last = await lastSequence();
  const expected = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  await expect
    .poll(async () => [...new Set(await path.sequences())].sort((a, b) => a - b), {
      timeout: 60_000,
      interval: 250,
    })
    .toEqual(expected);
}

test("an order's event is sent within seconds, without the cron handler", async () => {
  const path = receivingPath(receiver.url, "nudged");
  await post("/api/webhook", { url: path.url });
  const first = (await lastSequence()) + 1;
  await placeOrder();
  await hasReceivedAll(path, first);
}, 120_000);

test("no event is lost if the process is killed between the commit and the delivery", async () => {
  const path = receivingPath(receiver.url, "killed");
  await post("/api/webhook", { url: path.url });
  const first = (await lastSequence()) + 1;
  for (let kill = 0; kill < 3; kill++) {
    // The receiver is slow, so deliveries are under way and messages are waiting when the process is killed.
    await path.behave({ delayMs: 1_000 });
    for (let order = 0; order < 8; order++) await placeOrder();
    await server.kill();
    await path.behave({});
    await server.restart();
  }
  // A lease of a killed run ends after 45 s.
  const untilMs = Date.now() + 90_000;
  const last = await lastSequence();
  while (new Set(await path.sequences()).size <= last - first && Date.now() < untilMs) {
    await runCron();
    await sleep(1_000);
  }
  await hasReceivedAll(path, first);
}, 300_000);

test("a test event reports a connection that is closed or refused", async () => {
  const closing = receivingPath(receiver.url, "closing");
  await closing.behave({ closes: true });
  for (const url of [closing.url, "http://127.0.0.1:1/"]) {
    const { webhook_id } = (await post("/api/webhook", { url })) as { webhook_id: number };
    expect(await post("/api/webhook/test", { webhook_id })).toMatchObject({
      status: "success",
      delivered: false,
      response_status: null,
      response_text: expect.stringMatching(/^The request failed: /) as string,
    });
    await post("/api/webhook/delete", { webhook_id });
  }
});

test("a closed connection is retried, and nothing is lost", async () => {
  const path = receivingPath(receiver.url, "refusing");
  await post("/api/webhook", { url: path.url });
  const first = (await lastSequence()) + 1;
  await path.behave({ closes: true });
  await placeOrder();
  await sleep(500);
  await path.behave({});
  // The first retry follows after 5 s.
  await expect
    .poll(() => path.sequences(), { timeout: 60_000, interval: 250 })
    .toEqual([first, first]);
}, 120_000);
