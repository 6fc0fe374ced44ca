import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { orderOf, recipients } from "../support/fixtures.ts";
import {
  createSampleShop,
  orderNumberOf,
  placeGiftLink,
  SAMPLE_TOTALS,
} from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

describe("POST /api/gift-link", () => {
  test("returns the order, its totals and one link for each recipient", async () => {
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

  test("requires no address, since the recipient may enter it later", async () => {
    const { product, client } = await createSampleShop();
    await placeGiftLink(
      worker,
      client,
      orderOf(product, {
        recipient_details: [{ first_name: "A", last_name: "B", email: "a@example.com" }],
      }),
    );
  });
});
