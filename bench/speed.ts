// `npm run bench`: Regalo beside bare Workers that do the same storage work, in turns, in one workerd.
import { parseArgs } from "node:util";
import type { NewOrder } from "../src/orders/queries.ts";
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
/** Of 50 kB each, more than the isolate's 24 MiB for pages hold: asked for in turn, all of them come from KV. */
const KV_PAGES = 600;
/** Less than pages stay fresh. */
const KV_FRESH_MS = 30_000;
/** Products on a page by default. */
const PAGE_LIMIT = 200;

interface Case {
  name: string;
  regalo: Target;
  floor: Target;
  /** Share of the floor that is to be reached at one connection. */
  goal?: number;
  /** What each round of it needs. */
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
  console.log(`\nworkerd's memory: ${String(rig.memoryMib().peak)} MiB at its highest`);
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
  // The catalogue says that it has so many pages: one past its end would not be looked for in KV.
  await d1
    .prepare(
      "UPDATE catalogue_versions SET total_products = ?1, total_physical = ?1, total_digital = 0",
    )
    .bind(PAGE_LIMIT * (KV_PAGES + 1))
    .run();

  // The floors answer with the very page that Regalo made.
  await fetch(`${regaloUrl}/api/products`, { headers: gzip });
  const kv = await rig.kv("floor");
  const [key] = (await kv.list({ prefix: "page:" })).keys;
  const made = key && (await kv.get(key.name, "arrayBuffer"));
  if (!key || !made) throw new Error("the page is not in KV");
  await fetch(`${floorUrl}/hold`, { method: "POST", body: made });
  const pageName = key.name.slice(0, key.name.lastIndexOf(":"));
  // Again before any grows stale.
  let filledAtMs = -Infinity;
  const fillKv = async () => {
    if (performance.now() - filledAtMs < KV_FRESH_MS) return;
    filledAtMs = performance.now();
    await fetch(`${floorUrl}/fill-kv?${pageName}|${String(KV_PAGES + 1)}`, { method: "POST" });
  };
  const inTurn = () => {
    let asked = 0;
    return () => String(2 + (asked++ % KV_PAGES));
  };
  const [nextOfRegalo, nextOfFloor] = [inTurn(), inTurn()];

  const placement = (path: string, recipients: number) =>
    regalo(() => ({
      method: "POST",
      path,
      headers: json,
      body: placementBody(product, recipients, newReference()),
    }));
  const ready = (method: NewOrder["method"], recipients: number) =>
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
    // The first round warms caches and compilers and does not count.
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
    console.log(`\n${String(connections)} at once, requests a second\n`);
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
  /** Milliseconds of workerd's processor time for a request. */
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
