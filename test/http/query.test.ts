// Query parameters: what is refused, and with which message.
import { beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "../support/errors.ts";
import { createClient, type TestClient } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

describe("a query", () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await createClient();
  });

  const LIMIT = "must be an integer from 1 to 500";
  const PAGE = "must be an integer from 1 to 1000000000";
  const ID = "must be an integer from 1 to 9007199254740991";
  const NOT_BOTH = "must not be set together with order_id";

  test.for<[path: string, field: string, message: string]>([
    ["/api/products?limit=0", "limit", LIMIT],
    ["/api/products?limit=501", "limit", LIMIT],
    ["/api/products?limit=-1", "limit", LIMIT],
    ["/api/products?limit=1.5", "limit", LIMIT],
    ["/api/products?limit=ten", "limit", LIMIT],
    ["/api/products?limit=1e2", "limit", LIMIT],
    ["/api/products?limit=", "limit", LIMIT],
    ["/api/products?limit=99999999999999999999", "limit", LIMIT],
    ["/api/products?page=0", "page", PAGE],
    ["/api/products?page=-1", "page", PAGE],
    ["/api/products?page=%00", "page", PAGE],
    ["/api/products?page=1000000001", "page", PAGE],
    ["/api/products?product_type=food", "product_type", "must be physical or digital"],
    ["/api/products?product_type=Physical", "product_type", "must be physical or digital"],
    ["/api/products?limit=1&limit=2", "limit", "must be given once"],
    ["/api/products?page=1&page=1", "page", "must be given once"],
    ["/api/product?product_id=", "product_id", ID],
    ["/api/product?product_id=0", "product_id", ID],
    ["/api/product?product_id=-5", "product_id", ID],
    ["/api/product?product_id=1.0", "product_id", ID],
    ["/api/product?product_id=hamper", "product_id", ID],
    ["/api/product?product_id=9007199254740992", "product_id", ID],
    ["/api/product?product_id=1&product_id=2", "product_id", "must be given once"],
    ["/api/order", "order_id", "is required unless order_number or order_ref_id is set"],
    ["/api/order?order_id=1&order_number=GO-00001", "order_number", NOT_BOTH],
    ["/api/order?order_ref_id=a&order_id=1", "order_ref_id", NOT_BOTH],
    ["/api/order?order_id=one", "order_id", ID],
    ["/api/order?order_id=0", "order_id", ID],
    ["/api/order?order_id=-1", "order_id", ID],
    ["/api/order?order_id=1.5", "order_id", ID],
    ["/api/order?order_id=9999999999999999", "order_id", ID],
    ["/api/order?order_id=1&order_id=2", "order_id", "must be given once"],
    ["/api/order?order_number=", "order_number", "must not be empty"],
    ["/api/order?order_ref_id=", "order_ref_id", "must not be empty"],
    ["/api/order?order_ref_id=%00", "order_ref_id", "must be well-formed text, without U+0000"],
    ["/api/credit-balance?currency=", "currency", "must be an ISO 4217 code, such as AUD"],
    ["/api/credit-balance?currency=aud", "currency", "must be an ISO 4217 code, such as AUD"],
    ["/api/credit-balance?currency=AUD&currency=USD", "currency", "must be given once"],
  ])("GET %s is refused: %s %s", async ([path, field, message]) => {
    expect(errorOf(await worker.get(client, path))).toEqual({
      http: 400,
      status: "error",
      code: "validation_error",
      message: `${field} ${message}.`,
      errors: [{ field, message }],
    });
  });

  test("with several order parameters is refused, and the error names all but the first", async () => {
    const query = "order_id=1&order_number=GO-00001&order_ref_id=a";
    expect(errorOf(await worker.get(client, `/api/order?${query}`)).errors).toEqual([
      { field: "order_number", message: NOT_BOTH },
      { field: "order_ref_id", message: NOT_BOTH },
    ]);
  });

  test("without a product_id is refused with product_id_required", async () => {
    const { http, code, message } = errorOf(await worker.get(client, "/api/product"));
    expect([http, code]).toEqual([400, "product_id_required"]);
    expect(message).toContain("product_id must be set");
  });

  test("may repeat unknown parameters", async () => {
    const answer = await worker.get(client, "/api/products?utm=1&utm=2&__proto__=3&__proto__=4");
    expect(answer.status).toBe(200);
  });
});
