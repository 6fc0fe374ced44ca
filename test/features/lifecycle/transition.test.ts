import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { transition } from "../../support/transition.ts";
import {
  balanceOf,
  brokenAccounts,
  type TestClient,
  type ClientOptions,
  createClient,
  orderOf,
  OTHER_ACCOUNTS,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
  withStock,
} from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** An order for three pieces of a new product. Its total is 93.60: 3 × (25.00 + 5.00) plus a fee of 4 %. */
async function placeThree(
  options: ClientOptions = {},
  path = "/api/order",
  changes: Record<string, unknown> = {},
) {
  const item = options.products?.[0] ?? simpleProduct();
  const client = await createClient({ ...options, products: [item] });
  const body = orderOf(item, { recipient_details: recipients(3), ...changes });
  const placed = await worker.post(client, path, body);
  expect(placed.status).toBe(200);
  const { order_data, recipient_return = [] } = placed.json as {
    order_data: { order_id: number };
    recipient_return?: { gift_url: string }[];
  };
  const paths = recipient_return.map(({ gift_url }) => new URL(gift_url).pathname);
  return { client, product: item.product, orderId: order_data.order_id, paths };
}

async function shown(client: TestClient, orderId: number) {
  const answer = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  const order = answer.json as {
    order_status: string;
    recipients: { redemption_status: string | null }[];
  };
  return {
    status: order.order_status,
    redemption: order.recipients.map(({ redemption_status }) => redemption_status),
  };
}

async function redeem(path: string | undefined, fields: Record<string, string> = {}) {
  expect((await accept(worker, path ?? "", fields)).status).toBe(303);
}

describe("a cancellation", () => {
  test("returns stock and credit once, also if two operators cancel at once", async () => {
    const { client, product, orderId } = await placeThree();
    expect(await stockOf(product.id)).toBe(97);
    const before = await balanceOf(client.clientId);

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => transition(env.DB, orderId, "cancel", 5)),
    );
    expect(outcomes.filter((outcome) => outcome?.changed)).toHaveLength(1);
    expect(outcomes.map((outcome) => outcome?.status)).toEqual(Array(8).fill("cancieled"));
    expect(await stockOf(product.id)).toBe(100);
    expect(await balanceOf(client.clientId)).toBe(before + 9360);
    expect(await brokenAccounts()).toEqual([]);
    expect(await shown(client, orderId)).toEqual({
      status: "cancieled",
      redemption: ["cancelled", "cancelled", "cancelled"],
    });
  });

  test("is booked as a cancellation of the order", async () => {
    const { client, orderId } = await placeThree();
    await transition(env.DB, orderId, "cancel", 77);
    const { results } = await env.DB.prepare(
      `SELECT kind, amount_minor, order_id, created_at_ms FROM credit_entries
       WHERE client_id = ? AND order_id IS NOT NULL ORDER BY sequence`,
    )
      .bind(client.clientId)
      .all();
    expect(results).toEqual([
      expect.objectContaining({ kind: "order", amount_minor: -9360, order_id: orderId }),
      { kind: "cancellation", amount_minor: 9360, order_id: orderId, created_at_ms: 77 },
    ]);
  });

  test("refunds no credit for an order that was paid by invoice", async () => {
    const { client, product, orderId } = await placeThree({ billing: "invoice" });
    const before = await balanceOf(client.clientId);
    expect(await transition(env.DB, orderId, "pay", 1)).toMatchObject({ changed: true });
    expect(await transition(env.DB, orderId, "cancel", 2)).toMatchObject({
      changed: true,
      status: "cancieled",
      returnedMinor: 0,
    });
    expect(await balanceOf(client.clientId)).toBe(before);
    expect(await stockOf(product.id)).toBe(100);
  });

  test("keeps the stock, price and fee of redeemed gifts", async () => {
    const { client, product, orderId, paths } = await placeThree(
      { feeBasisPoints: 333 },
      "/api/gift-link",
    );
    const before = await balanceOf(client.clientId);
    await redeem(paths[1]);
    // The total is 93.00: 90.00 plus 3.33 %, which is 2.997 and rounded to 3.00. Two thirds of it are 62.00.
    expect(await transition(env.DB, orderId, "cancel", 1)).toMatchObject({ returnedMinor: 6200 });
    expect(await balanceOf(client.clientId)).toBe(before + 6200);
    expect(await stockOf(product.id)).toBe(99);
    expect(await shown(client, orderId)).toEqual({
      status: "cancieled",
      redemption: ["cancelled", "redeemed", "cancelled"],
    });
    expect(await brokenAccounts()).toEqual([]);
  });

  test.each([
    [1, 69],
    [2, 34],
  ])(
    "with %d of 3 gifts redeemed refunds the share of 1.04 of the others, rounded down to %d cents",
    async (redeemed, returnedMinor) => {
      // Three times 0.33 plus 5.05 %.
      const { client, orderId, paths } = await placeThree(
        {
          products: [simpleProduct({ priceMinor: 33, shippingMinor: 0 })],
          feeBasisPoints: 505,
        },
        "/api/gift-link",
      );
      const before = await balanceOf(client.clientId);
      for (const path of paths.slice(0, redeemed)) await redeem(path);
      expect(await transition(env.DB, orderId, "cancel", 1)).toEqual({
        changed: true,
        status: "cancieled",
        redeemed,
        qty: 3,
        currency: "AUD",
        returnedMinor,
      });
      expect(await balanceOf(client.clientId)).toBe(before + returnedMinor);
      expect(await brokenAccounts()).toEqual([]);
    },
  );

  test("does not change the client's other orders", async () => {
    const { client, product, orderId } = await placeThree({}, "/api/gift-link");
    const body = orderOf({ product }, { recipient_details: recipients(2) });
    const other = await worker.post(client, "/api/gift-link", body);
    const otherId = (other.json as { order_data: { order_id: number } }).order_data.order_id;
    await transition(env.DB, orderId, "cancel", 1);
    expect(await shown(client, otherId)).toEqual({ status: "paid", redemption: [null, null] });
    expect(await stockOf(product.id)).toBe(98);
    // The refund of the first order does not count for the second one.
    expect(await transition(env.DB, otherId, "pay", 2)).toEqual({
      changed: false,
      status: "paid",
      redeemed: 0,
      qty: 2,
      currency: "AUD",
      returnedMinor: 0,
    });
    expect(await brokenAccounts()).toEqual([]);
  });

  test("refunds the account that paid, and no other", async () => {
    const { client, orderId } = await placeThree();
    await transition(env.DB, orderId, "cancel", 1);
    for (const [currency, minor] of Object.entries(OTHER_ACCOUNTS)) {
      expect(await balanceOf(client.clientId, currency)).toBe(minor);
    }
  });

  test("returns stock to the ordered variation, and to no other", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map(({ id }) => id) as [number, number];
    const { orderId } = await placeThree({ products: [item] });
    expect(await stockOf(item.product.id, small)).toBe(97);
    await transition(env.DB, orderId, "cancel", 1);
    expect(await stockOf(item.product.id, small)).toBe(100);
    expect(await stockOf(item.product.id, large)).toBe(100);
  });

  test("changes nothing if all gifts are redeemed", async () => {
    const { client, product, orderId, paths } = await placeThree({}, "/api/gift-link");
    for (const path of paths) await redeem(path);
    expect(await transition(env.DB, orderId, "cancel", 1)).toMatchObject({
      changed: false,
      status: "paid",
      redeemed: 3,
      returnedMinor: 0,
    });
    expect(await stockOf(product.id)).toBe(97);
    expect((await shown(client, orderId)).status).toBe("paid");
  });

  test("returns the stock of unredeemed gifts, and not that of a swapped one", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map((variation) => variation.id);
    const { orderId, paths } = await placeThree({ products: [item] }, "/api/gift-link", {
      gift_of_choice: "Y",
      variation_id: large,
    });
    await redeem(paths[0], { variation_id: String(small) });
    const stock = async () => [
      await stockOf(item.product.id, small),
      await stockOf(item.product.id, large),
    ];
    expect(await stock()).toEqual([99, 98]);
    await transition(env.DB, orderId, "cancel", 1);
    expect(await stock()).toEqual([99, 100]);
  });

  test("does not change untracked stock", async () => {
    const { product, orderId } = await placeThree({
      products: [simpleProduct({}, { quantity: null })],
    });
    expect(await transition(env.DB, orderId, "cancel", 1)).toMatchObject({ changed: true });
    expect(await stockOf(product.id)).toBeNull();
  });

  test("returns no stock to a product that was untracked at the time of the order", async () => {
    const untracked = simpleProduct({}, { quantity: null });
    const { client, product, orderId } = await placeThree({ products: [untracked] });
    await publish(env.DB, client.catalogue, [withStock(untracked, 3)], Date.now());
    expect(await stockOf(product.id)).toBe(3);
    await transition(env.DB, orderId, "cancel", 5);
    expect(await stockOf(product.id)).toBe(3);
  });

  test("returns nothing for an imported order, which took no stock or credit", async () => {
    const { client, product, orderId } = await placeThree();
    const storeOrderId = await env.DB.prepare(
      `INSERT INTO orders (client_id, gift_order_method, status, gift_of_choice,
         branding_selected, email_template, product_id, product_revision, base_location, currency,
         product_price_minor, qty, subtotal_minor, shipping_cost_minor, order_fee_minor,
         order_total_minor, created_at_ms)
       SELECT client_id, 'email', 'paid', gift_of_choice, branding_selected,
         email_template, product_id, product_revision, base_location, currency,
         product_price_minor, qty, subtotal_minor, shipping_cost_minor, order_fee_minor,
         order_total_minor, created_at_ms
       FROM orders WHERE id = ? RETURNING id`,
    )
      .bind(orderId)
      .first<number>("id");
    if (storeOrderId === null) throw new Error("the order was not inserted");
    await env.DB.prepare(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id)
       VALUES (?, 1, 'A', 'B', 'a@example.com', ?)`,
    )
      .bind(storeOrderId, product.id)
      .run();
    const before = await balanceOf(client.clientId);
    expect(await transition(env.DB, storeOrderId, "cancel", 1)).toMatchObject({
      changed: true,
    });
    expect(await stockOf(product.id)).toBe(97);
    expect(await balanceOf(client.clientId)).toBe(before);
  });
});

describe("the states of an order", () => {
  test("lead from created to paid, failed or cancelled, of which failed and cancelled are final", async () => {
    const steps = ["pay", "fail", "cancel"] as const;
    for (const first of steps) {
      const { orderId } = await placeThree({ billing: "invoice" });
      expect(await transition(env.DB, orderId, first, 1)).toMatchObject({ changed: true });
      for (const second of steps) {
        const allowed = first === "pay" && second === "cancel";
        expect(await transition(env.DB, orderId, second, 1)).toMatchObject({ changed: allowed });
      }
    }
  });

  test("include failed, which returns the stock and closes the gifts", async () => {
    const { client, product, orderId } = await placeThree({ billing: "invoice" });
    await Promise.all(Array.from({ length: 4 }, () => transition(env.DB, orderId, "fail", 1)));
    expect(await stockOf(product.id)).toBe(100);
    expect(await shown(client, orderId)).toEqual({
      status: "failed",
      redemption: ["cancelled", "cancelled", "cancelled"],
    });
  });

  test("do not exist for an unknown order", async () => {
    expect(await transition(env.DB, Number.MAX_SAFE_INTEGER, "cancel", 1)).toBeNull();
  });
});
