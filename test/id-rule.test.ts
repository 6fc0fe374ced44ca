// One rule for ids at every entrance: an integer from 1 to MAX_ID.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { readForm, readId } from "../src/gifts/form.ts";
import { MAX_ID, MAX_ORDER_ID, parseId, splitSuborderId, suborderId } from "../src/ids.ts";
import { MAX_RECIPIENTS } from "../src/orders/wire.ts";
import { id, queryId } from "../src/validate.ts";
import { accept, mintGift, readRecipient } from "./support/gift.ts";
import { orderOf, simpleProduct, variableProduct } from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

const TOO_LARGE = "9007199254740992";

describe("an id", () => {
  test.each(["1", "42", "999999999999999", "1000000000000000", String(MAX_ID)])(
    "is %s in a body, a query, a form and a command",
    (text) => {
      const value = Number(text);
      expect(id().parse(value)).toBe(value);
      expect(queryId().parse(text)).toBe(value);
      expect(parseId(text)).toBe(value);
      expect(readId(text)).toBe(value);
      expect(readForm(`product_id=${text}`).productId).toBe(value);
    },
  );

  test.each(["0", "-1", "1.5", "1e3", "0x10", "", " 1", TOO_LARGE, "1".repeat(17)])(
    "is not %j",
    (text) => {
      expect(queryId().safeParse(text).success).toBe(false);
      expect(parseId(text)).toBeUndefined();
      expect(readId(text)).toBeNull();
    },
  );

  test("above the largest is refused in a body", () => {
    expect(id().safeParse(Number(TOO_LARGE)).success).toBe(false);
  });
});

describe("the largest ids", () => {
  test("can be listed, ordered, chosen and redeemed", async () => {
    const simple = simpleProduct({ id: 1_000_000_000_000_000, name: "Large" });
    const variable = variableProduct({ id: 1_000_000_000_000_001 });
    const [small, large] = variable.product.variations;
    if (!small || !large) throw new Error("a variable product has variations");
    large.id = 1_000_000_000_000_002;
    variable.stock.forEach((level, index) => {
      level.variationId = index === 0 ? small.id : large.id;
    });
    const worker = startWorker();
    const offered = simpleProduct({ priceMinor: 5_000 });
    const gift = await mintGift(worker, [offered, simple, variable], { gift_of_choice: "Y" });

    const found = await worker.get(
      gift.client,
      `/api/product?product_id=${String(simple.product.id)}`,
    );
    expect(found.json).toMatchObject({ product_name: "Large" });
    const placed = await worker.post(
      gift.client,
      "/api/order",
      orderOf(variable, { variation_id: large.id }),
    );
    expect(placed.status).toBe(200);
    const accepted = await accept(worker, gift.path, {
      product_id: String(variable.product.id),
      variation_id: String(large.id),
    });
    expect(accepted.status).toBe(303);
    expect(await readRecipient(worker, gift)).toMatchObject({
      product_selected: {
        product_id: String(variable.product.id),
        variation_id: String(large.id),
      },
    });
  });

  test("of sub-orders are those of the largest order, which the database holds orders to", async () => {
    const last = suborderId(MAX_ORDER_ID, 999);
    expect(last).toBeLessThanOrEqual(MAX_ID);
    expect(suborderId(MAX_ORDER_ID + 1, 999)).toBeGreaterThan(MAX_ID);
    expect(splitSuborderId(last)).toEqual({ orderId: MAX_ORDER_ID, sequence: 999 });
    expect(MAX_RECIPIENTS).toBeLessThanOrEqual(999);

    const gift = await mintGift(startWorker(), [simpleProduct()]);
    const renumbered = (orderId: number) =>
      env.DB.prepare(
        `INSERT INTO orders (id, client_id, gift_order_method, status, gift_of_choice,
           branding_selected, email_template, product_id, product_revision, base_location, currency,
           product_price_minor, qty, subtotal_minor, shipping_cost_minor, order_fee_minor,
           order_total_minor, created_at_ms)
         SELECT ?1, client_id, 'direct', status, gift_of_choice, branding_selected, email_template,
           product_id, product_revision, base_location, currency, product_price_minor, qty,
           subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms
         FROM orders WHERE id = ?2`,
      ).bind(orderId, gift.orderId);
    await expect(renumbered(MAX_ORDER_ID + 1).run()).rejects.toThrow("order_id_in_range");
    // A batch of its own that is rolled back, since the next order would follow this one.
    const tooMany = env.DB.prepare(
      "UPDATE catalogues SET version = staged_version + 1 WHERE id = ?",
    );
    await expect(
      env.DB.batch([renumbered(MAX_ORDER_ID), tooMany.bind(gift.client.catalogueId)]),
    ).rejects.toThrow("catalogue_version_was_staged");
  });
});
