// `npm run bench:scale`: alternates the same requests between a small and a large database. On the large database, a
// request must not need more round trips, statements or rows, and at most 1.3 times as much time. Also prints the sizes
// of the databases and the throughput of the large one.
import { parseArgs } from "node:util";
import {
  type BenchClient,
  fill,
  fillOrders,
  type FillSize,
  headersOf,
  LARGEST_PARTNER,
} from "./fill.ts";
import { type Call, median, slice } from "./load.ts";
import { meter } from "./meter.ts";
import type { GiftLinkResponse, OrdersQuery } from "../src/features/orders/contract.ts";
import { filtersOf } from "../src/features/orders/list.ts";
import { formatCursor, type TimePosition } from "../src/features/orders/list-cursor.ts";
import { DOLLARS_PER_GB_MONTH } from "./prices.ts";
import { newReference, placementBody, productAt } from "./requests.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "10000" },
    orders: { type: "string", default: "50000" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "0.3" },
  },
});
/** The lists have full pages, also for a status that one order in 50 has. */
const SMALL = { products: 100, orders: 10_000 };
const LARGE = { products: Number(options.products), orders: Number(options.orders) };
const MAX_RATIO = 1.3;
const PAGE_LIMIT = 50;
const COUNTS = [
  "roundTrips",
  "statements",
  "rowsRead",
  "rowsWritten",
  "kvReads",
  "kvWrites",
] as const;

interface Side {
  state: string;
  requests: Record<string, { worker: string; next: () => Call }>;
}

const STATES = ["small", "large"];
const rig = await startRig(
  STATES.flatMap((state) => [
    { name: `regalo-${state}`, source: "bench/workers/regalo.ts", state },
    { name: `metered-${state}`, source: "bench/workers/metered.ts", state },
    { name: `floor-${state}`, source: "bench/workers/floor.ts", state },
  ]),
);
const missed = new Set<string>();
try {
  const small = await prepare("small", SMALL);
  const large = await prepare("large", LARGE);
  await compareCounts(small, large);
  await compareTimes(small, large);
  await measureThroughput(large);
} finally {
  await rig.dispose();
}
if (missed.size > 0) {
  console.error(`Missed: ${[...missed].join(", ")}`);
  process.exitCode = 1;
}

async function prepare(state: string, size: FillSize): Promise<Side> {
  const d1 = await rig.d1(`regalo-${state}`);
  const startedMs = performance.now();
  const [client] = await fill(d1, { ...size, orders: 0 }, ["regalo"]);
  if (!client) throw new Error("there is no client");
  const catalogueBytes = await sizeOf(d1);
  await fillOrders(d1, client.catalogueId, size);
  const orderBytes = (await sizeOf(d1)) - catalogueBytes;
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${state}: ${String(size.products)} products take ${gigabytes(catalogueBytes)}, ` +
      `${String(size.orders)} orders of 2 recipients ${gigabytes(orderBytes)}; ` +
      `filled in ${seconds.toFixed(0)} s`,
  );
  return { state, requests: await requestsOf(d1, client, size, `-${state}`) };
}

async function sizeOf(d1: D1Database): Promise<number> {
  return (await d1.prepare("SELECT 1").run()).meta.size_after;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(3)} GB ($${((bytes / 1e9) * DOLLARS_PER_GB_MONTH).toFixed(3)} a month)`;
}

async function requestsOf(
  d1: D1Database,
  { headers, catalogueId }: BenchClient,
  { products, orders }: FillSize,
  suffix: string,
): Promise<Side["requests"]> {
  const lastPage = Math.ceil(products / PAGE_LIMIT);
  const digital = await d1
    .prepare(`SELECT total_digital AS n FROM catalogue_versions WHERE catalogue_id = ?1`)
    .bind(catalogueId)
    .first<number>("n");
  const json = { ...headers, "Content-Type": "application/json" };
  const first = await productAt(d1, 1);
  const last = await productAt(d1, products);
  const api = (next: () => Call) => ({ worker: `regalo${suffix}`, next });
  const page = (number: number) => ({
    worker: `floor${suffix}`,
    next: () => ({
      path: `/make-page?${String(catalogueId)}:1:${String(PAGE_LIMIT)}:${String(number)}`,
    }),
  });
  const placement = (path: string, recipients: number, reference = newReference) =>
    api(() => ({
      method: "POST",
      path,
      headers: json,
      body: placementBody(first, recipients, reference()),
    }));
  // An order to repeat and to read. The filled orders belong to other clients.
  const { path, body } = placement("/api/gift-link", 2, () => "read-back").next();
  const url = await rig.url(`regalo${suffix}`);
  const placed = await fetch(url + path, { method: "POST", headers: json, body: body ?? null });
  const { order_data, recipient_return } = await placed.json<GiftLinkResponse>();
  const giftPath = new URL(recipient_return[0]?.gift_url ?? "").pathname;
  const get = (path: string) => api(() => ({ path, headers }));

  // The lists of the client with half of the filled orders. The deep pages start in the middle.
  const list = (path: string) => api(() => ({ path, headers: headersOf(LARGEST_PARTNER) }));
  const middle = await d1
    .prepare(
      `SELECT created_at_ms AS createdAtMs, id, order_ref_id AS reference FROM orders
       WHERE client_id = ?1 AND id >= ?2 ORDER BY id LIMIT 1`,
    )
    .bind(LARGEST_PARTNER, orders / 2)
    .first<{ createdAtMs: number; id: number; reference: string }>();
  if (!middle) throw new Error("there is no order");
  const deep = (filters: Partial<OrdersQuery> = {}) => {
    const key = filters.order_ref_id_prefix === undefined ? middle.createdAtMs : middle.reference;
    const cursor = formatCursor(
      [key, middle.id] as TimePosition,
      filtersOf({ limit: 100, ...filters }),
    );
    return `cursor=${cursor}`;
  };
  return {
    "first page, from D1": page(1),
    "last page, from D1": page(lastPage),
    "first page": get(`/api/products?limit=${String(PAGE_LIMIT)}`),
    "last page": get(`/api/products?limit=${String(PAGE_LIMIT)}&page=${String(lastPage)}`),
    "last page of digital products": get(
      `/api/products?product_type=digital&limit=1&page=${String(digital)}`,
    ),
    product: get(`/api/product?product_id=${String(last.id)}`),
    order: placement("/api/order", 2),
    "gift-link": placement("/api/gift-link", 2),
    "gift-link, repeated": placement("/api/gift-link", 2, () => "read-back"),
    "get-order by reference": get("/api/order?order_ref_id=read-back"),
    "get-order by number": get(`/api/order?order_number=${order_data.order_number}`),
    "credit-balance": get("/api/credit-balance"),
    "gift link opened": api(() => ({ path: giftPath })),
    orders: list("/api/orders"),
    "orders, deep": list(`/api/orders?${deep()}`),
    "orders, paid": list("/api/orders?order_status=paid"),
    "orders, failed, deep": list(
      `/api/orders?order_status=failed&limit=20&${deep({ order_status: "failed" })}`,
    ),
    "orders, gift links, deep": list(
      `/api/orders?gift_order_method=api-giftlink&${deep({ gift_order_method: "api-giftlink" })}`,
    ),
    "orders, before a time": list(
      `/api/orders?created_until=${new Date(middle.createdAtMs).toISOString()}`,
    ),
    "orders, redeemed, deep": list(
      `/api/orders?redemption_status=redeemed&${deep({ redemption_status: "redeemed" })}`,
    ),
    "orders, prefix": list("/api/orders?order_ref_id_prefix=order-"),
    "orders, prefix, deep": list(
      `/api/orders?order_ref_id_prefix=order-&${deep({ order_ref_id_prefix: "order-" })}`,
    ),
    events: list("/api/events"),
    "events, deep": list(`/api/events?after=${String(Math.floor(orders / 4))}`),
  };
}

async function compareCounts(small: Side, large: Side): Promise<void> {
  console.log(
    "\n| request | round trips, small | large | rows read, small | large | rows written, small | large |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const [name, { worker, next }] of Object.entries(small.requests)) {
    const other = large.requests[name];
    if (!other || !worker.startsWith("regalo")) continue;
    const a = await meter(await rig.url("metered-small"), next(), "cold");
    const b = await meter(await rig.url("metered-large"), other.next(), "cold");
    // test/budgets.test.ts checks the counts on a small database.
    const grows = COUNTS.some((count) => b[count] > a[count]);
    if (grows) missed.add(`counts of ${name}`);
    const cells = [
      a.roundTrips,
      b.roundTrips,
      a.rowsRead,
      b.rowsRead,
      a.rowsWritten,
      b.rowsWritten,
    ];
    console.log(`| ${name}, cold | ${cells.join(" | ")} |${grows ? " GROWS" : ""}`);
  }
}

async function compareTimes(small: Side, large: Side): Promise<void> {
  console.log("\n| request, 1 connection | ms, small | ms, large | ratio (min–max) |");
  console.log("|---|---|---|---|");
  const names = Object.keys(small.requests);
  const times = new Map<string, [number, number][]>();
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const name of names) {
      const pair: number[] = [];
      // The first side alternates, so that other load on the machine affects both sides alike.
      for (const side of round % 2 ? [small, large] : [large, small]) {
        const request = side.requests[name];
        if (!request) continue;
        const target = { url: await rig.url(request.worker), next: request.next, status: 200 };
        pair.push(1_000 / (await slice(target, 1, Number(options.seconds))));
      }
      const [a = NaN, b = NaN] = round % 2 ? pair : pair.reverse();
      if (round > 0) times.set(name, [...(times.get(name) ?? []), [a, b]]);
    }
  }
  for (const [name, pairs] of times) {
    const ratios = pairs.map(([a, b]) => b / a);
    const ratio = median(ratios);
    if (ratio > MAX_RATIO) missed.add(`time of ${name}`);
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const ms = (index: 0 | 1) => median(pairs.map((pair) => pair[index])).toFixed(2);
    console.log(
      `| ${name} | ${ms(0)} | ${ms(1)} | ${ratio.toFixed(2)} (${spread})${ratio > MAX_RATIO ? " MISSED" : ""} |`,
    );
  }
}

/** Prints how many orders a second one database handles with many concurrent requests. */
async function measureThroughput({ requests }: Side): Promise<void> {
  const { order } = requests;
  if (!order) return;
  const rates: number[] = [];
  for (let round = 0; round < 5; round++) {
    rates.push(
      await slice({ url: await rig.url(order.worker), next: order.next, status: 200 }, 32, 1),
    );
  }
  console.log(
    `\nOne database, 32 connections: ${median(rates).toFixed(0)} orders of 2 recipients a second ` +
      `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`,
  );
}
