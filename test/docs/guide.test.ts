// Statements of the guide about orders that other tests do not cover.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { transition } from "../support/transition.ts";
import { orderOf, simpleProduct, openShop } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";
import { demoClient, useDemoData } from "./demo.ts";

const worker = startWorker();
useDemoData();
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

describe("order_ref_id", () => {
  test("is compared exactly, including case, but without spaces around it", async () => {
    const { product, client } = await openShop();
    const references = ["INV-9", "inv-9", "INV-9 ", " INV-9", "INV 9"];
    const ids = new Map<string, number>();
    for (const order_ref_id of references) {
      const { json } = await worker.post(client, "/api/order", orderOf(product, { order_ref_id }));
      ids.set(order_ref_id, json.order_data.order_id as number);
    }
    expect(new Set(ids.values()).size).toBe(3);
    for (const [reference, id] of ids) {
      const query = new URLSearchParams({ order_ref_id: reference }).toString();
      const { json } = await worker.get(client, `/api/order?${query}`);
      expect(json.order_id).toBe(String(id));
    }
  });
});

describe("an order that is not paid", () => {
  test("reserves its stock until the order ends", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 1 }), {
      billing: "invoice",
    });
    const placed = await worker.post(client, "/api/order", orderOf(product));
    expect(placed.status).toBe(200);

    const later = startWorker({ now: () => Date.now() + 5 * YEAR_MS });
    const refused = await later.post(client, "/api/order", orderOf(product));
    expect(refused.json.code).toBe("out_of_stock");

    await transition(env.DB, placed.json.order_data.order_id as number, "fail", Date.now());
    expect((await later.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });
});

describe("the gifts of POST /api/order", () => {
  test("change only when the order ends, and only in their redemption_status", async () => {
    const { product, client } = await openShop(simpleProduct(), { billing: "invoice" });
    const placed = await worker.post(client, "/api/order", orderOf(product));
    const id = placed.json.order_data.order_id as number;
    const read = async () => {
      const { json } = await worker.get(client, `/api/order?order_id=${String(id)}`);
      return json as { order_status: string; recipients: Record<string, unknown>[] };
    };
    const created = await read();
    expect(created.recipients).toMatchObject([{ redemption_status: null }]);
    await transition(env.DB, id, "pay", Date.now());
    expect(await read()).toEqual({ ...created, order_status: "paid" });
    await transition(env.DB, id, "cancel", Date.now());
    expect(await read()).toEqual({
      ...created,
      order_status: "cancieled",
      recipients: [{ ...created.recipients[0], redemption_status: "cancelled" }],
    });
  });
});

const REFUSALS = openapi.info.description.matchAll(/^\| `("[^`]+)` +\| (\d+) `(\w+)`/gm);

test.each([...REFUSALS])(
  "the example of a gift-link order is refused as in: %s",
  async (...row) => {
    const [, changes = "", status, code] = row;
    const { content } = openapi.paths["/api/gift-link"].post.requestBody;
    const { value } = content["application/json"].examples.giftLinks;
    const body = { ...value, order_ref_id: changes, ...JSON.parse(`{${changes}}`) };
    const answer = await worker.post(demoClient(), "/api/gift-link", body);
    expect([String(answer.status), answer.json.code]).toEqual([status, code]);
  },
);
