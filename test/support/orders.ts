// Orders that are placed and read through the API, with responses checked against the strict schemas.
import { expect } from "vitest";
import { openShop, simpleProduct, type TestClient } from "./fixtures.ts";
import { GiftLinkPlacement, ORDERS, Placement } from "./shapes.ts";
import type { TestWorker } from "./worker.ts";

/** A product for 110.00 plus 11.00 shipping, and a client whose fee is 4 %. */
export function createSampleShop() {
  return openShop(simpleProduct({ priceMinor: 11_000, shippingMinor: 1_100 }));
}

/** The totals of two pieces of the sample shop's product. */
export const SAMPLE_TOTALS = {
  currency: "AUD",
  product_price: 110,
  qty: 2,
  subtotal: 220,
  shipping_cost: 22,
  order_fee: 9.68,
  order_total: 251.68,
};

export const SAMPLE_TOTALS_AS_TEXT = {
  currency: "AUD",
  product_price: "110.00",
  qty: "2",
  subtotal: "220.00",
  shipping_cost: "22.00",
  order_fee: "9.68",
  order_total: "251.68",
};

export const orderNumberOf = (orderId: number) => `GO-${String(orderId).padStart(5, "0")}`;

export async function placeOrder(worker: TestWorker, client: TestClient, body: object) {
  const answer = await worker.post(client, "/api/order", body);
  expect(answer.status, answer.text).toBe(200);
  return Placement.parse(answer.json);
}

export async function placeGiftLink(worker: TestWorker, client: TestClient, body: object) {
  const answer = await worker.post(client, "/api/gift-link", body);
  expect(answer.status, answer.text).toBe(200);
  return GiftLinkPlacement.parse(answer.json);
}

export async function readOrder(
  worker: TestWorker,
  client: TestClient,
  method: keyof typeof ORDERS,
  query: string,
) {
  const answer = await worker.get(client, `/api/order?${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return ORDERS[method].parse(answer.json);
}
