// The fields of POST /api/order and POST /api/gift-link: what is refused, and with which message.
import { beforeAll, describe, expect, test } from "vitest";
import { createShop, PLACEMENTS, refusalOf, type TestShop } from "../../support/errors.ts";
import { ADDRESS, openShop, orderOf, recipients } from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const refused = (body: unknown, client = shop.client) => refusalOf(worker, client, path, body);

  test("refuses a body without a product_id before it reports any other error", async () => {
    for (const body of [{}, { product_id: null }, { order_ref_id: 5, currency: "no" }]) {
      expect(await refused(body)).toMatchObject({
        http: 400,
        code: "product_id_required",
        message: expect.stringContaining("product_id must be set") as string,
      });
    }
  });

  const recipient = recipients(1)[0];
  const withRecipient = (changes: object) => ({
    recipient_details: [{ ...recipient, ...changes }],
  });
  const withoutCharacter = (code: string) => `must be well-formed text, without U+${code}`;

  type Refusal = [field: string, message: string, changes: Record<string, unknown>];
  test.for<Refusal>([
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
    ].map((email): Refusal => [
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
  ])("refuses %s: %s", async ([field, message, changes]) => {
    expect(await refused(orderOf(shop.product, changes))).toMatchObject({
      http: 400,
      code: "validation_error",
      message: `${field} ${message}.`,
      errors: [{ field, message }],
    });
  });

  test("refuses a number that exceeds the range of JavaScript", async () => {
    const body = JSON.stringify(orderOf(shop.product)).replace(
      /"product_id":\d+/,
      '"product_id":1e999',
    );
    const { http, errors } = await refused(body);
    expect(http).toBe(400);
    expect(errors?.map(({ field }) => field)).toEqual(["product_id"]);
  });

  test("refuses deeply nested JSON in place of a string", async () => {
    const body = JSON.stringify(orderOf(shop.product, { currency: "DEEP" })).replace(
      '"DEEP"',
      '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
    );
    expect(await refused(body)).toMatchObject({
      http: 400,
      errors: [{ field: "currency", message: "must be a string" }],
    });
  });

  test("reports all invalid fields at once", async () => {
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

  test("ignores a product_id in __proto__", async () => {
    const { code } = await refused('{"__proto__": {"product_id": 1}, "order_ref_id": "a"}');
    expect(code).toBe("product_id_required");
  });
});

describe("POST /api/gift-link", () => {
  test.for<[field: string, message: string, value: unknown]>([
    ["gift_of_choice", "must be Y or N", "y"],
    ["gift_of_choice", "must be Y or N", true],
    ["order_branding", "must be platform or company", "custom"],
    ["order_branding", "must be platform or company", ["platform"]],
    [
      ...(["recipient_details[0].redemption_message", "must be a string"] as const),
      recipients(1).map((person) => ({ ...person, redemption_message: ["Hi"] })),
    ],
  ])("refuses %s: %s (%j)", async ([field, message, value]) => {
    const { product, client } = await createShop();
    const body = orderOf(product, { [field.split("[")[0] ?? ""]: value });
    expect(await refusalOf(worker, client, "/api/gift-link", body)).toMatchObject({
      http: 400,
      code: "validation_error",
      errors: [{ field, message }],
    });
  });

  test("stores names and messages of any script unchanged", async () => {
    const { product, client } = await openShop();
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
