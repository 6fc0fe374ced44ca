// Every refusal: its status, its code, a message that helps, one shape, and nothing written.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES } from "../../src/app.ts";
import {
  ADDRESS,
  createClient,
  type TestClient,
  orderOf,
  recipients,
  simpleProduct,
  unique,
  variableProduct,
} from "../support/fixtures.ts";
import { mutated, pathsOf } from "../support/json.ts";
import { ErrorBody, GiftLinkPlacement } from "../support/shapes.ts";
import { newMeter, overriding } from "../support/counting.ts";
import { databaseState } from "../support/state.ts";
import { type Answer, authHeaders, startWorker } from "../support/worker.ts";

const worker = startWorker();
const PLACEMENTS = ["/api/order", "/api/gift-link"] as const;

/** The error in an answer, which looks the same for every error. */
function errorOf(answer: Answer) {
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  expect(answer.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  const body = ErrorBody.parse(answer.json);
  expect("errors" in body).toBe(body.code === "validation_error");
  return { http: answer.status, ...body };
}

/** A simple physical product with 3 left and sold in Australia alone, a variable one, and who may buy them. */
async function createShop() {
  const product = simpleProduct({ locations: ["AU", "NZ"] }, { quantity: 3 });
  const variable = variableProduct();
  const client = await createClient({ products: [product, variable] });
  return { product, variable, client };
}

describe.for(PLACEMENTS)("POST %s refuses", (path) => {
  // One shop for all: no test here may change it.
  let shop: Awaited<ReturnType<typeof createShop>>;
  beforeAll(async () => {
    shop = await createShop();
  });

  /** Posts what must be refused, and sees that the refusal leaves the database alone. */
  async function refused(body: unknown, client: TestClient = shop.client) {
    const before = await databaseState();
    const error = errorOf(await worker.post(client, path, body));
    expect(await databaseState()).toEqual(before);
    return error;
  }

  test("an empty object, since a product_id must be set before all else", async () => {
    for (const body of [{}, { product_id: null }, { order_ref_id: 5, currency: "no" }]) {
      expect(await refused(body)).toMatchObject({
        http: 400,
        code: "product_id_required",
        message: expect.stringContaining("product_id must be set") as string,
      });
    }
  });

  test("a product that is not in the client's catalogue", async () => {
    const elsewhere = simpleProduct();
    await createClient({ products: [elsewhere] });
    for (const body of [
      orderOf(elsewhere),
      orderOf(shop.product, { product_id: Number.MAX_SAFE_INTEGER }),
    ]) {
      const { http, code, message } = await refused(body);
      expect([http, code]).toEqual([422, "product_not_found"]);
      expect(message).toContain(`product_id ${String(body.product_id)}`);
    }
  });

  test("a variation that the product does not have", async () => {
    const variationId = variableProduct().product.variations[0]?.id;
    const { http, code, message } = await refused(
      orderOf(shop.variable, { variation_id: variationId }),
    );
    expect([http, code]).toEqual([422, "variation_not_found"]);
    expect(message).toContain(`variation_id ${String(variationId)}`);
  });

  test("a variable product without a variation_id", async () => {
    const { http, code, message } = await refused(
      orderOf(shop.variable, { variation_id: undefined }),
    );
    expect([http, code]).toEqual([422, "variation_required"]);
    expect(message).toContain("variation_id must be set");
  });

  test("a simple product with a variation_id", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { variation_id: 1 }));
    expect([http, code]).toEqual([422, "variation_not_allowed"]);
    expect(message).toContain("variation_id must not be set");
  });

  test("a currency that the product is not sold in, naming the one it is", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { currency: "USD" }));
    expect([http, code]).toEqual([422, "currency_not_available"]);
    expect(message).toMatch(/currency USD .* AUD/);
  });

  test("a base_location where the product is not available, naming those where it is", async () => {
    const { http, code, message } = await refused(orderOf(shop.product, { base_location: "GB" }));
    expect([http, code]).toEqual([422, "location_not_available"]);
    expect(message).toMatch(/base_location GB .* AU, NZ/);
  });

  test("more than is left, saying how many are", async () => {
    const { http, code, message } = await refused(
      orderOf(shop.product, { recipient_details: recipients(4) }),
    );
    expect([http, code]).toEqual([409, "out_of_stock"]);
    expect(message).toMatch(/product_id \d+ .* 3 left, 4 ordered/);
  });

  test("a product that is marked out of stock, whatever its quantity", async () => {
    const withdrawn = simpleProduct({}, { quantity: 50, sellable: false });
    const client = await createClient({ products: [withdrawn] });
    const { http, code, message } = await refused(orderOf(withdrawn), client);
    expect([http, code]).toEqual([409, "out_of_stock"]);
    expect(message).toContain("0 left");
  });

  test("more than the credit pays for, giving balance and total", async () => {
    const client = await createClient({ products: [shop.product], creditMinor: 3_119 });
    const { http, code, message } = await refused(orderOf(shop.product), client);
    expect([http, code]).toEqual([402, "insufficient_credit"]);
    expect(message).toMatch(/balance is 31\.19 AUD, .* total is 31\.20 AUD/);
  });

  test("a reference that was used for another content or on the other endpoint", async () => {
    const { product, client } = await createShop();
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    expect(first.status).toBe(200);
    const { http, code, message } = await refused(
      { ...body, recipient_details: recipients(2) },
      client,
    );
    expect([http, code]).toEqual([409, "order_ref_conflict"]);
    expect(message).toContain(body.order_ref_id);

    const otherPath = PLACEMENTS.find((other) => other !== path) ?? "";
    const before = await databaseState();
    const other = errorOf(await worker.post(client, otherPath, body));
    expect([other.http, other.code]).toEqual([409, "order_ref_conflict"]);
    expect(await databaseState()).toEqual(before);
  });

  test.for([
    ["nothing at all", ""],
    ["plain words", "one hamper, please"],
    ["JSON that is cut off", '{"product_id": 1'],
    ["JSON that goes on", "{} {}"],
    ["an array", "[]"],
    ["an array of orders", '[{"product_id": 1}]'],
    ["null", "null"],
    ["a number", "5"],
    ["a string", '"product_id"'],
    ["very deep arrays", "[".repeat(200_000) + "]".repeat(200_000)],
    ["very deep arrays that are cut off", "[".repeat(500_000)],
    ["a name that is no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ] as const)("a body that holds %s", async ([, body]) => {
    const before = await databaseState();
    const answer = await worker.fetch(path, {
      method: "POST",
      headers: { ...authHeaders(shop.client), "Content-Type": "application/json" },
      body,
    });
    expect(errorOf(answer)).toMatchObject({
      http: 400,
      code: "invalid_json",
      message: expect.stringContaining("JSON") as string,
    });
    expect(await databaseState()).toEqual(before);
  });

  const recipient = recipients(1)[0];
  const withRecipient = (changes: object) => ({
    recipient_details: [{ ...recipient, ...changes }],
  });
  const withoutCharacter = (code: string) => `must be well-formed text, without U+${code}`;

  type Refused = [field: string, message: string, changes: Record<string, unknown>];
  test.for<Refused>([
    ["order_ref_id", "is required", { order_ref_id: undefined }],
    ["order_ref_id", "is required", { order_ref_id: null }],
    ["order_ref_id", "must be a string", { order_ref_id: 5 }],
    ["order_ref_id", "must not be empty", { order_ref_id: "" }],
    ["order_ref_id", "must not be empty", { order_ref_id: " \t " }],
    ["order_ref_id", "must have at most 100 characters", { order_ref_id: "x".repeat(101) }],
    ["order_ref_id", withoutCharacter("0000"), { order_ref_id: "nul\u0000nul" }],
    ["order_ref_id", withoutCharacter("D83C"), { order_ref_id: "\ud83c" }],
    ["product_id", "must be a number", { product_id: "1001" }],
    ["product_id", "must be a number", { product_id: true }],
    ["product_id", "must be a number", { product_id: [1001] }],
    ["product_id", "must be at least 1", { product_id: 0 }],
    ["product_id", "must be at least 1", { product_id: -1001 }],
    ["product_id", "must be an integer", { product_id: 1001.5 }],
    ["product_id", "must be at most 9007199254740991", { product_id: 2 ** 53 }],
    ["variation_id", "must be a number", { variation_id: "1" }],
    ["variation_id", "must be at least 1", { variation_id: -1 }],
    ["variation_id", "must be an integer", { variation_id: 0.5 }],
    ["currency", "is required", { currency: undefined }],
    ["currency", "is required", { currency: null }],
    ["currency", "must be a string", { currency: 36 }],
    ["currency", "must be an ISO 4217 code, such as AUD", { currency: "" }],
    ["currency", "must be an ISO 4217 code, such as AUD", { currency: "aud" }],
    ["currency", "must be an ISO 4217 code, such as AUD", { currency: "QQQ" }],
    ["currency", "must be an ISO 4217 code, such as AUD", { currency: "DEM" }],
    ["base_location", "is required", { base_location: undefined }],
    ["base_location", "is required", { base_location: null }],
    ["base_location", "must be a string", { base_location: ["AU"] }],
    ["base_location", "must be an ISO 3166-1 alpha-2 code, such as AU", { base_location: "AUS" }],
    ["base_location", "must be an ISO 3166-1 alpha-2 code, such as AU", { base_location: "au" }],
    ["base_location", "must be an ISO 3166-1 alpha-2 code, such as AU", { base_location: "UK" }],
    ["recipient_details", "is required", { recipient_details: undefined }],
    ["recipient_details", "is required", { recipient_details: null }],
    ["recipient_details", "must be an array", { recipient_details: {} }],
    ["recipient_details", "must be an array", { recipient_details: "Ada" }],
    ["recipient_details", "must have at least 1 element", { recipient_details: [] }],
    ["recipient_details", "must have at most 500 elements", { recipient_details: recipients(501) }],
    ["recipient_details[0]", "is required", { recipient_details: [null] }],
    ["recipient_details[1]", "must be an object", { recipient_details: [recipient, []] }],
    ["recipient_details[0].first_name", "is required", withRecipient({ first_name: undefined })],
    ["recipient_details[0].first_name", "must be a string", withRecipient({ first_name: {} })],
    ["recipient_details[0].first_name", "must not be empty", withRecipient({ first_name: "" })],
    [
      "recipient_details[0].first_name",
      withoutCharacter("DF81"),
      withRecipient({ first_name: "\udf81" }),
    ],
    ["recipient_details[0].first_name", "is required", withRecipient({ first_name: null })],
    ["recipient_details[0].last_name", "is required", withRecipient({ last_name: undefined })],
    ["recipient_details[0].last_name", "is required", withRecipient({ last_name: null })],
    ["recipient_details[0].last_name", "must not be empty", withRecipient({ last_name: " " })],
    [
      "recipient_details[0].last_name",
      withoutCharacter("0007"),
      withRecipient({ last_name: "\u0007" }),
    ],
    [
      "recipient_details[0].last_name",
      withoutCharacter("009F"),
      withRecipient({ last_name: "\u009f" }),
    ],
    ["recipient_details[0].email", "is required", withRecipient({ email: undefined })],
    ["recipient_details[0].email", "is required", withRecipient({ email: null })],
    ...[
      "",
      "a@b",
      ".a@b.de",
      "a@-b.de",
      "a@b.c1.",
      "a b@c.de",
      `${"x".repeat(65)}@example.com`,
    ].map((email): Refused => [
      "recipient_details[0].email",
      "must be an e-mail address",
      withRecipient({ email }),
    ]),
    ["recipient_details[0].phone_number", "must be a string", withRecipient({ phone_number: 614 })],
    [
      "recipient_details[0].delivery_address",
      "must be an object",
      withRecipient({ delivery_address: "14 Plane Tree Lane" }),
    ],
    [
      "recipient_details[0].delivery_address.postcode_zipcode",
      "must be a string",
      withRecipient({ delivery_address: { ...ADDRESS, postcode_zipcode: 3056 } }),
    ],
  ])("%s that %s", async ([field, message, changes]) => {
    expect(await refused(orderOf(shop.product, changes))).toMatchObject({
      http: 400,
      code: "validation_error",
      message: `${field} ${message}.`,
      errors: [{ field, message }],
    });
  });

  test("a number too large for JavaScript", async () => {
    const body = JSON.stringify(orderOf(shop.product)).replace(
      /"product_id":\d+/,
      '"product_id":1e999',
    );
    const { http, errors } = await refused(body);
    expect(http).toBe(400);
    expect(errors?.map(({ field }) => field)).toEqual(["product_id"]);
  });

  test("very deep JSON where a text belongs", async () => {
    const body = JSON.stringify(orderOf(shop.product, { currency: "DEEP" })).replace(
      '"DEEP"',
      '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
    );
    expect(await refused(body)).toMatchObject({
      http: 400,
      errors: [{ field: "currency", message: "must be a string" }],
    });
  });

  test("several faults at once, naming every field", async () => {
    const { message, errors } = await refused({
      product_id: shop.product.product.id,
      currency: 1,
      recipient_details: [{ first_name: "Ada", email: "ada" }],
    });
    const fields = [
      "order_ref_id",
      "currency",
      "base_location",
      "recipient_details[0].last_name",
      "recipient_details[0].email",
    ];
    expect(errors?.map(({ field }) => field)).toEqual(fields);
    for (const field of fields) expect(message).toContain(`${field} `);
  });

  test("a product_id that comes by way of __proto__", async () => {
    const { code } = await refused('{"__proto__": {"product_id": 1}, "order_ref_id": "a"}');
    expect(code).toBe("product_id_required");
  });

  test("a body that is not declared as JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const answer = await worker.post(shop.client, path, orderOf(shop.product), {
        "Content-Type": type,
      });
      expect(errorOf(answer)).toMatchObject({
        http: 415,
        code: "unsupported_media_type",
        message: expect.stringContaining("application/json") as string,
      });
    }
    const untyped = await worker.fetch(path, {
      method: "POST",
      headers: authHeaders(shop.client),
      body: new TextEncoder().encode(JSON.stringify(orderOf(shop.product))),
    });
    expect(errorOf(untyped).code).toBe("unsupported_media_type");
  });

  const twoMebibytes = " ".repeat(2 * 1024 * 1024);

  test("a body of 2 MiB that tells its length", async () => {
    const answer = await worker.post(shop.client, path, twoMebibytes, {
      "Content-Length": String(twoMebibytes.length),
    });
    expect(errorOf(answer)).toMatchObject({
      http: 413,
      code: "payload_too_large",
      message: expect.stringContaining("1 MiB") as string,
    });
  });

  test("a body of 2 MiB that comes as a stream", async () => {
    const answer = await worker.fetch(path, {
      method: "POST",
      headers: { ...authHeaders(shop.client), "Content-Type": "application/json" },
      body: new Blob([twoMebibytes]).stream(),
    });
    expect(errorOf(answer)).toMatchObject({ http: 413, code: "payload_too_large" });
  });
});

describe("POST /api/order", () => {
  test("refuses a physical product without an address, or with parts of one", async () => {
    const { product, client } = await createShop();
    const before = await databaseState();
    const [recipient] = recipients(1);
    const answer = await worker.post(
      client,
      "/api/order",
      orderOf(product, {
        recipient_details: [
          recipient,
          { ...recipient, delivery_address: undefined },
          { ...recipient, delivery_address: { ...ADDRESS, suburb: " ", country: undefined } },
        ],
      }),
    );
    const message = "is required for a physical product";
    expect(errorOf(answer)).toMatchObject({
      http: 400,
      code: "validation_error",
      errors: [
        { field: "recipient_details[1].delivery_address", message },
        { field: "recipient_details[2].delivery_address.suburb", message },
        { field: "recipient_details[2].delivery_address.country", message },
      ],
    });
    expect(await databaseState()).toEqual(before);
  });

  test.each([
    ["HK", 200],
    ["Hong Kong", 200],
    ["AU", 400],
    ["Atlantis", 400],
    [undefined, 400],
  ])("without a postcode for an address in %s answers %i", async (country, status) => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const address = { ...ADDRESS, postcode_zipcode: "", country };
    const [recipient] = recipients(1);
    const body = orderOf(product, {
      recipient_details: [{ ...recipient, delivery_address: address }],
    });
    const answer = await worker.post(client, "/api/order", body);
    expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([
      status,
      status === 400 ? "recipient_details[0].delivery_address.postcode_zipcode" : undefined,
    ]);
  });

  test("needs no address for a digital product", async () => {
    const product = simpleProduct({ delivery: "digital" });
    const client = await createClient({ products: [product] });
    const recipient = { first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" };
    const body = orderOf(product, { recipient_details: [recipient] });
    expect((await worker.post(client, "/api/order", body)).status).toBe(200);
  });

  test("takes a body of exactly 1 MiB, and one with a charset", async () => {
    const { product, client } = await createShop();
    const body = JSON.stringify(orderOf(product)).padEnd(MAX_BODY_BYTES);
    const type = "application/json; charset=utf-8";
    const answer = await worker.post(client, "/api/order", body, { "Content-Type": type });
    expect(answer.status, answer.text).toBe(200);
  });

  test("lets no __proto__ of a body reach any other object", async () => {
    const { product, client } = await createShop();
    const body = JSON.stringify(orderOf(product)).replace(
      "{",
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    );
    expect((await worker.post(client, "/api/order", body)).status).toBe(200);
    expect("polluted" in {}).toBe(false);
  });
});

describe("POST /api/gift-link", () => {
  test.for<[field: string, message: string, value: unknown]>([
    ["gift_of_choice", "must be Y or N", "y"],
    ["gift_of_choice", "must be Y or N", true],
    ["order_branding", "must be platform or company", "custom"],
    ["order_branding", "must be platform or company", ["platform"]],
  ])("refuses %s that %s: %s", async ([field, message, value]) => {
    const { product, client } = await createShop();
    const before = await databaseState();
    const answer = await worker.post(
      client,
      "/api/gift-link",
      orderOf(product, { [field]: value }),
    );
    expect(errorOf(answer)).toMatchObject({
      http: 400,
      code: "validation_error",
      errors: [{ field, message }],
    });
    expect(await databaseState()).toEqual(before);
  });

  test("refuses a redemption_message that is no text", async () => {
    const { product, client } = await createShop();
    const recipient_details = recipients(1).map((r) => ({ ...r, redemption_message: ["Hi"] }));
    const answer = await worker.post(
      client,
      "/api/gift-link",
      orderOf(product, { recipient_details }),
    );
    expect(errorOf(answer).errors).toEqual([
      { field: "recipient_details[0].redemption_message", message: "must be a string" },
    ]);
  });

  test("refuses company branding that is not set up", async () => {
    const { product, client } = await createShop();
    const before = await databaseState();
    const body = orderOf(product, { order_branding: "company" });
    const { http, code, message } = errorOf(await worker.post(client, "/api/gift-link", body));
    expect([http, code]).toEqual([422, "branding_not_available"]);
    expect(message).toContain("order_branding company");
    expect(await databaseState()).toEqual(before);
  });

  test("keeps names and messages of any script as they came", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const people = [
      {
        first_name: "👩‍👩‍👧‍👦",
        last_name: "🇦🇺 O'Brien-Ñandú",
        redemption_message: '🎁\n"quoted"\\ \t<b>',
      },
      { first_name: "مُحَمَّد", last_name: "\u200fבן־דוד\u200e", redemption_message: "عيد سعيد" },
      { first_name: "e\u0301", last_name: "\u00e9", redemption_message: "𝒳 𠮷野家" },
    ].map((person, index) => ({ ...person, email: `p${String(index)}@example.com` }));
    const answer = await worker.post(
      client,
      "/api/gift-link",
      orderOf(product, { recipient_details: people }),
    );
    const placed = GiftLinkPlacement.parse(answer.json);
    expect(placed.recipient_return).toMatchObject(
      people.map(({ first_name, last_name }) => ({ first_name, last_name })),
    );
    const read = await worker.get(
      client,
      `/api/order?order_id=${String(placed.order_data.order_id)}`,
    );
    expect(read.json).toMatchObject({
      recipients: people.map(({ first_name, last_name, redemption_message }) => ({
        recipient_details: {
          name: `${first_name} ${last_name}`,
          email_message: redemption_message,
        },
      })),
    });
  });
});

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

  test("names each order parameter that is set beside the first", async () => {
    const query = "order_id=1&order_number=GO-00001&order_ref_id=a";
    expect(errorOf(await worker.get(client, `/api/order?${query}`)).errors).toEqual([
      { field: "order_number", message: NOT_BOTH },
      { field: "order_ref_id", message: NOT_BOTH },
    ]);
  });

  test("without a product_id gets told that one must be set", async () => {
    const { http, code, message } = errorOf(await worker.get(client, "/api/product"));
    expect([http, code]).toEqual([400, "product_id_required"]);
    expect(message).toContain("product_id must be set");
  });

  test("may repeat what the interface does not name", async () => {
    const answer = await worker.get(client, "/api/products?utm=1&utm=2&__proto__=3&__proto__=4");
    expect(answer.status).toBe(200);
  });
});

describe("an address", () => {
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
  ])("%s, where there is nothing, is not found", async (path) => {
    const { http, code } = errorOf(await worker.get(client, path));
    expect([http, code]).toEqual([404, "not_found"]);
  });

  test.for([
    ["/api/products", ["POST", "PUT", "DELETE"], "GET, HEAD"],
    ["/api/product", ["POST", "PATCH", "OPTIONS"], "GET, HEAD"],
    ["/api/order", ["PUT", "PATCH", "DELETE"], "GET, HEAD, POST"],
    ["/api/gift-link", ["GET", "PUT", "DELETE"], "POST"],
    ["/api/credit-balance", ["POST", "DELETE"], "GET, HEAD"],
  ] as const)("%s allows its own methods only", async ([path, methods, allow]) => {
    for (const method of methods) {
      const answer = await worker.fetch(path, { method, headers: authHeaders(client) });
      const { http, code, message } = errorOf(answer);
      expect([http, code]).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("Allow")).toBe(allow);
      expect(message).toContain(allow);
    }
  });
});

describe("the rate limit", () => {
  // More requests than two windows of a minute let through, so that the window's edge does not matter.
  const MORE_THAN_TWO_WINDOWS = 7;
  const limited = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
  /** The header of an address that no other test calls from. */
  const anAddress = () => {
    const n = unique();
    return { "CF-Connecting-IP": `198.18.${String(Math.floor(n / 256))}.${String(n % 256)}` };
  };

  test("refuses a client's requests over it, says when to come back, and no other client's", async () => {
    const product = simpleProduct();
    const [busy, calm] = [await createClient({ products: [product] }), await createClient()];
    // The limit is the client's, over all isolates: the busy one's record is known to this one already.
    const answers: Answer[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      answers.push(await limited.post(busy, "/api/order", orderOf(product)));
    }
    const [refused] = answers.filter(({ status }) => status !== 200);
    if (!refused) throw new Error("no request was refused");
    expect(errorOf(refused)).toMatchObject({ http: 429, code: "too_many_requests" });
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await limited.get(calm, "/api/products", anAddress())).status).toBe(200);
  });

  test("refuses an address that tries one unknown client after another", async () => {
    const address = anAddress();
    const tries: Answer[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      const nobody = { clientId: `nobody-${String(i)}`, apiKey: "a", apiPassword: "b" };
      tries.push(await limited.get(nobody, "/api/products", address));
    }
    const [first, last] = [tries[0], tries.find(({ status }) => status !== 401)];
    expect(first?.status).toBe(401);
    if (!last) throw new Error("no try was refused");
    expect(errorOf(last).code).toBe("too_many_requests");
    expect(last.headers.get("Retry-After")).toBe("60");
    // Who is over the limit costs the database nothing.
    expect(last.meter.roundTrips).toBe(0);
  });

  test("evaluates nothing of a caller whose address is over it, right or wrong", async () => {
    const from = { "CF-Connecting-IP": "192.0.2.8" };
    const client = await createClient();
    const known = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
    await known.get(client, "/api/credit-balance", { "CF-Connecting-IP": "192.0.2.3" });
    const nobody = { clientId: "nobody", apiKey: "a", apiPassword: "b" };
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) await known.get(nobody, "/api/products", from);

    const digest = vi.spyOn(crypto.subtle, "digest");
    const elsewhere = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
    const answers = [
      await known.get(nobody, "/api/products", from),
      await known.get({ ...nobody, clientId: "x".repeat(100) }, "/api/products", from),
      await known.get({ ...client, apiKey: "" }, "/api/products", from),
      await known.get({ ...client, apiKey: "wrong" }, "/api/products", from),
      await elsewhere.get({ ...client, apiKey: "wrong" }, "/api/products", from),
      await elsewhere.get(client, "/api/products", from),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([429, answers[0]?.text]);
      expect(answer.meter).toEqual(newMeter());
    }
    expect(digest).not.toHaveBeenCalled();
    digest.mockRestore();
    // Others' guesses do not lock out whom the isolate has let in just before.
    expect((await known.get(client, "/api/credit-balance", from)).status).toBe(200);
  });

  test("counts a subscriber's IPv6 addresses as one", async () => {
    const counted: string[] = [];
    const limit = ({ key }: { key: string }) => {
      counted.push(key);
      return env.RATE_LIMITER.limit({ key });
    };
    const counting = startWorker({ env: { RATE_LIMITER: { limit } } });
    const nobody = { clientId: "nobody", apiKey: "a", apiPassword: "b" };
    for (const address of ["2001:db8:7::1", "2001:0DB8:7:0:ffff::2", "2001:db8:7:1::1"]) {
      await counting.get(nobody, "/api/products", { "CF-Connecting-IP": address });
      await counting.fetch("/redeem/forged", { headers: { "CF-Connecting-IP": address } });
    }
    expect(counted).toEqual([
      ...Array<string>(4).fill("address:2001:db8:7:0::/64"),
      ...Array<string>(2).fill("address:2001:db8:7:1::/64"),
    ]);
  });

  test("counts every refused credential once, whether its id is a client's or not", async () => {
    const counted: string[] = [];
    const RATE_LIMITER = overriding(env.RATE_LIMITER, {
      limit: (options: { key: string }) => {
        counted.push(options.key);
        return env.RATE_LIMITER.limit(options);
      },
    });
    const counting = startWorker({ env: { RATE_LIMITER } });
    const wrong = { ...(await createClient()), apiPassword: "wrong" };
    const nobody = { clientId: "nobody", apiKey: "a", apiPassword: "b" };
    // The client's record is neither in the isolate nor in KV, then it is in both.
    const address = anAddress();
    for (const caller of [wrong, nobody, wrong, nobody, { ...wrong, apiKey: "" }]) {
      expect((await counting.get(caller, "/api/products", address)).status).toBe(401);
    }
    expect(counted).toEqual(Array(5).fill(`address:${address["CF-Connecting-IP"]}`));
    counted.length = 0;
    await counting.get(wrong, "/api/products");
    expect(counted).toEqual(["address:unknown"]);
  });

  test("counts a client's requests against the client, wherever they come from", async () => {
    const counted: string[] = [];
    const RATE_LIMITER = overriding(env.RATE_LIMITER, {
      limit: (options: { key: string }) => {
        counted.push(options.key);
        return env.RATE_LIMITER.limit(options);
      },
    });
    const counting = startWorker({ env: { RATE_LIMITER } });
    const client = await createClient();
    // An unknown id counts against its address before it is looked for in the database.
    await counting.get(client, "/api/products", anAddress());
    counted.length = 0;
    await counting.get(client, "/api/products", anAddress());
    await counting.get(client, "/api/credit-balance", anAddress());
    expect(counted).toEqual(Array(2).fill(`client:${client.clientId}`));
  });

  test("holds for a suspended client, too", async () => {
    const client = await createClient({ status: "suspended" });
    const address = anAddress();
    const statuses: number[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      statuses.push((await limited.get(client, "/api/products", address)).status);
    }
    expect(statuses[0]).toBe(403);
    expect(statuses).toContain(429);
  });
});

describe("an unexpected error", () => {
  test("is one fixed sentence for the caller, and whole in the log", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const broken = startWorker({ env: { DB: env.EMPTY_DB } });
    const log = vi.spyOn(console, "error").mockReturnValue();

    // Once with a database that fails at authentication, once more with the client's record from KV.
    const cold = await broken.get(client, "/api/products");
    expect(cold.status).toBe(500);
    await worker.get(client, "/api/credit-balance");
    const answers = [
      cold,
      await broken.get(client, "/api/products?limit=7"),
      await broken.get(client, "/api/product?product_id=1"),
      await broken.get(client, "/api/order?order_id=1"),
      await broken.get(client, "/api/credit-balance"),
      await broken.post(client, "/api/order", orderOf(product)),
      await broken.post(client, "/api/gift-link", orderOf(product)),
    ];
    for (const answer of answers) {
      expect(errorOf(answer)).toEqual({
        http: 500,
        status: "error",
        code: "internal_error",
        message: "Something went wrong on our side.",
      });
      expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/D1|SQL|no such table/);
      const id = answer.headers.get("X-Request-Id") ?? "";
      const logged = log.mock.calls
        .flat()
        .map(String)
        .filter((line) => line.includes(id));
      expect(logged).toHaveLength(1);
      expect(logged[0]).toContain("no such table");
      expect(logged[0]).not.toContain("example.com");
    }
    log.mockRestore();
  });
});

describe("any input", () => {
  // Texts of every kind, halves of surrogate pairs and names that JavaScript objects have by themselves.
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\ud800", "\u0000", "__proto__", "constructor", "toString", "1001", "AUD", ""),
  );
  const anyValue = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    anyText,
    fc.constantFrom<unknown>(0, -1, 0.5, 1e308, 2 ** 53, [], {}, [[]], null, true),
  );

  const unlimited = simpleProduct({}, { quantity: 1_000_000 });
  const template = orderOf(unlimited, {
    gift_of_choice: "Y",
    order_branding: "platform",
    recipient_details: recipients(2),
  });

  test("gives no 5xx, and writes an order only with a 200", async () => {
    const client = await createClient({ products: [unlimited] });
    const mutation = fc.record({
      path: fc.constantFrom(...pathsOf(template)),
      replacement: fc.oneof(anyValue, fc.constant(undefined)),
    });
    const anyBody = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(template)), anyValue) },
      {
        weight: 4,
        arbitrary: fc
          .array(mutation, { minLength: 1, maxLength: 2 })
          .map((mutations) =>
            mutations.reduce<unknown>(
              (body, { path, replacement }) => mutated(body, path, replacement),
              { ...template, order_ref_id: `ref-${String(unique())}` },
            ),
          ),
      },
    );
    const statuses = new Set<number>();
    let before = await databaseState();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PLACEMENTS), anyBody, async (path, body) => {
        const answer = await worker.post(client, path, JSON.stringify(body));
        statuses.add(answer.status);
        const after = await databaseState();
        const placed = answer.status === 200 && !answer.headers.has("Idempotent-Replayed");
        if (answer.status !== 200) errorOf(answer);
        expect(answer.status).toBeLessThan(500);
        expect(after.orders - before.orders).toBe(placed ? 1 : 0);
        if (!placed) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: 300 },
    );
    // Both kinds were seen, or the property would say nothing.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
  });

  test("in a query gives no 5xx and writes nothing", async () => {
    const client = await createClient({ products: [unlimited] });
    const before = await databaseState();
    const parameters = {
      "/api/products": ["limit", "page", "product_type"],
      "/api/product": ["product_id"],
      "/api/order": ["order_id", "order_number", "order_ref_id"],
      "/api/credit-balance": ["currency"],
    };
    const anyQuery = fc
      .constantFrom(...Object.entries(parameters))
      .chain(([path, names]) =>
        fc
          .array(
            fc.tuple(
              fc.oneof(fc.constantFrom(...names), anyText),
              fc.oneof(anyText, fc.integer().map(String)),
            ),
          )
          .map((pairs) => `${path}?${new URLSearchParams(pairs).toString()}`),
      );
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const answer = await worker.get(client, query);
        expect([200, 400, 404]).toContain(answer.status);
      }),
      { numRuns: 200 },
    );
    expect(await databaseState()).toEqual(before);
  });
});
