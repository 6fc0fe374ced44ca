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

/** The price of the n-th product: a whole number of dong, from 1,000 to 11,801,000. */
const dongOf = (n: number) => 1_000 + n * 200_000;

/** An export of 60 products with these prices. Every third one has two variants. */
function exportOf(shop: Parameters<typeof readShopifyRows>[2]) {
  const rows = Array.from({ length: 60 }, (_, n) => {
    const price = String(dongOf(n));
    // Shopify writes prices with or without decimals.
    const first = { Handle: `p-${String(n)}`, Title: `Sản phẩm ${String(n)}` };
    const inFile = n % 2 === 0 ? price : `${price}.00`;
    if (n % 3 > 0) return [{ ...first, "Variant Price": inFile }];
    const size = { "Option1 Name": "Cỡ", "Variant Inventory Tracker": "" };
    return [
      { ...first, ...size, "Option1 Value": "Nhỏ", "Variant Price": inFile },
      { Handle: first.Handle, ...size, "Option1 Value": "Lớn", "Variant Price": `${price}.0000` },
    ];
  }).flat();
  return readShopifyRows(rows, {}, shop);
}

test("a Shopify export in VND is listed and sold at its prices", async () => {
  const settings = { currency: "VND" as const, shippingMinor: 30_000, locations: ["VN"] };
  const { products, problems } = exportOf(settings);
  expect([products.length, problems]).toEqual([60, []]);
  const client = await createClient({ currency: "VND", creditMinor: 900_000_000 });
  await publish(env.DB, client.catalogue, products.map(fromSource), Date.now());

  const { json } = await worker.get(client, "/api/products?limit=500");
  const listed = ProductList.parse(json).products;
  const pricesOf = (product: (typeof listed)[number]) =>
    product.product_type === "simple"
      ? [product.price]
      : product.variations.map(({ price }) => price);
  expect(listed.map(({ shipping_cost }) => shipping_cost)).toEqual(Array(60).fill(30_000));
  expect(listed.map(pricesOf)).toEqual(
    listed.map((_, n) => Array<string>(n % 3 > 0 ? 1 : 2).fill(String(dongOf(n)))),
  );
  const recipient = {
    ...recipients(1)[0],
    delivery_address: { ...ADDRESS, postcode_zipcode: "70010", country: "VN" },
  };
  const { order_totals } = await placeOrder(worker, client, {
    ...orderOf(simpleProduct()),
    product_id: listed[1]?.product_id,
    currency: "VND",
    base_location: "VN",
    recipient_details: [recipient],
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
