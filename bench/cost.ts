// `npm run bench:cost`: what one request of each kind takes, counted, and what a million of them cost.
import { fill } from "./fill.ts";
import { type Call, slice } from "./load.ts";
import { meter, type Taken } from "./meter.ts";
import { DOLLARS_PER_MILLION } from "./prices.ts";
import { newReference, placementBody, productAt } from "./requests.ts";
import { startRig } from "./rig.ts";

const GOALS: Record<string, number> = {
  "GET /api/products, warm": 1,
  "POST /api/order of 2 recipients, warm": 13,
};
const CPU_SAMPLE_SECONDS = 0.5;

const rig = await startRig([
  { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
  { name: "regalo", source: "bench/workers/regalo.ts", state: "bench" },
]);
const missed = new Set<string>();
try {
  const d1 = await rig.d1("metered");
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
  const url = await rig.url("metered");
  const placed = newReference();
  const repeated = placement("/api/order", 2, placed);
  await meter(url, repeated(), true);
  const products = (page: number) => (): Call => ({
    path: `/api/products?page=${String(page)}`,
    headers: { ...headers, "Accept-Encoding": "gzip" },
  });

  const cases: [string, () => Call][] = [
    ["GET /api/products", products(1)],
    [
      "GET /api/product",
      () => ({ path: `/api/product?product_id=${String(product.id)}`, headers }),
    ],
    ["POST /api/order of 2 recipients", placement("/api/order", 2)],
    ["POST /api/gift-link of 2 recipients", placement("/api/gift-link", 2)],
    ["POST /api/gift-link of 100 recipients", placement("/api/gift-link", 100)],
    ["POST /api/order, repeated", repeated],
    ["GET /api/order", () => ({ path: `/api/order?order_ref_id=${placed}`, headers })],
    ["GET /api/credit-balance", () => ({ path: "/api/credit-balance", headers })],
  ];

  console.log(
    "| request | D1 round trips | statements | rows read | rows written | KV reads | KV writes | bytes out | CPU ms | $ a million | goal |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|---|");
  for (const [name, next] of cases) {
    const cold = await meter(url, next(), true);
    // Warm is the common case of a busy client: its record and what it asks for are in the isolate.
    await meter(url, next(), false);
    const warm = await meter(url, next(), false);
    const cpuMs = await cpuOf(next);
    report(`${name}, cold`, cold, cpuMs);
    report(`${name}, warm`, warm, cpuMs);
  }
} finally {
  await rig.dispose();
}
if (missed.size > 0) {
  console.error(`Missed: ${[...missed].join(", ")}`);
  process.exitCode = 1;
}

/** Processor time of workerd for one request, its simulation of D1 and KV included: an upper bound. */
async function cpuOf(next: () => Call): Promise<number> {
  let requests = 0;
  const target = { url: await rig.url("regalo"), next: () => (requests++, next()), status: 200 };
  await slice(target, 1, CPU_SAMPLE_SECONDS);
  requests = 0;
  const before = rig.cpuMs();
  await slice(target, 1, CPU_SAMPLE_SECONDS);
  return (rig.cpuMs() - before) / requests;
}

function report(name: string, taken: Taken, cpuMs: number): void {
  const dollars =
    DOLLARS_PER_MILLION.requests +
    // Each request writes its one line.
    DOLLARS_PER_MILLION.logLines +
    DOLLARS_PER_MILLION.cpuMs * cpuMs +
    DOLLARS_PER_MILLION.rowsRead * taken.rowsRead +
    DOLLARS_PER_MILLION.rowsWritten * taken.rowsWritten +
    DOLLARS_PER_MILLION.kvReads * taken.kvReads +
    DOLLARS_PER_MILLION.kvWrites * taken.kvWrites;
  const goal = GOALS[name];
  const met = goal === undefined || dollars <= goal;
  if (!met) missed.add(name);
  const { roundTrips, statements, rowsRead, rowsWritten, kvReads, kvWrites, bytesOut } = taken;
  const counts = [roundTrips, statements, rowsRead, rowsWritten, kvReads, kvWrites, bytesOut];
  const goalText = goal === undefined ? "" : `≤ ${goal.toFixed(2)}${met ? "" : " MISSED"}`;
  console.log(
    `| ${name} | ${counts.join(" | ")} | ${cpuMs.toFixed(1)} | ${dollars.toFixed(2)} | ${goalText} |`,
  );
}
