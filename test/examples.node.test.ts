import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { components } from "../packages/client/src/openapi.ts";
import { sendGifts } from "../examples/gift-links.ts";
import { PROJECT_ROOT } from "../src/cli/paths.ts";
import { serve, type Served } from "./servers/harness.ts";

const DEMO = { clientId: "demo", apiKey: "demo-key", apiPassword: "demo-password" };

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served.close());

/** Orders the whole stock of the first product in the list as another client. */
async function sellOutFirstProduct(): Promise<void> {
  const headers = {
    "CLIENT-ID": "demo-two",
    "API-KEY": "demo-two-key",
    "API-PASSWORD": "demo-two-password",
    "Content-Type": "application/json",
  };
  const list = await fetch(`${served.url}/api/products?limit=1`, { headers });
  const { products } = await list.json<components["schemas"]["ProductList"]>();
  const [product] = products;
  const recipient = { first_name: "Ada", last_name: "Park", email: "ada@example.com" };
  for (let left = Number(product?.stock_qty); left > 0; left -= 500) {
    const order = {
      order_ref_id: `all-${String(left)}`,
      product_id: product?.product_id,
      currency: "AUD",
      base_location: "AU",
      recipient_details: Array.from({ length: Math.min(left, 500) }, () => recipient),
    };
    const { status } = await fetch(`${served.url}/api/gift-link`, {
      method: "POST",
      headers,
      body: JSON.stringify(order),
    });
    expect(status).toBe(200);
  }
  const again = await fetch(`${served.url}/api/product?product_id=${String(product?.product_id)}`, {
    headers,
  });
  expect(await again.json()).toMatchObject({ stock_status: "out_of_stock" });
}

describe("the typed client", () => {
  test("places one gift-link order and reads it, also if it runs twice", async () => {
    const settings = { ...DEMO, url: served.url, orderRefId: "typed" };
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

  test("places the same order if the stock has changed", async () => {
    const settings = { ...DEMO, url: served.url, orderRefId: "restocked" };
    const { placed } = await sendGifts(settings);
    await sellOutFirstProduct();
    expect((await sendGifts(settings)).placed).toEqual(placed);
  });

  test("retries a placement whose response was lost, without placing it twice", async () => {
    const sent: string[] = [];
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      sent.push(new URL(response.url).pathname);
      // The response to the first placement is lost.
      if (sent.length === 2) throw new TypeError("the connection was lost");
      return response;
    };
    const { placed } = await sendGifts({
      ...DEMO,
      url: served.url,
      orderRefId: "lost",
      fetch: losing,
    });
    expect(sent).toEqual(["/api/product", "/api/gift-link", "/api/gift-link", "/api/order"]);
    expect(placed.recipient_return).toHaveLength(1);
  });

  test("fails with the code of a refusal", async () => {
    const refused = sendGifts({ ...DEMO, apiKey: "wrong", url: served.url, orderRefId: "refused" });
    await expect(refused).rejects.toMatchObject({ code: "unauthorized" });
  });
});

test("the request with curl of the guide places the first order", async () => {
  const { stdout } = await promisify(execFile)("sh", ["-c", ". src/docs/first-order.sh"], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      REGALO_URL: served.url,
      CLIENT_ID: DEMO.clientId,
      API_KEY: DEMO.apiKey,
      API_PASSWORD: DEMO.apiPassword,
    },
  });
  const placed = JSON.parse(stdout) as components["schemas"]["PlacedGiftLinks"];
  expect(placed.recipient_return).toMatchObject([{ first_name: "Marisol" }]);
});
