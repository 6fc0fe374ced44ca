// `npm run bench`: compares Regalo with bare Workers that do the same storage work. They run alternately in one
// workerd.
import { parseArgs } from "node:util";
import { PAGE_KEY_PREFIX } from "../src/features/catalogue/pages.ts";
import type { NewOrder } from "../src/features/orders/queries.ts";
import { fill, type BenchClient } from "./fill.ts";
import { type Call, median, slice, type Target } from "./load.ts";
import { newReference, placementBody, productAt, readyOrder } from "./requests.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000" },
    orders: { type: "string", default: "1000" },
    rounds: { type: "string", default: "20" },
    seconds: { type: "string", default: "0.1" },
    only: { type: "string", default: "" },
  },
});
const CONNECTIONS = [1, 32];
/** Pages of 50 kB each. Together they exceed the isolate's cache of 24 MiB, so that each request reads from KV. */
const KV_PAGES = 600;
/** Shorter than the time for which cached pages are fresh. */
const KV_FRESH_MS = 30_000;
/** The default number of products on a page. */
const PAGE_LIMIT = 200;

interface Case {
  name: string;
  regalo: Target;
  floor: Target;
  /** The minimum share of the floor's throughput, at one connection. */
  goal?: number;
  /** Runs before each round. */
  before?: () => Promise<void>;
}

const rig = await startRig([
  { name: "regalo", source: "bench/workers/regalo.ts", state: "bench" },
  { name: "floor", source: "bench/workers/floor.ts", state: "bench" },
]);
try {
  const size = { products: Number(options.products), orders: Number(options.orders) };
  const clients = await fill(await rig.d1("floor"), size, ["regalo", "floor"]);
  const cases = (await prepare(clients)).filter(({ name }) => name.includes(options.only));
  await measure(cases);
  console.log(`\nPeak memory of workerd: ${String(rig.memoryMib().peak)} MiB`);
} finally {
  await rig.dispose();
}

async function prepare([caller, floorClient]: BenchClient[]): Promise<Case[]> {
  if (!caller || !floorClient) throw new Error("there are no clients");
  const regaloUrl = await rig.url("regalo");
  const floorUrl = await rig.url("floor");
  const gzip = { ...caller.headers, "Accept-Encoding": "gzip" };
  const plain = { ...caller.headers, "Accept-Encoding": "identity" };
  const json = { ...caller.headers, "Content-Type": "application/json" };
  const regalo = (next: () => Call, status = 200) => ({ url: regaloUrl, next, status });
  const floor = (next: () => Call, status = 200) => ({ url: floorUrl, next, status });

  const d1 = await rig.d1("floor");
  const product = await productAt(d1, 1);
  // Regalo does not read pages past the end of the catalogue from KV, so the catalogue's number of products is raised.
  await d1
    .prepare(
      "UPDATE catalogue_versions SET total_products = ?1, total_physical = ?1, total_digital = 0",
    )
    .bind(PAGE_LIMIT * (KV_PAGES + 1))
    .run();

  // The floors respond with a page that Regalo made.
  await fetch(`${regaloUrl}/api/products`, { headers: gzip });
  const kv = await rig.kv("floor");
  const key = (await kv.list()).keys.find(({ name }) => name.includes(PAGE_KEY_PREFIX));
  const made = key && (await kv.get(key.name, "arrayBuffer"));
  if (!key || !made) throw new Error("the page is not in KV");
  await fetch(`${floorUrl}/hold`, { method: "POST", body: made });
  const pageName = key.name.slice(0, key.name.lastIndexOf(":"));
  // The pages are written again before they become stale.
  let filledAtMs = -Infinity;
  const fillKv = async () => {
    if (performance.now() - filledAtMs < KV_FRESH_MS) return;
    filledAtMs = performance.now();
    await fetch(`${floorUrl}/fill-kv?${pageName}|${String(KV_PAGES + 1)}`, { method: "POST" });
  };
  const inTurn = () => {
    let requested = 0;
    return () => String(2 + (requested++ % KV_PAGES));
  };
  const [nextOfRegalo, nextOfFloor] = [inTurn(), inTurn()];

  const placement = (path: string, recipients: number) =>
    regalo(() => ({
      method: "POST",
      path,
      headers: json,
      body: placementBody(product, recipients, newReference()),
    }));
  const ready = (method: NewOrder["giftOrderMethod"], recipients: number) =>
    floor(() => ({
      method: "POST",
      path: "/place",
      body: JSON.stringify(readyOrder(floorClient, product, recipients, method)),
    }));
  const replayed = placementBody(product, 1, "replayed");
  const placed = await fetch(`${regaloUrl}/api/order`, {
    method: "POST",
    headers: json,
    body: replayed,
  });
  const { order_data } = await placed.json<{ order_data: { order_id: number } }>();
  const orderId = String(order_data.order_id);
  const productId = String(product.id);

  return [
    {
      name: "page of 200, isolate, gzip",
      regalo: regalo(() => ({ path: "/api/products", headers: gzip })),
      floor: floor(() => ({ path: "/static", headers: gzip })),
      goal: 0.8,
    },
    {
      name: "page of 200, isolate, plain",
      regalo: regalo(() => ({ path: "/api/products", headers: plain })),
      floor: floor(() => ({ path: "/static-plain", headers: plain })),
    },
    {
      name: "page of 200, KV, gzip",
      regalo: regalo(() => ({ path: `/api/products?page=${nextOfRegalo()}`, headers: gzip })),
      floor: floor(() => ({ path: `/kv?${pageName}:${nextOfFloor()}`, headers: gzip })),
      goal: 0.8,
      before: fillKv,
    },
    {
      name: "page of 200, KV, plain",
      regalo: regalo(() => ({ path: `/api/products?page=${nextOfRegalo()}`, headers: plain })),
      floor: floor(() => ({ path: `/kv-plain?${pageName}:${nextOfFloor()}`, headers: plain })),
    },
    {
      name: "product",
      regalo: regalo(() => ({
        path: `/api/product?product_id=${productId}`,
        headers: caller.headers,
      })),
      floor: floor(() => ({ path: `/product?${productId}`, headers: caller.headers })),
      goal: 0.85,
    },
    {
      name: "order, 1 recipient",
      regalo: placement("/api/order", 1),
      floor: ready("api-purchase", 1),
      goal: 0.8,
    },
    {
      name: "gift-link, 1 recipient",
      regalo: placement("/api/gift-link", 1),
      floor: ready("api-giftlink", 1),
      goal: 0.8,
    },
    {
      name: "gift-link, 100 recipients",
      regalo: placement("/api/gift-link", 100),
      floor: ready("api-giftlink", 100),
      goal: 0.8,
    },
    {
      name: "order, replayed",
      regalo: regalo(() => ({ method: "POST", path: "/api/order", headers: json, body: replayed })),
      floor: floor(() => ({ path: `/order?${orderId}`, headers: caller.headers })),
    },
    {
      name: "get-order",
      regalo: regalo(() => ({ path: `/api/order?order_id=${orderId}`, headers: caller.headers })),
      floor: floor(() => ({ path: `/order?${orderId}`, headers: caller.headers })),
      goal: 0.8,
    },
    {
      name: "credit-balance",
      regalo: regalo(() => ({ path: "/api/credit-balance", headers: caller.headers })),
      floor: floor(() => ({ path: `/order?${orderId}`, headers: caller.headers })),
    },
    {
      name: "refused credential",
      regalo: regalo(
        () => ({ path: "/api/products", headers: { ...caller.headers, "API-KEY": "wrong" } }),
        401,
      ),
      floor: floor(() => ({ path: "/refused", headers: caller.headers }), 401),
    },
  ];
}

async function measure(cases: Case[]): Promise<void> {
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  for (const connections of CONNECTIONS) {
    const measured = cases.map(() => ({ regalo: [] as Sample[], floor: [] as Sample[] }));
    // The first round warms caches and the compiler, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { regalo, floor, before }] of cases.entries()) {
        await before?.();
        const regaloSample = await sample(regalo, connections, seconds);
        const floorSample = await sample(floor, connections, seconds);
        if (round === 0) continue;
        measured[index]?.regalo.push(regaloSample);
        measured[index]?.floor.push(floorSample);
      }
    }
    console.log(`\nRequests a second, ${String(connections)} connections\n`);
    console.log("| case | Regalo (min–max) | floor (min–max) | share | CPU share | goal |");
    console.log("|---|---|---|---|---|---|");
    for (const [index, { name, goal }] of cases.entries()) {
      const { regalo = [], floor = [] } = measured[index] ?? {};
      const share = median(regalo.map(({ rate }, round) => rate / (floor[round]?.rate ?? NaN)));
      const cpuShare = median(regalo.map(({ cpu }, round) => (floor[round]?.cpu ?? NaN) / cpu));
      const goalText = connections === 1 && goal !== undefined ? `≥ ${goal.toFixed(2)}` : "";
      const cells = [
        spread(regalo),
        spread(floor),
        share.toFixed(2),
        cpuShare.toFixed(2),
        goalText,
      ];
      console.log(`| ${name} | ${cells.join(" | ")} |`);
    }
  }
}

interface Sample {
  /** Requests a second. */
  rate: number;
  /** Milliseconds of workerd's CPU time for one request. */
  cpu: number;
}

async function sample(target: Target, connections: number, seconds: number): Promise<Sample> {
  const before = rig.cpuMs();
  let sent = 0;
  const next = () => {
    sent += 1;
    return target.next();
  };
  const rate = await slice({ ...target, next }, connections, seconds);
  return { rate, cpu: (rig.cpuMs() - before) / sent };
}

function spread(samples: Sample[]): string {
  const rates = samples.map(({ rate }) => Math.round(rate));
  return `${median(rates).toFixed(0)} (${String(Math.min(...rates))}–${String(Math.max(...rates))})`;
}
