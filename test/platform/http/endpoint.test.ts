// Paths without an endpoint or a resource.
import { beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "../../support/errors.ts";
import { createClient, type TestClient } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe("a path", () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await createClient();
  });

  test.for([
    "/api/product?product_id=123456789",
    "/api/order?order_id=123456789",
    "/api/order?order_number=GO-99999",
    "/api/order?order_number=GO-1",
    "/api/order?order_number=nonsense",
    "/api/order?order_ref_id=never%20used",
    "/api/nothing",
    "/api/products/",
    "/api",
  ])("%s without a resource is a 404", async (path) => {
    const { http, code } = errorOf(await worker.get(client, path));
    expect([http, code]).toEqual([404, "not_found"]);
  });
});
