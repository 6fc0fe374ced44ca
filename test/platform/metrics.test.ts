// The metrics of requests.
import { expect, test, vi } from "vitest";
import type { Bindings } from "../../src/platform/env.ts";
import { watchLog } from "../support/faults.ts";
import { orderOf, openShop } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

test("each request is one data point, without its path, query and headers", async () => {
  const writeDataPoint = vi.fn<AnalyticsEngineDataset["writeDataPoint"]>();
  const env: Partial<Bindings> = { METRICS: { writeDataPoint } };
  const { product, client } = await openShop();
  const worker = startWorker({ env });
  const placed = await worker.post(client, "/api/gift-link", orderOf(product));
  const gift = new URL(placed.json.recipient_return[0].gift_url as string).pathname;
  await worker.get(client, "/api/order?order_id=0");
  await worker.get({ ...client, apiKey: "guessed" }, "/api/products?limit=3");
  await worker.fetch(gift);
  await worker.fetch("/health");
  const any = expect.any(Number) as number;
  const point = (index: string, blobs: string[], status: number, databaseCalls: number) => ({
    indexes: [index],
    blobs,
    doubles: [status, any, databaseCalls],
  });
  // The first request reads the client and the offer together.
  expect(writeDataPoint.mock.calls.flat()).toEqual([
    point(client.clientId, ["/api/gift-link", "POST", ""], 200, 2),
    point(client.clientId, ["/api/order", "GET", "validation_error"], 400, 0),
    point("", ["/api/products", "GET", "unauthorized"], 401, any),
    point("", ["/redeem/:token{[^]+}", "GET", ""], 200, 1),
    point("", ["/health", "GET", ""], any, 0),
  ]);
});

test("a request succeeds if its data point cannot be recorded", async () => {
  const log = watchLog();
  const writeDataPoint = () => {
    throw new TypeError("the data point is not valid");
  };
  const { product, client } = await openShop();
  const worker = startWorker({ env: { METRICS: { writeDataPoint } } });
  expect((await worker.post(client, "/api/gift-link", orderOf(product))).status).toBe(200);
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"event":"metrics.write_failed"'));
});
