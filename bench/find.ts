// `npm run bench:find`: what the operator's searches cost in a large database: calls, rows read and seconds.
import { parseArgs } from "node:util";
import { findExactly, type GiftSearch, recognise } from "../src/orders/find.ts";
import { findByEmail, findByPart } from "../src/orders/search.ts";
import type { SearchedFields } from "../src/orders/search-queries.ts";
import { listOrders } from "../src/orders/admin.ts";
import { listUnredeemed } from "../src/orders/unredeemed.ts";
import { listLowStock } from "../src/catalogue/stock-admin.ts";
import { DAY_MS } from "../src/values/time.ts";
import { meteredD1, newMeter } from "../test/support/counting.ts";
import { fill, LARGEST_PARTNER } from "./fill.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "10000" },
    orders: { type: "string", default: "500000" },
  },
});
const [products, orders] = [Number(options.products), Number(options.orders)];

const SMALL_PARTNER = "partner-7";
const ALL: GiftSearch = {
  ...{ clientId: null, limit: 50 },
  ...{ fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
};

const rig = await startRig([{ name: "find", source: "bench/workers/floor.ts", state: "find" }]);
try {
  const d1 = await rig.d1("find");
  await fill(d1, { products, orders }, []);
  const nowMs = Date.now();
  const email = (text: string, changes: Partial<GiftSearch> = {}) => {
    const search = { ...ALL, ...changes };
    return (db: D1Database) => findByEmail(db, text, search);
  };
  const part = (fields: SearchedFields, text: string) => (db: D1Database) =>
    findByPart(db, { fields, text }, ALL);
  const exactly = (text: string) => (db: D1Database) => findExactly(db, recognise(text), ALL);
  const unredeemed = (clientId: string | null) => (db: D1Database) =>
    listUnredeemed(db, { clientId, placedBeforeMs: nowMs - 30 * DAY_MS, nowMs, limit: 50 });

  console.log(`${String(orders)} orders of 2 recipients, ${String(products)} products`);
  await measure("e-mail that no recipient has", email("nobody@example.com"));
  await measure("e-mail of the oldest order", email("recipient-1@example.com"));
  await measure("name that no recipient has", part("name", "Lovelace"));
  await measure("name that all recipients have", part("name", "okonkwo"));
  await measure("part of no name or e-mail", part("name and email", "lovelace"));
  await measure("part of no reference", part("reference", "lovelace"));
  await d1.prepare("UPDATE sub_orders SET first_name = 'Jürgen' WHERE order_id % 5 = 0").run();
  await measure("the same name, a fifth with accents", part("name", "Lovelace"));
  const unknown = "nobody@example.com";
  await measure(
    "e-mail, client with half of the orders",
    email(unknown, { clientId: LARGEST_PARTNER }),
  );
  await measure("e-mail, small client", email(unknown, { clientId: SMALL_PARTNER }));
  await measure("e-mail, last 7 days", email(unknown, { fromMs: nowMs - 7 * DAY_MS }));
  await measure("order number", exactly("GO-00042"));
  await measure("sub-order number", exactly("GO-00042-2"));
  await measure("reference", exactly("order-00000042"));
  await measure("gift list", unredeemed(null));
  await measure("gift list, small client", unredeemed(SMALL_PARTNER));
  await measure("order list, small client", (db) =>
    listOrders(db, { clientId: SMALL_PARTNER, limit: 50 }),
  );
  await measure("stock low", (db) => listLowStock(db, { catalogue: null, below: 10, limit: 50 }));

  async function measure(title: string, work: (db: D1Database) => Promise<unknown>) {
    const meter = newMeter();
    const startedMs = performance.now();
    await work(meteredD1(d1, meter));
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(2);
    console.log(
      `${title.padEnd(40)} ${String(meter.roundTrips).padStart(4)} calls ` +
        `${meter.rowsRead.toLocaleString("en").padStart(10)} rows ${seconds.padStart(7)} s`,
    );
  }
} finally {
  await rig.dispose();
}
