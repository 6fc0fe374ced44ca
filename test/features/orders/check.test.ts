// Refusals that depend on the catalogue, the stock, the credit and earlier orders.
import { beforeAll, describe, expect, test } from "vitest";
import { createShop, errorOf, PLACEMENTS, refusalOf, type TestShop } from "../../support/errors.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const refused = (body: unknown, client = shop.client) => refusalOf(worker, client, path, body);

  test("refuses a product that is not in the client's catalogue", async () => {
    const elsewhere = simpleProduct();
    await createClient({ products: [elsewhere] });
    for (const body of [
      orderOf(elsewhere),
      orderOf(shop.product, { product_id: Number.MAX_SAFE_INTEGER }),
    ]) {
      const { http, code, message } = await refused(body);
      expect([http, code]).toEqual([422, "product_not_found"]);
      expect(message).toContain(`product_id ${String(body.product_id)}`);
    }
  });

  test("refuses a variation that the product does not have", async () => {
    const variationId = variableProduct().product.variations[0]?.id;
    const { http, code, message } = await refused(
      orderOf(shop.variable, { variation_id: variationId }),
    );
    expect([http, code]).toEqual([422, "variation_not_found"]);
    expect(message).toContain(`variation_id ${String(variationId)}`);
  });

  test("refuses a variable product without a variation_id", async () => {
    const { http, code, message } = await refused(
      orderOf(shop.variable, { variation_id: undefined }),
    );
    expect([http, code]).toEqual([422, "variation_required"]);
    expect(message).toContain("variation_id must be set");
  });

  test("refuses a simple product with a variation_id", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { variation_id: 1 }));
    expect([http, code]).toEqual([422, "variation_not_allowed"]);
    expect(message).toContain("variation_id must not be set");
  });

  test("refuses a currency in which the product is not sold, and names the product's currency", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { currency: "USD" }));
    expect([http, code]).toEqual([422, "currency_not_available"]);
    expect(message).toMatch(/currency USD .* AUD/);
  });

  test("refuses a base_location where the product is not available, and names the available ones", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { base_location: "GB" }));
    expect([http, code]).toEqual([422, "location_not_available"]);
    expect(message).toMatch(/base_location GB .* AU, NZ/);
  });

  test("refuses an order of more than the stock, and states the quantity that is left", async () => {
    const { http, code, message } = await refused(
      orderOf(shop.product, { recipient_details: recipients(4) }),
    );
    expect([http, code]).toEqual([409, "out_of_stock"]);
    expect(message).toMatch(/product_id \d+ .* 3 left, 4 ordered/);
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
    const first = await worker.post(client, path, body);
    expect(first.status).toBe(200);
    const { http, code, message } = await refused(
      { ...body, recipient_details: recipients(2) },
      client,
    );
    expect([http, code]).toEqual([409, "order_ref_conflict"]);
    expect(message).toContain(body.order_ref_id);

    const otherPath = PLACEMENTS.find((other) => other !== path) ?? "";
    const before = await databaseState();
    const other = errorOf(await worker.post(client, otherPath, body));
    expect([other.http, other.code]).toEqual([409, "order_ref_conflict"]);
    expect(await databaseState()).toEqual(before);
  });
});

describe("POST /api/gift-link", () => {
  test("refuses company branding if the client has none", async () => {
    const { product, client } = await createShop();
    const before = await databaseState();
    const body = orderOf(product, { order_branding: "company" });
    const { http, code, message } = errorOf(await worker.post(client, "/api/gift-link", body));
    expect([http, code]).toEqual([422, "branding_not_available"]);
    expect(message).toContain("order_branding company");
    expect(await databaseState()).toEqual(before);
  });
});
