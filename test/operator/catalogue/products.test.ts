// The products of a catalogue: their list, and the page of one.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { MAX_READ_ORDERS } from "../../../src/operator/catalogue/product-queries.ts";
import { placeOrder } from "../../support/orders.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi();

test("lists the products of a catalogue in pages, and those with the words", async () => {
  const products = Array.from({ length: 30 }, (_, number) =>
    simpleProduct({ name: number < 12 ? `Tea ${String(number)}` : `Cup ${String(number)}` }),
  );
  const { catalogue } = await createClient({ products });
  const ids = products.map(({ product }) => product.id);
  const all = await api.all("catalogue products", { catalogue }, 10);
  expect(all.rows.map(({ product }) => product)).toEqual(ids);
  const tea = await api.all("catalogue products", { catalogue, words: "te" }, 10);
  expect(tea.rows.map(({ product }) => product)).toEqual(ids.slice(0, 12));
  expect(all.rows[0]).toMatchObject({ name: "Tea 0", price: "25.00 AUD", quantity: 100 });
  // Each product of the page with its position, entry, revision and stock, and the chunks of the index.
  for (const meter of [...all.meters, ...tea.meters]) {
    expect(meter.roundTrips).toBeLessThanOrEqual(3);
    expect(meter.rowsRead).toBeLessThan(5 * 10 + 15);
  }
});

test("shows a product's texts, price, sellers and orders of 30 days", async () => {
  const { vendor } = simpleProduct().product;
  const product = simpleProduct({
    description: "<p>Warm</p><p>Soft</p><script>no()</script>",
    recipientInfo: "Kept cool",
    vendor: { ...vendor, shippingInfo: "Free over 100 AUD" },
  });
  const other = simpleProduct();
  const client = await createClient({ products: [product, other] });
  const { catalogue, clientId } = client;
  const order = (details: Record<string, unknown> = {}, of = product) =>
    placeOrder(worker, client, orderOf(of, details));
  await order({ recipient_details: recipients(3) });
  await order({}, other);
  const { order_data } = await order({ recipient_details: recipients(2) });
  await transition(env.DB, order_data.order_id, "cancel", Date.now());
  const old = await order();
  await env.DB.prepare("UPDATE orders SET created_at_ms = 1 WHERE id = ?")
    .bind(old.order_data.order_id)
    .run();
  const { html, meter } = await api.call("stock show", { product: product.product.id });
  const { headline, text, facts, lists } = JSON.parse(html);
  expect(headline).toBe(product.product.name);
  expect(text).toMatch(/^3 gifts ordered since \d{4}-\d\d-\d\d\.$/);
  expect(facts).toMatchObject({
    price: "25.00 AUD",
    description: "Warm\nSoft",
    for_recipients: "Kept cool",
  });
  expect(facts).not.toHaveProperty("shipping_info");
  expect(lists.sold).toEqual([{ catalogue, clients: 1, client: [clientId] }]);
  expect(lists.records).toMatchObject([{ price: { amount: "25.00", currency: "AUD" } }]);
  expect(meter.roundTrips).toBe(1);
  const count = async (table: string) =>
    Number(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first("n"));
  const orders = Math.min(MAX_READ_ORDERS, await count("orders"));
  expect(meter.rowsRead).toBeLessThan(orders + 3 * (await count("catalogues")) + 30);
});

test("counts the orders of a product among the newest ones only", async () => {
  const product = simpleProduct();
  const client = await createClient({ products: [product] });
  const { order_data } = await placeOrder(worker, client, orderOf(product));
  const columns = (
    await env.DB.prepare("SELECT name FROM pragma_table_info('orders')").all<{ name: string }>()
  ).results.map(({ name }) => name);
  const copied = columns.map((name) =>
    name === "id"
      ? "id + n"
      : name === "order_ref_id"
        ? "order_ref_id || '-' || n"
        : name === "created_at_ms"
          ? "created_at_ms + 1000 * n"
          : name,
  );
  await env.DB.prepare(
    `INSERT INTO orders (${columns.join()})
     WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
     SELECT ${copied.join()} FROM orders CROSS JOIN n WHERE id = ?1`,
  )
    .bind(order_data.order_id, MAX_READ_ORDERS + 10)
    .run();
  const { html, meter } = await api.call("stock show", { product: product.product.id });
  expect(JSON.parse(html).text).toContain(`${MAX_READ_ORDERS.toLocaleString("en")} gifts`);
  expect(meter.rowsRead).toBeLessThan(MAX_READ_ORDERS + 300);
});
