import { expect, test } from "vitest";
import { createClient, orderOf, openShop } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const POLICY = '"client";q=42;w=60';
const worker = startWorker({ env: { RATE_LIMIT_PER_MINUTE: 42 } });

test("every response to valid credentials has RateLimit-Policy", async () => {
  const { product, client } = await openShop();
  const suspended = await createClient();
  await sql("UPDATE clients SET status = 'suspended' WHERE id = ?", suspended.clientId).run();
  const page = await worker.get(client, "/api/products", { "Accept-Encoding": "identity" });
  const answers = [
    page,
    await worker.get(client, "/api/products", { "If-None-Match": page.headers.get("ETag") ?? "" }),
    await worker.get(client, "/api/credit-balance"),
    await worker.post(client, "/api/order", orderOf(product)),
    await worker.post(client, "/api/order", {}),
    await worker.get(client, "/api/order?order_id=9999999"),
    await worker.get(client, "/api/nothing"),
    await worker.post(client, "/api/products", {}),
    await worker.get(suspended, "/api/products"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200, 304, 200, 200, 400, 404, 404, 405, 403,
  ]);
  for (const { headers } of answers) {
    expect(headers.get("RateLimit-Policy")).toBe(POLICY);
    expect(headers.has("RateLimit")).toBe(false);
  }
  const compressed = await worker.raw(client, "/api/products", {
    headers: { "Accept-Encoding": "gzip" },
  });
  expect(compressed.headers.get("Content-Encoding")).toBe("gzip");
  expect(compressed.headers.get("RateLimit-Policy")).toBe(POLICY);
});

test("a response to invalid credentials, and a recipient's page, has no such header", async () => {
  const client = await createClient();
  const answers = [
    await worker.get({ ...client, apiKey: "wrong" }, "/api/products"),
    await worker.fetch("/api/products"),
    await worker.fetch("/redeem/unknown"),
  ];
  for (const { headers } of answers) expect(headers.has("RateLimit-Policy")).toBe(false);
});

test("a 429 because of the client's limit has RateLimit with r=0, and a 429 because of the network's limit has no RateLimit", async () => {
  const client = await createClient();
  const refusing = (prefix: string) =>
    startWorker({
      env: {
        RATE_LIMITER: {
          limit: ({ key }) => Promise.resolve({ success: !key.startsWith(prefix) }),
        },
        RATE_LIMIT_PER_MINUTE: 42,
      },
    });
  const ofClient = await refusing("client:").get(client, "/api/products");
  expect(ofClient.status).toBe(429);
  expect(ofClient.headers.get("RateLimit-Policy")).toBe(POLICY);
  expect(ofClient.headers.get("RateLimit")).toBe('"client";r=0');
  expect(ofClient.headers.get("Retry-After")).toBe("60");
  const ofNetwork = await refusing("address:").get(client, "/api/products");
  expect(ofNetwork.status).toBe(429);
  expect(ofNetwork.headers.has("RateLimit")).toBe(false);
  expect(ofNetwork.headers.has("RateLimit-Policy")).toBe(false);
});
