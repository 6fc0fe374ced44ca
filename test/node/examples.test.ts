import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { components } from "../../examples/regalo.d.ts";
import { sendGifts } from "../../examples/gift-links.ts";
import { PROJECT_ROOT } from "../../src/cli/platform.ts";
import { serve, type Served } from "../support/served.ts";

const DEMO = { clientId: "demo", apiKey: "demo-key", apiPassword: "demo-password" };

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served.close());

describe("the typed client", () => {
  test("places a gift-link order and reads it back, once however often it runs", async () => {
    const settings = { ...DEMO, url: served.url, orderRefId: "typed" };
    const { placed, order } = await sendGifts(settings);
    expect(order).toMatchObject({
      order_id: String(placed.order_data.order_id),
      gift_order_method: "api-giftlink",
      order_status: "paid",
    });
    expect(order.recipients[0]?.recipient_details.gift_url).toBe(
      placed.recipient_return[0]?.gift_url,
    );
    expect(await sendGifts(settings)).toEqual({ placed, order });
  });

  test("repeats a placement whose answer was lost, without placing it twice", async () => {
    const sent: string[] = [];
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      sent.push(new URL(response.url).pathname);
      // The first answer to the placement never arrives.
      if (sent.length === 2) throw new TypeError("the connection was lost");
      return response;
    };
    const { placed } = await sendGifts({
      ...DEMO,
      url: served.url,
      orderRefId: "lost",
      fetch: losing,
    });
    expect(sent).toEqual(["/api/products", "/api/gift-link", "/api/gift-link", "/api/order"]);
    expect(placed.recipient_return).toHaveLength(1);
  });

  test("gives up with the code of a refusal", async () => {
    const refused = sendGifts({ ...DEMO, apiKey: "wrong", url: served.url, orderRefId: "refused" });
    await expect(refused).rejects.toThrow("unauthorized");
  });
});

describe("the first order with curl", () => {
  test("is placed as the guide shows it", async () => {
    const { stdout } = await promisify(execFile)("sh", ["src/docs/first-order.sh"], {
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
});
