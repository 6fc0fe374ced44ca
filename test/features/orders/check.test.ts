// Refusals that depend on the catalogue, the stock, the credit and earlier orders.
import { beforeAll, describe, expect, test } from "vitest";
import { createShop, PLACEMENTS, refusalOf, type TestShop } from "../../support/errors.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const refused = (body: unknown, client = shop.client) => refusalOf(worker, client, path, body);

  test.for<[number, string, (shop: TestShop) => object]>([
    [
      ...([422, "product_not_found"] as const),
      ({ product }) => orderOf(product, { product_id: Number.MAX_SAFE_INTEGER }),
    ],
    [422, "variation_not_found", ({ variable }) => orderOf(variable, { variation_id: 7 })],
    [422, "variation_required", ({ variable }) => orderOf(variable, { variation_id: undefined })],
    [422, "variation_not_allowed", ({ product }) => orderOf(product, { variation_id: 1 })],
    [422, "currency_not_available", ({ product }) => orderOf(product, { currency: "USD" })],
    [422, "location_not_available", ({ product }) => orderOf(product, { base_location: "GB" })],
    [
      ...([409, "out_of_stock"] as const),
      ({ product }) => orderOf(product, { recipient_details: recipients(4) }),
    ],
  ])("refuses with a %d %s", async ([http, code, bodyOf]) => {
    expect(await refused(bodyOf(shop))).toMatchObject({ http, code });
  });

  test("refuses a product that is not sellable even if its quantity suffices", async () => {
    const withdrawn = simpleProduct({}, { quantity: 50, sellable: false });
    const client = await createClient({ products: [withdrawn] });
    const error = await refused(orderOf(withdrawn), client);
    expect(error).toMatchObject({ http: 409, code: "out_of_stock" });
    expect(error.message).toContain(": 0 left");
  });

  test("refuses an order that exceeds the credit, and states balance and total", async () => {
    const client = await createClient({ products: [shop.product], creditMinor: 3_119 });
    const error = await refused(orderOf(shop.product), client);
    expect(error).toMatchObject({ http: 402, code: "insufficient_credit" });
    expect(error.message.match(/[\d.]+ AUD/g)).toEqual(["31.19 AUD", "31.20 AUD"]);
  });

  test("refuses an order_ref_id that was used with a different body or on the other endpoint", async () => {
    const { product, client } = await createShop();
    const body = orderOf(product);
    expect((await worker.post(client, path, body)).status).toBe(200);
    const otherPath = PLACEMENTS.find((other) => other !== path) ?? "";
    for (const error of [
      await refused({ ...body, recipient_details: recipients(2) }, client),
      await refusalOf(worker, client, otherPath, body),
    ]) {
      expect(error).toMatchObject({ http: 409, code: "order_ref_conflict" });
    }
  });
});

test("POST /api/gift-link refuses company branding if the client has none", async () => {
  const { product, client } = await createShop();
  const body = orderOf(product, { order_branding: "company" });
  const error = await refusalOf(worker, client, "/api/gift-link", body);
  expect(error).toMatchObject({ http: 422, code: "branding_not_available" });
});
