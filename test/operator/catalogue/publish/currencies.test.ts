// Shop exports in currencies without two decimals: what is published has the prices of the file.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fromSource } from "../../../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import {
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
} from "../../../support/fixtures.ts";
import { placeOrder } from "../../../support/orders.ts";
import { readShopifyRows } from "../import/shop-files.ts";
import { ProductList } from "../../../support/shapes.ts";
import { startWorker } from "../../../support/worker.ts";

const worker = startWorker();

/** The price of the n-th product: a whole number of dong, from 1,000 to 112,601,000. */
const dongOf = (n: number) => 1_000 + n * 200_000;

test("564 products of a Shopify export in VND", async () => {
  const rows = Array.from({ length: 564 }, (_, n) => {
    const price = String(dongOf(n));
    // Shopify writes prices with or without decimals. Every third product has two variants.
    const first = { Handle: `p-${String(n)}`, Title: `Sản phẩm ${String(n)}` };
    const inFile = n % 2 === 0 ? price : `${price}.00`;
    if (n % 3 > 0) return [{ ...first, "Variant Price": inFile }];
    const size = { "Option1 Name": "Cỡ", "Variant Inventory Tracker": "" };
    return [
      { ...first, ...size, "Option1 Value": "Nhỏ", "Variant Price": inFile },
      { Handle: first.Handle, ...size, "Option1 Value": "Lớn", "Variant Price": `${price}.0000` },
    ];
  }).flat();
  const settings = { currency: "VND" as const, shippingMinor: 30_000, locations: ["VN"] };
  const { products, problems } = readShopifyRows(rows, {}, settings);
  expect([products.length, problems]).toEqual([564, []]);

  const client = await createClient({ currency: "VND", creditMinor: 900_000_000 });
  await publish(env.DB, client.catalogue, products.map(fromSource), Date.now());
  const list = await worker.get(client, "/api/products?limit=500");
  const rest = await worker.get(client, "/api/products?limit=500&page=2");
  const listed = [list, rest].flatMap(({ json }) => ProductList.parse(json).products);
  expect(listed).toHaveLength(564);
  for (const [n, product] of listed.entries()) {
    const price = String(dongOf(n));
    expect(product.shipping_cost).toBe(30_000);
    expect(
      product.product_type === "simple"
        ? [product.price]
        : product.variations.map((variation) => variation.price),
    ).toEqual(n % 3 > 0 ? [price] : [price, price]);
  }

  const [, simple] = listed;
  const body = { product_id: simple?.product_id, currency: "VND", base_location: "VN" };
  const { order_totals } = await placeOrder(worker, client, {
    ...orderOf(simpleProduct()),
    ...body,
    recipient_details: [{ ...recipients(1)[0], delivery_address: { ...ADDRESS, country: "VN" } }],
  });
  expect(order_totals).toEqual({
    currency: "VND",
    product_price: 201_000,
    qty: 1,
    subtotal: 201_000,
    shipping_cost: 30_000,
    order_fee: 9_240,
    order_total: 240_240,
  });
});
