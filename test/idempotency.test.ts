// An order is placed once for each client and order_ref_id, for ever (decision 7).
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../src/catalogue/publish.ts";
import {
  type MintedClient,
  type MintOptions,
  balanceOf,
  mintClient,
  orderOf,
  ordersOf,
  recipients,
  simpleProduct,
  stockOf,
} from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

type Minted = ReturnType<typeof simpleProduct>;

async function shopWith(product: Minted, options: MintOptions = {}) {
  return { worker: startWorker(), client: await mintClient({ products: [product], ...options }) };
}

const republish = (client: MintedClient, ...products: Minted[]) =>
  publish(env.DB, client.catalogue, products, Date.now());

describe.each(["/api/order", "/api/gift-link"])("POST %s", (path) => {
  test("places one order for 20 identical requests at once, with 20 identical answers", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product);
    const body = orderOf(product, { recipient_details: recipients(3) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => worker.post(client, path, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    expect(await ordersOf(client.clientId)).toBe(1);
    expect(await stockOf(product.product.id)).toBe(97);
  });

  test("replays after the stock ran out, the price changed and the product was unpublished", async () => {
    const product = simpleProduct({}, { quantity: 1 });
    const { worker, client } = await shopWith(product);
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    expect(first.status).toBe(200);
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);

    const expectReplay = async () => {
      for (const isolate of [worker, startWorker()]) {
        const replay = await isolate.post(client, path, body);
        expect(replay.text).toBe(first.text);
        expect(replay.status).toBe(200);
        expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
        expect(replay.meter.rowsWritten).toBe(0);
        expect(replay.meter.roundTrips).toBeLessThanOrEqual(2);
      }
    };
    await expectReplay();
    await republish(client, { ...product, product: { ...product.product, priceMinor: 9900 } });
    await expectReplay();
    await republish(client);
    await expectReplay();
  });

  test("replays after the credit ran out", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product, { creditMinor: 3120 });
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    expect(await balanceOf(client.clientId)).toBe(0);
    const other = await worker.post(client, path, orderOf(product));
    expect(other.json.code).toBe("insufficient_credit");
    expect((await worker.post(client, path, body)).text).toBe(first.text);
  });

  test("takes the same order whatever its bytes: order of fields, spaces, unknown fields", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product);
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    const reordered = Object.fromEntries(Object.entries({ ...body, unknown: 1 }).reverse());
    const again = await worker.post(client, path, JSON.stringify(reordered, null, 4));
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  test("refuses another content under a used order_ref_id, and changes nothing", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product);
    const body = orderOf(product);
    await worker.post(client, path, body);
    const balance = await balanceOf(client.clientId);
    const changed = { ...body, recipient_details: recipients(2) };
    const { status, json, meter } = await worker.post(client, path, changed);
    expect([status, json.code]).toEqual([409, "order_ref_conflict"]);
    expect(json.message).toContain(body.order_ref_id);
    expect(meter.rowsWritten).toBe(0);
    expect(await balanceOf(client.clientId)).toBe(balance);
  });

  test("refuses the same content on the other endpoint", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product);
    const body = orderOf(product);
    await worker.post(client, path, body);
    const other = path === "/api/order" ? "/api/gift-link" : "/api/order";
    expect((await worker.post(client, other, body)).json.code).toBe("order_ref_conflict");
    expect(await ordersOf(client.clientId)).toBe(1);
  });

  test("leaves the order_ref_id free when it refuses", async () => {
    const product = simpleProduct({}, { quantity: 1 });
    const { worker, client } = await shopWith(product);
    const body = orderOf(product);
    const refused = [
      { ...body, recipient_details: recipients(2) },
      { ...body, currency: "USD" },
      { ...body, product_id: 999_999_999 },
      { ...body, recipient_details: [] },
    ];
    for (const request of refused) {
      const { status, meter } = await worker.post(client, path, request);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(meter.rowsWritten).toBe(0);
    }
    const placed = await worker.post(client, path, body);
    expect(placed.status).toBe(200);
    expect(placed.headers.has("Idempotent-Replayed")).toBe(false);
  });

  test("keeps the references of two clients apart", async () => {
    const product = simpleProduct();
    const { worker, client } = await shopWith(product);
    const other = await mintClient({ products: [product] });
    const body = orderOf(product);
    const mine = await worker.post(client, path, body);
    const theirs = await worker.post(other, path, body);
    expect(theirs.status).toBe(200);
    expect(theirs.json.order_data.order_id).not.toBe(mine.json.order_data.order_id);
  });
});
