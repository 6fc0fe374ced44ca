// Query parameters: what is refused, and with which message.
import { beforeAll, expect, test } from "vitest";
import document from "../../../public/openapi.json";
import { errorOf } from "../../support/errors.ts";
import { createClient, orderOf, simpleProduct, type TestClient } from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

let client: TestClient;
beforeAll(async () => {
  client = await createClient();
});

// The table in test/docs/invalid-fields.txt has what each parameter alone refuses.
test.for<[query: string, ...values: string[]]>([
  ["products?limit", "1&limit=2"],
  ["products?page", "0", "-1", "%00", "1000000001", "1&page=1"],
  ["product?product_id", "", "0", "-5", "1.0", "hamper", "9007199254740992", "1&product_id=2"],
  ["order?order_id", "one", "0", "-1", "1.5", "9999999999999999", "1&order_id=2"],
  ["order?order_number", "", "GO-00001&order_id=1"],
  ["order?order_ref_id", "", "%00", "a&order_id=1"],
  ["order?order_id=1&include", "events", "Metadata", "", ",", "metadata,events", "metadata,"],
  ["order?order_id=1&include", "metadata, thank_you", "metadata%0Adetails"],
  ["orders?created_from", "2026-02-30", "2026-05-01T10:00:00", "2026-05-01T10:00:00+02:00"],
  ["orders?order_ref_id_prefix=a&order_status", "paid"],
  ["orders?order_ref_id_prefix=a&redemption_status", "redeemed"],
  ["orders?order_ref_id_prefix=a&created_until", "2026-05-01"],
  ["orders?cursor", "", "abc", "%F0%9F%8E%81", "a".repeat(1_001)],
  ["orders?limit", "0", "501", "1&limit=2"],
  ["recipients?external_id=a&email", "a@example.com"],
  ["recipients?external_id=a&cursor", "x"],
  ["shipments?order_id=1&updated_from", "2026-01-01"],
  ["shipments?order_id=1&order_number", "GO-00001"],
  ["shipments?updated_from=2026-01-01&cursor", "page-2"],
  ["shipments?order_id=1&cursor", "page-2"],
  ["events?after", "-1", "1.5", "first", "9007199254740993"],
  ["products?price_min", "5", "5.5&currency=JPY"],
  ["products?currency=AUD&price_max", "5.001"],
  ["products?q", "-", "", "a".repeat(101)],
  ["credit-balance?currency", "", "aud", "AUD&currency=USD"],
])("/api/%s is refused with another value", async ([query, ...values]) => {
  const field = query.split(/[?&]/).at(-1);
  for (const value of values) {
    const { http, code, errors } = errorOf(await worker.get(client, `/api/${query}=${value}`));
    expect([value, http, code]).toEqual([value, 400, "validation_error"]);
    expect([value, errors?.map((error) => error.field)]).toEqual([value, [field]]);
  }
});

test("a query may repeat unknown parameters", async () => {
  const answer = await worker.get(client, "/api/products?utm=1&utm=2&__proto__=3&__proto__=4");
  expect(answer.status).toBe(200);
});

test.for<[path: string, field: string, meant?: string]>([
  ["/api/orders?create_from=2026-05-01", "create_from", "created_from"],
  ["/api/orders?status=paid", "status", "order_status"],
  ["/api/orders?Limit=5", "Limit", "limit"],
  ["/api/orders?limits=5&limits=6", "limits", "limit"],
  ["/api/orders?page=2", "page"],
  [`/api/orders?${"cursor".repeat(8)}=1`, "cursor".repeat(8)],
  ["/api/shipments?order_id=1&update_from=2026-05-01", "update_from", "updated_from"],
  ["/api/products?search=tea", "search", "q"],
  ["/api/products?Q=tea", "Q", "q"],
  ["/api/products?categories=tea", "categories", "category"],
  ["/api/products?category[]=tea", "category[]", "category"],
  ["/api/products?category=tea&categry=x", "categry", "category"],
  ["/api/products?InStock=true", "InStock", "in_stock"],
  ["/api/order?order_id=1&includes=emails", "includes", "include"],
  ["/api/events?before=1", "before"],
  ["/api/events?afer=1", "afer", "after"],
  ["/api/credit-balance?curency=AUD", "curency", "currency"],
  ["/api/webhooks?limit=1", "limit"],
  ["/api/webhook?webhook=1", "webhook", "webhook_id"],
  ["/api/webhook/deliveries?webhook_id=1&stauts=failed", "stauts", "status"],
])("GET %s is refused because of %s, and names %s", async ([path, field, meant]) => {
  const { http, code, errors } = errorOf(await worker.get(client, path));
  expect([http, code]).toEqual([400, "validation_error"]);
  const [, named] = /\(did you mean (.*)\?\)$/.exec(errors?.[0]?.message ?? "") ?? [];
  expect([errors?.map((error) => error.field), named]).toEqual([[field], meant]);
});

test("a query is refused with each unknown and each repeated parameter", async () => {
  const answer = await worker.get(client, "/api/orders?order_state=paid&limit=1&limit=2&xyz=1");
  expect(errorOf(answer).errors).toMatchObject([
    { field: "order_state" },
    { field: "limit" },
    { field: "xyz" },
  ]);
});

test("a query is refused by every POST endpoint that is not in the specification", async () => {
  const specified = ["/api/order", "/api/gift-link"];
  const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
    "post" in methods ? [path] : [],
  );
  expect(paths).toEqual(expect.arrayContaining(specified));
  for (const path of paths) {
    const refused = errorOf(await worker.post(client, `${path}?zzz=5`, { product_id: 1 }));
    const shown = refused.errors?.some(({ field }) => field === "zzz");
    expect([path, shown ?? false]).toEqual([path, !specified.includes(path)]);
  }
});

test("a query may have unknown parameters at the endpoints of the specification", async () => {
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

test("explains a + in a value that is refused or not found, and in no other", async () => {
  const messageOf = async (path: string) => errorOf(await worker.get(client, path)).message;
  for (const path of [
    "/api/order?order_ref_id=a+b",
    "/api/orders?created_from=2026-05-01T00:00:00+10:00",
    "/api/recipients?email=ada+gifts@example.com",
  ])
    expect(await messageOf(path)).toContain("%2B");
  for (const path of [
    "/api/order?order_ref_id=a%2Bb",
    "/api/orders?limit=x&order_status=paid+",
    "/api/orders?created_from=x",
  ])
    expect((await messageOf(path)).replace(/order_status.*/, "")).not.toContain("%2B");
});

test("a message has at most 1,000 characters, and errors has all problems", async () => {
  const recipient_details = Array.from({ length: 300 }, () => ({ first_name: 7 }));
  const answer = await worker.post(client, "/api/order", {
    ...orderOf(simpleProduct()),
    recipient_details,
  });
  const { message, errors } = errorOf(answer);
  expect(message.length).toBe(1_000);
  expect(errors?.length).toBeGreaterThanOrEqual(300);
});
