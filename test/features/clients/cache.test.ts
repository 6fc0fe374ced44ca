import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { overriding } from "../../support/counting.ts";
import { createClient, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { startWorker, type TestWorker } from "../../support/worker.ts";

async function shop() {
  const product = simpleProduct();
  return { product, client: await createClient({ products: [product] }) };
}

describe("a cached client", () => {
  /** A page past the end, which requires only the client. */
  const BEYOND = "/api/products?page=99999";

  test("is read from the isolate's memory for 10 seconds, then from KV", async () => {
    const clock = createClock();
    const worker = clock.start();
    const client = await createClient();
    await worker.get(client, BEYOND);
    clock.advance(10 * SECOND_MS - 1);
    expect((await worker.get(client, BEYOND)).meter).toMatchObject({ kvReads: 0, roundTrips: 0 });
    clock.advance(1);
    expect((await worker.get(client, BEYOND)).meter).toMatchObject({ kvReads: 1, roundTrips: 0 });
  });

  test("is refreshed after the response from 45 seconds on, and before it from 60 seconds on", async () => {
    const client = await createClient();
    const startMs = Date.now();
    const at = async (ms: number) => {
      const isolate = startWorker({ now: () => startMs + ms });
      const { json, meter } = await isolate.get(client, BEYOND);
      return [json.total_products as number, meter.roundTrips];
    };
    expect(await at(0)).toEqual([0, 1]);
    await publish(env.DB, client.catalogue, [simpleProduct()], startMs);
    expect(await at(45 * SECOND_MS - 1)).toEqual([0, 0]);
    expect(await at(45 * SECOND_MS)).toEqual([0, 1]);
    expect(await at(45 * SECOND_MS)).toEqual([1, 0]);
    await publish(env.DB, client.catalogue, [], startMs);
    expect(await at(105 * SECOND_MS)).toEqual([0, 1]);
  });

  test("is in KV for one minute, and a page for five minutes", async () => {
    const ttls: [string, number | undefined][] = [];
    const KV = overriding(env.KV, {
      put: (key: string, body: string, options: KVNamespacePutOptions) => {
        ttls.push([key.split(":")[1] ?? "", options.expirationTtl]);
        return env.KV.put(key, body, options);
      },
    });
    const { client } = await shop();
    await startWorker({ env: { KV } }).get(client, "/api/products");
    expect(ttls.sort()).toEqual([
      ["client", 60],
      ["page", 300],
    ]);
  });

  test("is at most a minute old in the isolate's memory and in KV", async () => {
    const clock = createClock();
    const worker = clock.start();
    const { client, product } = await shop();
    await worker.post(client, "/api/order", orderOf(product));
    await env.DB.prepare("UPDATE clients SET fee_basis_points = 1000 WHERE id = ?")
      .bind(client.clientId)
      .run();
    const fee = async (isolate: TestWorker) =>
      (await isolate.post(client, "/api/order", orderOf(product))).json.order_totals.order_fee;
    expect(await fee(worker)).toBe(1.2);
    clock.advance(MINUTE_MS);
    expect(await fee(clock.start())).toBe(3);
    expect(await fee(worker)).toBe(3);
  });
});
