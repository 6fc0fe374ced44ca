// POST /api/order: the response, and the request fields that it accepts.
import { expect, test } from "vitest";
import { balanceOf, openShop, orderOf, recipients, variableProduct } from "../support/fixtures.ts";
import {
  createSampleShop,
  placeOrder,
  readOrder,
  SAMPLE_TOTALS,
  SAMPLE_TOTALS_AS_TEXT,
} from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

test("POST /api/order charges the price of the variation", async () => {
  const { product, client } = await openShop(variableProduct());
  const large = product.product.variations[1]?.id;
  const placed = await placeOrder(worker, client, orderOf(product, { variation_id: large }));
  expect(placed.order_totals).toMatchObject({ product_price: 30, subtotal: 30 });
});

test("POST /api/order accepts all kinds of valid e-mail addresses", async () => {
  const { product, client } = await createSampleShop();
  const emails = [
    "m&m+gift@mail.example.co",
    "o'neil#7{x}@xn--bcher-kva.example",
    "a.b_c-d@1a.xn--p1ai",
    `${"x".repeat(64)}@example.museum`,
  ];
  const people = recipients(4).map((each, index) => ({ ...each, email: emails[index] }));
  await placeOrder(worker, client, orderOf(product, { recipient_details: people }));
});

test("POST /api/order ignores unknown fields, such as forged totals", async () => {
  const { product, client } = await createSampleShop();
  const forged = {
    order_id: 1,
    order_status: "created",
    order_totals: { order_total: 0, order_fee: 0 },
    order_total: 0,
    product_price: 0,
    shipping_cost: 0,
    redemption_status: "redeemed",
    more: { a: [] },
  };
  const recipient_details = recipients(2).map((recipient) => ({
    ...recipient,
    redemption_status: "redeemed",
  }));
  const placed = await placeOrder(
    worker,
    client,
    orderOf(product, { ...forged, recipient_details }),
  );
  expect(placed.order_totals).toEqual(SAMPLE_TOTALS);
  const orderId = String(placed.order_data.order_id);
  const order = await readOrder(worker, client, "api-purchase", `order_id=${orderId}`);
  expect(order).toMatchObject({
    order_status: "paid",
    gift_of_choice: "N",
    branding_selected: "platform",
    order_totals: SAMPLE_TOTALS_AS_TEXT,
    recipients: [1, 2].map((n) => ({
      suborder_number: `${order.order_number}-${String(n)}`,
      redemption_status: null,
      recipient_details: { email_message: "" },
    })),
  });
  expect(await balanceOf(client.clientId)).toBe(100_000_000 - 25_168);
});
