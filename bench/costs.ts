// Counts the resources of one request of each kind, and calculates the cost of a million of them.
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
  /** For a million requests, without CPU time. */
  dollars: number;
  /** Another request of the same kind. */
  next: () => Call;
}

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
    costs.push({ name: `${name}, warm`, taken: warm, dollars: dollarsFor(warm), next });
    costs.push({ name: `${name}, cold`, taken: cold, dollars: dollarsFor(cold), next });
  }
  return costs;
}

function dollarsFor(taken: Taken): number {
  return (
    DOLLARS_PER_MILLION.requests +
    // Each request writes one log line.
    DOLLARS_PER_MILLION.logLines +
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
  "$ a million",
];

/** The cells of the table row. */
export function costCells({ name, taken, dollars }: Cost): string[] {
  const { roundTrips, rowsRead, rowsWritten, kvReads, kvWrites } = taken;
  const counts = [roundTrips, rowsRead, rowsWritten, kvReads, kvWrites].map(String);
  return [name, ...counts, dollars.toFixed(2)];
}
