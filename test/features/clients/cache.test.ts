import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { overriding } from "../../support/counting.ts";
import { createClient, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { startWorker, type TestWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

async function shop() {
  const product = simpleProduct();
  return { product, client: await createClient({ products: [product] }) };
}

test("a cached client is in KV for one minute, and a page for five minutes", async () => {
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

test("a cached client is at most a minute old in the isolate's memory and in KV", async () => {
  const clock = createClock();
  const worker = clock.start();
  const { client, product } = await shop();
  await worker.post(client, "/api/order", orderOf(product));
  await sql("UPDATE clients SET fee_basis_points = 1000 WHERE id = ?", client.clientId).run();
  const fee = async (isolate: TestWorker) =>
    (await isolate.post(client, "/api/order", orderOf(product))).json.order_totals.order_fee;
  expect(await fee(worker)).toBe(1.2);
  clock.advance(MINUTE_MS);
  expect(await fee(clock.start())).toBe(3);
  expect(await fee(worker)).toBe(3);
});
