// `npm run bench:memory`: checks that workerd's memory does not grow with the number of requests. The requests are for
// many different pages and for new orders, so that a memory leak becomes visible.
import { parseArgs } from "node:util";
import { fill } from "./fill.ts";
import { type Call, slice } from "./load.ts";
import { newReference, placementBody, productAt } from "./requests.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: { requests: { type: "string", default: "100000" } },
});
const PARTS = 10;
/** V8's heap varies. A growth up to this ratio is ignored. */
const MAX_GROWTH = 1.15;

const rig = await startRig([{ name: "regalo", source: "bench/workers/regalo.ts", state: "bench" }]);
try {
  const d1 = await rig.d1("regalo");
  const [client] = await fill(d1, { products: 1_000, orders: 1_000 }, ["regalo"]);
  if (!client) throw new Error("there is no client");
  const { headers } = client;
  const product = await productAt(d1, 1);
  const json = { ...headers, "Content-Type": "application/json" };
  let sent = 0;
  const next = (): Call => {
    sent += 1;
    switch (sent % 10) {
      case 0:
        return {
          method: "POST",
          path: "/api/gift-link",
          headers: json,
          body: placementBody(product, 2, newReference()),
        };
      case 1:
        return { path: `/api/product?product_id=${String(product.id)}`, headers };
      // Pages of 1 to 500 products. Together they exceed the isolate's cache, so that it always evicts some.
      default:
        return {
          path: `/api/products?limit=${String(1 + (sent % 500))}`,
          headers: { ...headers, "Accept-Encoding": "gzip" },
        };
    }
  };
  const target = { url: await rig.url("regalo"), next, status: 200 };

  const partSize = Number(options.requests) / PARTS;
  const peaks: number[] = [];
  console.log("| requests | resident MiB |\n|---|---|");
  while (peaks.length < PARTS) {
    const until = (peaks.length + 1) * partSize;
    while (sent < until) await slice(target, 32, 0.5);
    peaks.push(rig.memoryMib().now);
    console.log(`| ${String(sent)} | ${String(peaks.at(-1))} |`);
  }
  // The caches fill during the first half. Memory must not grow after that.
  const half = Math.max(...peaks.slice(0, PARTS / 2));
  const whole = Math.max(...peaks);
  console.log(`\nMaximum in the first half: ${String(half)} MiB, overall: ${String(whole)} MiB`);
  if (whole > half * MAX_GROWTH) {
    console.error("Memory grows with the number of requests.");
    process.exitCode = 1;
  }
} finally {
  await rig.dispose();
}
