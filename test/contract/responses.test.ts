// Headers and behaviour that all responses have in common.
import { expect, test } from "vitest";
import { createClient } from "../support/fixtures.ts";
import { authHeaders, startWorker } from "../support/worker.ts";

const worker = startWorker();

test("every response has a unique X-Request-Id", async () => {
  const client = await createClient();
  const answers = await Promise.all([
    worker.get(client, "/api/products"),
    worker.get(client, "/api/product?product_id=1"),
    worker.get(client, "/api/order?order_id=1"),
    worker.get(client, "/api/credit-balance"),
    worker.post(client, "/api/order", {}),
    worker.post(client, "/api/gift-link", "not JSON"),
    worker.get(client, "/api/nothing"),
    worker.fetch("/api/products"),
    worker.fetch("/redeem/nothing"),
  ]);
  const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
  expect(ids.filter((id) => !/^[0-9a-f-]{36}$/.test(id ?? ""))).toEqual([]);
  expect(new Set(ids).size).toBe(answers.length);
});

test("every response to HEAD equals that to GET without the body", async () => {
  const client = await createClient();
  for (const path of ["/api/products", "/api/credit-balance"]) {
    const get = await worker.get(client, path);
    const head = await worker.fetch(path, { method: "HEAD", headers: authHeaders(client) });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
    expect(head.headers.get("Cache-Control")).toBe(get.headers.get("Cache-Control"));
  }
});
