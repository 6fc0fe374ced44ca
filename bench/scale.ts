// `npx node bench/scale.ts`: counts the same requests on a small database and after it has become large. They must not take
// more round trips, statements or rows. Also prints the size of the database and how many orders it takes a second.
import { parseArgs } from "node:util";
import { fillOrders, fillProducts } from "./fill.ts";
import { type Call, printTable } from "./load.ts";
import { meter, prepare, requestsOf, type Taken, WORKERS } from "./requests.ts";
import { startRig } from "./rig.ts";
import { type Meter, newMeter } from "../test/support/counting.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "5000" },
    orders: { type: "string", default: "20000" },
  },
});
const LARGE = { products: Number(options.products), orders: Number(options.orders) };
/** Enough orders that each list finds a full page of every status and method, from the newest and from the middle on. */
const SMALL = { products: 400, orders: 2_400 };
const COUNTS = Object.keys(newMeter()) as (keyof Meter)[];
/** Lists also read the orders of the same millisecond, at most one for each connection of the fill. */
const TIES = 16;

const rig = await startRig(WORKERS);
try {
  const { d1, url, headers } = await prepare(rig, SMALL.products, SMALL.orders);
  const requests = await requestsOf(url, headers);
  const get = (path: string): Call => ({ path, headers });
  /** Pages of lists, from the order or event in the middle on. */
  const lists = async (orders: number): Promise<Record<string, Call>> => {
    const middle = await d1
      .prepare("SELECT created_at_ms FROM orders WHERE id >= ?1 ORDER BY id LIMIT 1")
      .bind(orders / 2)
      .first<number>("created_at_ms");
    const page = `created_until=${new Date(Number(middle)).toISOString()}&limit=10`;
    return {
      "orders, deep": get(`/api/orders?${page}`),
      "orders, paid": get(`/api/orders?order_status=paid&${page}`),
      "orders, cancelled": get(`/api/orders?order_status=cancieled&${page}`),
      "orders, gift links": get(`/api/orders?gift_order_method=api-giftlink&${page}`),
      "orders, prefix": get("/api/orders?order_ref_id_prefix=order-&limit=10"),
      "events, deep": get(`/api/events?after=${String(Math.floor(orders / 2))}`),
    };
  };
  const count = async (orders: number) => {
    const taken = new Map<string, Taken>();
    for (const { name, next } of requests) taken.set(name, await meter(url, await next(), "cold"));
    for (const [name, call] of Object.entries(await lists(orders))) {
      taken.set(name, await meter(url, call, "cold"));
    }
    return taken;
  };
  const size = async () => (await d1.prepare("SELECT 1").run()).meta.size_after;

  // D1 does this regularly. Without it, the query planner has no statistics.
  await d1.prepare("PRAGMA optimize").run();
  const small = await count(SMALL.orders);
  await fillProducts(d1, LARGE.products);
  const before = await size();
  const range: [number, number] = [SMALL.orders + 1, LARGE.orders];
  const rate = await fillOrders(await rig.url("regalo"), headers, range);
  const bytes = ((await size()) - before) / (LARGE.orders - SMALL.orders);
  await d1.prepare("PRAGMA optimize").run();
  const large = await count(LARGE.orders);

  const rows = [...small].map(([name, a]) => {
    const b = large.get(name);
    const grows = b && COUNTS.some((name) => b[name] > a[name] + (name === "rowsRead" ? TIES : 0));
    if (grows) process.exitCode = 1;
    const cells = [
      a.roundTrips,
      b?.roundTrips,
      a.rowsRead,
      b?.rowsRead,
      a.rowsWritten,
      b?.rowsWritten,
    ];
    return [name, ...cells.map(String), grows ? "GROWS" : ""];
  });
  const columns = ["round trips", "rows read", "rows written"].flatMap((name) => [name, "large"]);
  printTable(["request, cold", ...columns, ""], rows);
  console.log(
    `\nAn order of two recipients takes ${bytes.toFixed(0)} bytes, with its events. ` +
      `One database took ${rate.toFixed(0)} orders a second.`,
  );
} finally {
  await rig.dispose();
}
