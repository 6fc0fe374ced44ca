// Query parameters: what is refused, and with which message.
import { beforeAll, describe, expect, test } from "vitest";
import document from "../../../public/openapi.json";
import { errorOf } from "../../support/errors.ts";
import { createClient, orderOf, simpleProduct, type TestClient } from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

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

  const UNKNOWN = "is not a parameter of this request";
  test.for<[path: string, field: string, message: string]>([
    [
      "/api/orders?create_from=2026-05-01",
      "create_from",
      `${UNKNOWN} (did you mean created_from?)`,
    ],
    ["/api/orders?status=paid", "status", `${UNKNOWN} (did you mean order_status?)`],
    ["/api/orders?Limit=5", "Limit", `${UNKNOWN} (did you mean limit?)`],
    ["/api/orders?limits=5&limits=6", "limits", `${UNKNOWN} (did you mean limit?)`],
    ["/api/orders?page=2", "page", UNKNOWN],
    [`/api/orders?${"cursor".repeat(8)}=1`, "cursor".repeat(8), UNKNOWN],
    [
      "/api/shipments?order_id=1&update_from=2026-05-01",
      "update_from",
      `${UNKNOWN} (did you mean updated_from?)`,
    ],
    ["/api/products?search=tea", "search", `${UNKNOWN} (did you mean q?)`],
    ["/api/products?Q=tea", "Q", `${UNKNOWN} (did you mean q?)`],
    ["/api/products?categories=tea", "categories", `${UNKNOWN} (did you mean category?)`],
    ["/api/products?category[]=tea", "category[]", `${UNKNOWN} (did you mean category?)`],
    ["/api/products?category=tea&categry=x", "categry", `${UNKNOWN} (did you mean category?)`],
    ["/api/products?InStock=true", "InStock", `${UNKNOWN} (did you mean in_stock?)`],
    ["/api/order?order_id=1&includes=emails", "includes", `${UNKNOWN} (did you mean include?)`],
    ["/api/events?before=1", "before", UNKNOWN],
    ["/api/events?afer=1", "afer", `${UNKNOWN} (did you mean after?)`],
    ["/api/credit-balance?curency=AUD", "curency", `${UNKNOWN} (did you mean currency?)`],
    ["/api/webhooks?limit=1", "limit", UNKNOWN],
    ["/api/webhook?webhook=1", "webhook", `${UNKNOWN} (did you mean webhook_id?)`],
    [
      "/api/webhook/deliveries?webhook_id=1&stauts=failed",
      "stauts",
      `${UNKNOWN} (did you mean status?)`,
    ],
  ])("GET %s is refused: %s %s", async ([path, field, message]) => {
    const { http, code, errors } = errorOf(await worker.get(client, path));
    expect([http, code, errors]).toEqual([400, "validation_error", [{ field, message }]]);
  });

  test("is refused with each unknown and each repeated parameter", async () => {
    const answer = await worker.get(client, "/api/orders?order_state=paid&limit=1&limit=2&xyz=1");
    expect(errorOf(answer).message).toBe(
      `order_state ${UNKNOWN} (did you mean order_status?); limit must be given once; xyz ${UNKNOWN}.`,
    );
  });

  test("is refused by every POST endpoint that is not in the specification", async () => {
    const specified = ["/api/order", "/api/gift-link"];
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      "post" in methods ? [path] : [],
    );
    expect(paths).toEqual(expect.arrayContaining(specified));
    for (const path of paths) {
      const refused = errorOf(await worker.post(client, `${path}?order_id=5`, { product_id: 1 }));
      const shown = refused.errors?.some(
        ({ field, message }) => field === "order_id" && message === UNKNOWN,
      );
      expect([path, shown ?? false]).toEqual([path, !specified.includes(path)]);
    }
  });

  test("may have unknown parameters at the endpoints of the specification", async () => {
    const product = simpleProduct();
    const shop = await createClient({ products: [product] });
    const statusOf = async (answer: Promise<Answer>) => (await answer).status;
    for (const path of ["/api/order", "/api/gift-link"]) {
      const body = orderOf(product);
      expect(await statusOf(worker.post(shop, `${path}?create_from=1`, body))).toBe(200);
      const read = `/api/order?order_ref_id=${body.order_ref_id}&fields=metadata`;
      expect(await statusOf(worker.get(shop, read))).toBe(200);
    }
    const id = String(product.product.id);
    expect(await statusOf(worker.get(shop, `/api/product?product_id=${id}&id=7`))).toBe(200);
    expect(await statusOf(worker.get(shop, "/api/products?type=digital"))).toBe(200);
  });
});
