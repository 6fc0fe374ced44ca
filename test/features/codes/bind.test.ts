import { expect, test } from "vitest";
import {
  addCodesTo,
  codeProduct,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

test("gifts that are bought outright get the codes that expire first, with the order", async () => {
  const { product, client } = await openShop(codeProduct());
  await addCodesTo(product, 3);
  const body = orderOf(product, { recipient_details: recipients(2) });
  const placed = await worker.post(client, "/api/order", body);
  const again = await worker.post(client, "/api/order", body);
  expect(again.text).toBe(placed.text);
  expect(again.meter.rowsWritten).toBe(0);
  expect(await stockOf(product.product.id)).toBe(1);
  const { results } = await sql(
    "SELECT sequence FROM codes WHERE product_id = ? ORDER BY id",
    product.product.id,
  ).all();
  expect(results).toEqual([{ sequence: 1 }, { sequence: 2 }, { sequence: null }]);
});

test("the rows of an order of codes are linear in its recipients", async () => {
  const { product, client } = await openShop(codeProduct());
  await addCodesTo(product, 1_000);
  const body = orderOf(product, { recipient_details: recipients(500) });
  const { meter } = await worker.post(client, "/api/order", body);
  expect(meter.rowsRead).toBeLessThan(50 * 500);
  expect(meter.rowsWritten).toBeLessThan(17 * 500);
});

test("orders and acceptances of codes take as many round trips as those of parcels", async () => {
  const products = [simpleProduct(), codeProduct()];
  const client = await createClient({ products });
  // The first request authenticates.
  await worker.get(client, "/api/credit-balance");
  const trips = [];
  for (const product of products) {
    if (product.product.digital) await addCodesTo(product, 3);
    const first = await worker.post(client, "/api/gift-link", orderOf(product));
    const { pathname } = new URL(first.json.recipient_return[0].gift_url as string);
    const accepted = await accept(worker, pathname);
    const hot = await worker.post(client, "/api/order", orderOf(product));
    expect(hot.meter.roundTrips).toBe(1);
    trips.push([first, accepted].map(({ meter }) => meter.roundTrips));
  }
  expect(trips[1]).toEqual(trips[0]);
});
