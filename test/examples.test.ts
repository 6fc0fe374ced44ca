import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { sendGifts } from "../examples/gift-links.ts";
import { demoClient, useDemoData } from "./docs/demo.ts";

useDemoData();

// The type does not have the Worker's default export.
const { default: main } = exports as unknown as { default: Fetcher };
const ACCOUNT = {
  ...demoClient(),
  url: "https://regalo.example",
  fetch: ((input, init) => main.fetch(new Request(input, init))) as typeof fetch,
};

test("the example places one gift-link order and reads it, also if it runs twice", async () => {
  const settings = { ...ACCOUNT, orderRefId: "typed" };
  const { product, placed, order } = await sendGifts(settings);
  expect(product).toMatchObject({ product_type: "simple", track_inventory: "N" });
  expect(order).toMatchObject({
    order_id: String(placed.order_data.order_id),
    gift_order_method: "api-giftlink",
    order_status: "paid",
  });
  expect(order.recipients[0]?.recipient_details.gift_url).toBe(
    placed.recipient_return[0]?.gift_url,
  );
  expect(await sendGifts(settings)).toEqual({ product, placed, order });
});

test("the example fails with the code of a refusal", async () => {
  const refused = sendGifts({ ...ACCOUNT, apiKey: "wrong", orderRefId: "refused" });
  await expect(refused).rejects.toMatchObject({ code: "unauthorized" });
});
