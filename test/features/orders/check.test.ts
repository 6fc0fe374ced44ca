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

  test.for<[number, string, RegExp, (shop: TestShop) => object]>([
    [
      ...([422, "product_not_found", /product_id 9007199254740991/] as const),
      ({ product }) => orderOf(product, { product_id: Number.MAX_SAFE_INTEGER }),
    ],
    [
      ...([422, "variation_not_found", /variation_id 7\b/] as const),
      ({ variable }) => orderOf(variable, { variation_id: 7 }),
    ],
    [
      ...([422, "variation_required", /variation_id must be set/] as const),
      ({ variable }) => orderOf(variable, { variation_id: undefined }),
    ],
    [
      ...([422, "variation_not_allowed", /variation_id must not be set/] as const),
      ({ product }) => orderOf(product, { variation_id: 1 }),
    ],
    [
      ...([422, "currency_not_available", /currency USD .* AUD/] as const),
      ({ product }) => orderOf(product, { currency: "USD" }),
    ],
    [
      ...([422, "location_not_available", /base_location GB .* AU, NZ/] as const),
      ({ product }) => orderOf(product, { base_location: "GB" }),
    ],
    [
      ...([409, "out_of_stock", /product_id \d+ .* 3 left, 4 ordered/] as const),
      ({ product }) => orderOf(product, { recipient_details: recipients(4) }),
    ],
  ])("refuses with a %d %s", async ([status, expected, message, bodyOf]) => {
    const error = await refused(bodyOf(shop));
    expect([error.http, error.code]).toEqual([status, expected]);
    expect(error.message).toMatch(message);
  });

  test("refuses a product that is not sellable even if its quantity suffices", async () => {
    const withdrawn = simpleProduct({}, { quantity: 50, sellable: false });
    const client = await createClient({ products: [withdrawn] });
    const { http, code, message } = await refused(orderOf(withdrawn), client);
    expect([http, code]).toEqual([409, "out_of_stock"]);
    expect(message).toContain("0 left");
  });

  test("refuses an order that exceeds the credit, and states balance and total", async () => {
    const client = await createClient({ products: [shop.product], creditMinor: 3_119 });
    const { http, code, message } = await refused(orderOf(shop.product), client);
    expect([http, code]).toEqual([402, "insufficient_credit"]);
    expect(message).toMatch(/balance is 31\.19 AUD, .* total is 31\.20 AUD/);
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
      expect([error.http, error.code]).toEqual([409, "order_ref_conflict"]);
      expect(error.message).toContain(body.order_ref_id);
    }
  });
});

describe("POST /api/gift-link", () => {
  test("refuses company branding if the client has none", async () => {
    const { product, client } = await createShop();
    const body = orderOf(product, { order_branding: "company" });
    const { http, code, message } = await refusalOf(worker, client, "/api/gift-link", body);
    expect([http, code]).toEqual([422, "branding_not_available"]);
    expect(message).toContain("order_branding company");
  });
});
