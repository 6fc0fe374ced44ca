// POST /api/order and POST /api/gift-link: the response, and the request fields that they accept.
import { describe, expect, test } from "vitest";
import {
  balanceOf,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  variableProduct,
} from "../support/fixtures.ts";
import {
  createSampleShop,
  orderNumberOf,
  placeGiftLink,
  placeOrder,
  readOrder,
  SAMPLE_TOTALS,
  SAMPLE_TOTALS_AS_TEXT,
} from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";
import { env } from "cloudflare:workers";
import { dayIn, redeemByRange } from "../../src/core/values/redeem-by.ts";
import { refusalOf } from "../support/errors.ts";

const worker = startWorker();

test("POST /api/order charges the price of the variation", async () => {
  const { product, client } = await openShop(variableProduct());
  const large = product.product.variations[1]?.id;
  const placed = await placeOrder(worker, client, orderOf(product, { variation_id: large }));
  expect(placed.order_totals).toMatchObject({ product_price: 30, subtotal: 30 });
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

test("POST /api/gift-link returns the order, its totals and one link for each recipient", async () => {
  const { product, client } = await createSampleShop();
  const body = orderOf(product, { recipient_details: recipients(2) });
  const placed = await placeGiftLink(worker, client, body);
  const { order_id, order_number } = placed.order_data;
  expect(order_number).toBe(orderNumberOf(order_id));
  expect(placed.order_totals).toEqual(SAMPLE_TOTALS);
  expect(placed.recipient_return).toMatchObject([
    {
      suborder_number: `${order_number}-1`,
      first_name: "First0",
      last_name: "Last0",
      email: "recipient0@example.com",
    },
    {
      suborder_number: `${order_number}-2`,
      first_name: "First1",
      last_name: "Last1",
      email: "recipient1@example.com",
    },
  ]);
  const [first, second] = placed.recipient_return;
  expect(first?.suborder_id).not.toBe(second?.suborder_id);
  expect(first?.gift_url).toMatch(new RegExp(`^${env.PUBLIC_URL}/redeem/[\\w-]{22,}$`));
  expect(second?.gift_url).not.toBe(first?.gift_url);
});

describe("redeem_by", () => {
  const NOW_MS = Date.parse("2028-02-29T23:59:59.999Z");
  const today = startWorker({ now: () => NOW_MS });

  /** `redeem_by` in the list of orders and in the event of the placement. */
  async function shownFor(options: { redeemWithinDays?: number }, changes: object, path: string) {
    const { product, client } = await openShop(simpleProduct(), { ...options });
    const { status, text } = await today.post(client, path, orderOf(product, { ...changes }));
    expect(status, text).toBe(200);
    const list = await today.get(client, "/api/orders");
    const feed = await today.get(client, "/api/events");
    return [
      list.json.orders[0].redeem_by as unknown,
      feed.json.events[0].data.redeem_by as unknown,
    ] as const;
  }

  test.for([
    ["the request", {}, { redeem_by: "2028-06-30" }, "2028-06-30"],
    [
      "the request, not the client",
      { redeemWithinDays: 90 },
      { redeem_by: "2028-03-01" },
      "2028-03-01",
    ],
    ["the client", { redeemWithinDays: 90 }, {}, "2028-05-29"],
    ["the client, for null", { redeemWithinDays: 1 }, { redeem_by: null }, "2028-03-01"],
  ] as const)("is that of %s", async ([, options, changes, redeemBy]) => {
    expect(await shownFor(options, changes, "/api/gift-link")).toEqual([redeemBy, redeemBy]);
  });

  test("is null without both, and for an order without links", async () => {
    expect(await shownFor({}, {}, "/api/gift-link")).toEqual([null, undefined]);
    expect(await shownFor({ redeemWithinDays: 5 }, {}, "/api/order")).toEqual([null, undefined]);
  });

  test("is refused together with the other invalid fields", async () => {
    const { product, client } = await createSampleShop();
    const { last } = redeemByRange(Date.now());
    const body = orderOf(product, {
      redeem_by: dayIn(1, Date.parse(last)),
      recipient_details: recipients(1).map((person) => ({
        ...person,
        delivery_address: { country: "Germany" },
      })),
    });
    const { errors = [] } = await refusalOf(worker, client, "/api/gift-link", body);
    expect(errors.map(({ field }) => field)).toContain("redeem_by");
  });
});
