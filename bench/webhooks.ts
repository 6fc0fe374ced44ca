// `npm run bench:webhooks`: whether an endpoint that hangs slows down the delivery to another endpoint of the same
// client. Each round sends all events to the healthy endpoint twice: alone, and while the other endpoint hangs.
import { receivingPath } from "../test/support/received.ts";
import { startReceiver } from "../test/support/receiver.ts";
import { seededState, startServer } from "../test/support/server.ts";
import "./secrets.ts";

const EVENTS = 1_000;
const ROUNDS = 5;
const GOAL = 0.9;
const TIMEOUT_MS = 120_000;
const HEADERS = {
  ...{ "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" },
  "Content-Type": "application/json",
};

const receiver = await startReceiver();
const state = await seededState();
await state.use(({ DB }) => addEvents(DB));
const server = await startServer(state);
try {
  const healthy = receivingPath(receiver.url, "healthy");
  const hanging = receivingPath(receiver.url, "hanging");
  await hanging.behave({ hangs: true });
  const healthyId = await addWebhook(healthy.url);
  const hangingId = await addWebhook(hanging.url);

  const sendAll = async (webhookIds: number[]): Promise<number> => {
    const before = (await healthy.received()).length;
    const startMs = performance.now();
    for (const id of webhookIds) {
      await post("/api/webhook/redeliver", { webhook_id: id, since_sequence: 1 });
    }
    while ((await healthy.received()).length < before + EVENTS) {
      if (performance.now() - startMs > TIMEOUT_MS) throw new Error("not all events were sent");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return performance.now() - startMs;
  };

  const ratios: number[] = [];
  await sendAll([healthyId]);
  for (let round = 1; round <= ROUNDS; round++) {
    const aloneMs = await sendAll([healthyId]);
    const besideMs = await sendAll([hangingId, healthyId]);
    ratios.push(aloneMs / besideMs);
    console.log(
      `round ${String(round)}: alone ${aloneMs.toFixed(0)} ms, beside the hanging endpoint ${besideMs.toFixed(0)} ms`,
    );
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  const met = median >= GOAL;
  console.log(
    `throughput beside a hanging endpoint: ${median.toFixed(2)} of that without it (goal ≥ ${String(GOAL)}${met ? "" : ", MISSED"})`,
  );
  if (!met) process.exitCode = 1;
} finally {
  await server.kill();
  state.remove();
  await receiver.close();
}

async function post(path: string, body: object): Promise<{ webhook_id?: number }> {
  const init = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
  const response = await fetch(server.url + path, init);
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
  return JSON.parse(await response.text()) as { webhook_id?: number };
}

async function addWebhook(url: string): Promise<number> {
  return (await post("/api/webhook", { url })).webhook_id ?? 0;
}

/** Adds events of the demo client that are not about orders. */
async function addEvents(d1: D1Database): Promise<void> {
  await d1
    .prepare(
      `INSERT INTO events (client_id, sequence, type, data, created_at_ms)
       WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       SELECT 'demo', n, 'credit.low',
         '{"currency":"AUD","balanceMinor":100,"alertBelowMinor":200}', ?2 FROM number`,
    )
    .bind(EVENTS, Date.now())
    .run();
}
