// Webhooks of a server that is killed, whose queue loses its messages with the process.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";
import { type ReceivingPath, receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const server = useDemoServer();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
});

const post = (path: string, body: object) => callDemo(server, path, body);

let references = 0;

const placeOrder = () => post("/api/gift-link", demoOrder(`webhook-${String(++references)}`));

/** An endpoint that gets the events from now on. */
async function createEndpoint(name: string): Promise<ReceivingPath & { first: number }> {
  const path = receivingPath(receiver.url, name);
  await post("/api/webhook", { url: path.url });
  return { ...path, first: lastSequence() + 1 };
}

const lastSequence = () =>
  server.sql("SELECT max(sequence) AS last FROM events WHERE client_id = 'demo'")[0]?.["last"] ?? 0;

/** Lets the time of a killed run's lease and of the next attempts pass. */
function endWaits(): void {
  server.sql("UPDATE webhooks SET lease_until_ms = 0, paused_until_ms = 0");
  server.sql("UPDATE webhook_deliveries SET next_attempt_at_ms = 0 WHERE next_attempt_at_ms > 0");
}

async function runCron(): Promise<void> {
  expect((await server.cron()).status).toBe(200);
}

test("an order's event is sent without the cron handler", async () => {
  const { first, sequences } = await createEndpoint("nudged");
  await placeOrder();
  await expect.poll(sequences).toEqual([first]);
});

test("no event is lost if the process is killed between the commit and the delivery", async () => {
  const { first, behave, received, sequences } = await createEndpoint("killed");
  for (let kill = 0; kill < 3; kill++) {
    const before = (await received()).length;
    await behave({ hangs: true });
    await Promise.all(Array.from({ length: 8 }, placeOrder));
    // A delivery is under way, and messages are waiting.
    await expect.poll(async () => (await received()).length).toBeGreaterThan(before);
    await server.kill();
    await behave({});
    await server.restart();
    endWaits();
  }
  const expected = Array.from({ length: lastSequence() - first + 1 }, (_, n) => first + n);
  await expect
    .poll(async () => {
      await runCron();
      endWaits();
      return [...new Set(await sequences())].sort((a, b) => a - b);
    })
    .toEqual(expected);
});

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
  const { first, behave, sequences } = await createEndpoint("refusing");
  await behave({ closes: true });
  await placeOrder();
  const isFailed = "SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND attempts = 1";
  await expect.poll(() => server.sql(isFailed)).toHaveLength(1);
  await behave({});
  endWaits();
  await runCron();
  await expect.poll(sequences).toEqual([first, first]);
});
