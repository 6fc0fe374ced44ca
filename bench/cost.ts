// `npx node bench/cost.ts`: counts the resources of one request of each kind, and the cost of a million of them.
import { startReceiver } from "../test/support/receiver.ts";
import type { Meter } from "../test/support/counting.ts";
import { printTable } from "./load.ts";
import { meter, prepare, requestsOf, WORKERS } from "./requests.ts";
import { startRig } from "./rig.ts";

/**
 * US dollars for a million of each, on Workers Paid beyond the included usage, as of 21 November 2026. Current prices:
 * developers.cloudflare.com/{workers,d1,kv,queues}/platform/pricing
 */
const DOLLARS_PER_MILLION = {
  requests: 0.3,
  rowsRead: 0.001,
  rowsWritten: 1,
  kvReads: 0.5,
  kvWrites: 5,
  logLines: 0.6,
  queueOperations: 0.4,
} as const;
type Usage = Partial<Record<keyof typeof DOLLARS_PER_MILLION, number>>;

/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;
const GOALS: Record<string, number> = {
  "GET /api/products (200)": 1,
  // 24 rows written, and the rows read.
  "POST /api/order, 2 recipients": 25,
};

function dollarsFor(taken: Meter, other: Usage): number {
  const { rowsRead, rowsWritten, kvReads, kvWrites } = taken;
  const used: Usage = { rowsRead, rowsWritten, kvReads, kvWrites, ...other };
  return Object.entries(used).reduce(
    (sum, [name, count]) => sum + count * DOLLARS_PER_MILLION[name as keyof Usage],
    0,
  );
}

const row = (name: string, { roundTrips, rowsRead, rowsWritten }: Meter, dollars: number) => [
  name,
  ...[roundTrips, rowsRead, rowsWritten].map(String),
  dollars.toFixed(2),
];

const rig = await startRig(WORKERS);
try {
  const { d1, url, headers } = await prepare(rig, 1_000, 1_000);
  const rows: string[][] = [];
  for (const { name, next } of await requestsOf(url, headers)) {
    const cold = await meter(url, await next(), "cold");
    // Warm requests are the common case of a busy client: the isolate has cached its record and its data.
    await meter(url, await next(), "warm");
    const warm = await meter(url, await next(), "warm");
    // Each request writes one log line.
    const [warmDollars = NaN, coldDollars = NaN] = [warm, cold].map((taken) =>
      dollarsFor(taken, { requests: 1, logLines: 1 }),
    );
    const missed = warmDollars > (GOALS[name] ?? Infinity);
    if (missed) process.exitCode = 1;
    rows.push([...row(name, warm, warmDollars), coldDollars.toFixed(2), missed ? "MISSED" : ""]);
  }
  rows.push(await deliveryRow(d1, url));
  const counts = ["D1 round trips", "rows read", "rows written"];
  printTable(["request", ...counts, "$ a million", "$ cold", ""], rows);
} finally {
  await rig.dispose();
}

/** The delivery of one event to one endpoint: its message, and the invocation that sends it. */
async function deliveryRow(d1: D1Database, url: string): Promise<string[]> {
  const receiver = await startReceiver();
  try {
    // The endpoint starts before the client's last event.
    const id = await d1
      .prepare(
        `INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
         SELECT client_id, ?1, 'nonce', max(sequence) - 1, 0 FROM events RETURNING id`,
      )
      .bind(`${receiver.url}/bench`)
      .first<number>("id");
    const taken = await meter(url, { path: `/deliver?webhook_id=${String(id)}` }, "warm");
    const dollars = dollarsFor(taken, { requests: 1, queueOperations: OPERATIONS_PER_MESSAGE });
    return [...row("an event, to one endpoint", taken, dollars), "", ""];
  } finally {
    await receiver.close();
  }
}
