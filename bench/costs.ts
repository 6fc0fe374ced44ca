// Counts the resources of one request of each kind, and calculates the cost of a million of them.
import { startReceiver } from "../test/support/receiver.ts";
import { fill, headersOf, LARGEST_PARTNER } from "./fill.ts";
import type { Call } from "./load.ts";
import { meter, type Taken } from "./meter.ts";
import { DOLLARS_PER_MILLION } from "./prices.ts";
import { newReference, placementBody, productAt } from "./requests.ts";
import type { Rig } from "./rig.ts";

export interface Cost {
  /** The request, and whether the caches are warm or cold. */
  name: string;
  taken: Taken;
  queueOperations: number;
  /** For a million requests, without CPU time. */
  dollars: number;
  /** Another request of the same kind. */
  next?: () => Call;
}

/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;

/** Measures on the rig's Worker `metered`, with a database of 1,000 products and 1,000 orders. */
export async function measureCosts(rig: Rig): Promise<Cost[]> {
  const d1 = await rig.d1("metered");
  const url = await rig.url("metered");
  const [client] = await fill(d1, { products: 1_000, orders: 1_000 }, ["regalo"]);
  if (!client) throw new Error("there is no client");
  const { headers } = client;
  const product = await productAt(d1, 1);
  const json = { ...headers, "Content-Type": "application/json" };
  const placement = (path: string, recipients: number, reference?: string) => (): Call => ({
    method: "POST",
    path,
    headers: json,
    body: placementBody(product, recipients, reference ?? newReference()),
  });
  // A lookup also reads the next row of the index. The second order provides that row.
  const [placed, last] = ["z", "zz"];
  const repeated = placement("/api/order", 2, placed);
  for (const place of [repeated, placement("/api/order", 2, last)]) await meter(url, place(), true);

  const cases: [string, () => Call][] = [
    [
      "GET /api/products (200)",
      () => ({ path: "/api/products", headers: { ...headers, "Accept-Encoding": "gzip" } }),
    ],
    [
      "GET /api/product",
      () => ({ path: `/api/product?product_id=${String(product.id)}`, headers }),
    ],
    ["POST /api/order, 2 recipients", placement("/api/order", 2)],
    ["POST /api/gift-link, 2 recipients", placement("/api/gift-link", 2)],
    ["POST /api/gift-link, 100 recipients", placement("/api/gift-link", 100)],
    ["POST /api/order, repeated", repeated],
    ["GET /api/order", () => ({ path: `/api/order?order_ref_id=${placed}`, headers })],
    ["GET /api/orders (100)", () => ({ path: "/api/orders", headers: headersOf(LARGEST_PARTNER) })],
    ["GET /api/events (100)", () => ({ path: "/api/events", headers: headersOf(LARGEST_PARTNER) })],
    ["GET /api/credit-balance", () => ({ path: "/api/credit-balance", headers })],
  ];

  const costs: Cost[] = [];
  for (const [name, next] of cases) {
    const cold = await meter(url, next(), true);
    // Warm requests are the common case of a busy client: the isolate has cached its record and its data.
    await meter(url, next(), false);
    const warm = await meter(url, next(), false);
    costs.push({ name: `${name}, warm`, taken: warm, ...requestCost(warm), next });
    costs.push({ name: `${name}, cold`, taken: cold, ...requestCost(cold), next });
  }
  return [...costs, await measureDelivery(d1, url, client.clientId)];
}

/** The delivery of one event to one endpoint: its message, and the invocation that sends it. */
async function measureDelivery(d1: D1Database, url: string, clientId: string): Promise<Cost> {
  const receiver = await startReceiver();
  try {
    // The endpoint starts before the client's last event.
    const webhook = await d1
      .prepare(
        `INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
         SELECT ?1, ?2, 'nonce', max(sequence) - 1, 0 FROM events WHERE client_id = ?1 RETURNING id`,
      )
      .bind(clientId, `${receiver.url}/bench`)
      .first<{ id: number }>();
    const call = { path: `/deliver?webhook_id=${String(webhook?.id)}` };
    const taken = await meter(url, call, false);
    const queueOperations = OPERATIONS_PER_MESSAGE;
    const dollars =
      dollarsFor(taken) +
      DOLLARS_PER_MILLION.requests +
      DOLLARS_PER_MILLION.queueOperations * queueOperations;
    return { name: "an event, to one endpoint", taken, queueOperations, dollars };
  } finally {
    await receiver.close();
  }
}

function requestCost(taken: Taken): Pick<Cost, "queueOperations" | "dollars"> {
  // Each request writes one log line.
  const { requests, logLines } = DOLLARS_PER_MILLION;
  return { queueOperations: 0, dollars: requests + logLines + dollarsFor(taken) };
}

/** The price of the storage operations. */
function dollarsFor(taken: Taken): number {
  return (
    DOLLARS_PER_MILLION.rowsRead * taken.rowsRead +
    DOLLARS_PER_MILLION.rowsWritten * taken.rowsWritten +
    DOLLARS_PER_MILLION.kvReads * taken.kvReads +
    DOLLARS_PER_MILLION.kvWrites * taken.kvWrites
  );
}

export const COST_COLUMNS = [
  "request",
  "D1 round trips",
  "rows read",
  "rows written",
  "KV reads",
  "KV writes",
  "queue operations",
  "$ a million",
];

/** The cells of the table row. */
export function costCells({ name, taken, queueOperations, dollars }: Cost): string[] {
  const { roundTrips, rowsRead, rowsWritten, kvReads, kvWrites } = taken;
  const counts = [roundTrips, rowsRead, rowsWritten, kvReads, kvWrites, queueOperations].map(
    String,
  );
  return [name, ...counts, dollars.toFixed(2)];
}
