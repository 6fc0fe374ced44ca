// The fields of POST /api/order and POST /api/gift-link: what is refused, and at which field or with which code.
import { beforeAll, describe, expect, test } from "vitest";
import { createShop, PLACEMENTS, refusalOf, type TestShop } from "../../support/errors.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** Values that are refused, by the field of a placement. */
const INVALID: Record<string, unknown[]> = {
  order_ref_id: [
    ...[undefined, null, 5, "", " \t ", "x".repeat(101), "nul\u0000nul", "\ud83c"],
    ...["undefined", "NaN"],
  ],
  product_id: ["01001", true, [1001], 0, -1001, 1001.5, 2 ** 53],
  variation_id: ["1.0", -1, 0.5],
  currency: [undefined, null, 36, "", "aud", "QQQ", "DEM"],
  base_location: [undefined, null, ["AU"], "AUS", "au", "UK"],
  recipient_details: [undefined, null, {}, "Ada", [], recipients(501)],
};

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const refused = (body: unknown, client = shop.client) => refusalOf(worker, client, path, body);

  test("refuses a body without a product_id before it reports any other error", async () => {
    for (const body of [{}, { product_id: null }, { order_ref_id: 5, currency: "no" }]) {
      expect(await refused(body)).toMatchObject({ http: 400, code: "product_id_required" });
    }
  });

  test.for(Object.entries(INVALID))("refuses an invalid %s", async ([field, values]) => {
    for (const value of values) {
      expect(await refused(orderOf(shop.product, { [field]: value }))).toMatchObject({
        http: 400,
        code: "validation_error",
        errors: [{ field }],
      });
    }
  });

  test("refuses deeply nested JSON in place of a string", async () => {
    const body = JSON.stringify(orderOf(shop.product, { currency: "DEEP" })).replace(
      '"DEEP"',
      '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
    );
    expect(await refused(body)).toMatchObject({
      http: 400,
      errors: [{ field: "currency" }],
    });
  });

  test("reports all invalid fields at once", async () => {
    const { errors } = await refused({
      product_id: shop.product.product.id,
      currency: 1,
      recipient_details: [{ first_name: " ", last_name: null, email: "ada" }],
    });
    expect(errors?.map(({ field }) => field)).toEqual([
      ...["order_ref_id", "currency", "base_location"],
      ...["recipient_details[0].email", "recipient_details[0].first_name"],
    ]);
  });

  test("ignores a product_id in __proto__", async () => {
    const { code } = await refused('{"__proto__": {"product_id": 1}, "order_ref_id": "a"}');
    expect(code).toBe("product_id_required");
  });
});

test("POST /api/gift-link refuses a message with a placeholder", async () => {
  const { product, client } = await createShop();
  const recipient = { ...recipients(1)[0], redemption_message: "Dear {{first_name}}," };
  const body = orderOf(product, { recipient_details: [recipient] });
  const { errors } = await refusalOf(worker, client, "/api/gift-link", body);
  expect(errors).toMatchObject([{ field: "recipient_details[0].redemption_message" }]);
});

test("POST /api/gift-link names a character that cannot be seen in a value that it refuses", async () => {
  const { product, client } = await createShop();
  const body = orderOf(product, { gift_of_choice: "Y\u200b" });
  const { errors } = await refusalOf(worker, client, "/api/gift-link", body);
  expect(errors?.[0]?.message).toContain("zero-width space (U+200B)");
});

test("POST /api/gift-link stores names of any script in their normal form, and messages unchanged", async () => {
  const { product, client } = await openShop();
  const people = [
    {
      first_name: "",
      last_name: "🇦🇺 O'Brien-Ñandú",
      redemption_message: '🎁\n"quoted"\\ \t<b>',
    },
    { first_name: "مُحَمَّد", last_name: "בן־דוד", redemption_message: "عيد سعيد" },
    { first_name: "e\u0301", last_name: "\u00e9", redemption_message: "𝒳 𠮷野家" },
    { first_name: "𝐀𝐝𝐚", last_name: "Suharto", redemption_message: "𝐇𝐢" },
    { first_name: "Ｓｕｈａｒｔｏ", last_name: "", redemption_message: "Ｈｉ" },
  ].map((person, index) => ({ ...person, email: `p${String(index)}@example.com` }));
  const answer = await worker.post(
    client,
    "/api/gift-link",
    orderOf(product, { recipient_details: people }),
  );
  const placed = GiftLinkPlacement.parse(answer.json);
  expect(placed.recipient_return).toMatchObject(
    people.map(({ first_name, last_name }) => ({
      first_name: first_name.normalize("NFKC"),
      last_name,
    })),
  );
  const read = await worker.get(
    client,
    `/api/order?order_id=${String(placed.order_data.order_id)}`,
  );
  expect(read.json).toMatchObject({
    recipients: people.map(({ first_name, last_name, redemption_message }) => ({
      recipient_details: {
        name: `${first_name.normalize("NFKC")} ${last_name}`.trim(),
        email_message: redemption_message,
      },
    })),
  });
});

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const refused = (body: unknown, client = shop.client) => refusalOf(worker, client, path, body);

  test.for<[number, string, (shop: TestShop) => object]>([
    [
      ...([422, "product_not_found"] as const),
      ({ product }) => orderOf(product, { product_id: Number.MAX_SAFE_INTEGER }),
    ],
    [422, "variation_not_found", ({ variable }) => orderOf(variable, { variation_id: 7 })],
    [422, "variation_required", ({ variable }) => orderOf(variable, { variation_id: undefined })],
    [422, "variation_not_allowed", ({ product }) => orderOf(product, { variation_id: 1 })],
    [422, "currency_not_available", ({ product }) => orderOf(product, { currency: "USD" })],
    [422, "location_not_available", ({ product }) => orderOf(product, { base_location: "GB" })],
    [
      ...([409, "out_of_stock"] as const),
      ({ product }) => orderOf(product, { recipient_details: recipients(4) }),
    ],
  ])("refuses with a %d %s", async ([http, code, bodyOf]) => {
    expect(await refused(bodyOf(shop))).toMatchObject({ http, code });
  });

  test("refuses a product that is not sellable even if its quantity suffices", async () => {
    const withdrawn = simpleProduct({}, { quantity: 50, sellable: false });
    const client = await createClient({ products: [withdrawn] });
    const error = await refused(orderOf(withdrawn), client);
    expect(error).toMatchObject({ http: 409, code: "out_of_stock" });
    expect(error.message).toContain(": 0 left");
  });

  test("refuses an order that exceeds the credit, and states balance and total", async () => {
    const client = await createClient({ products: [shop.product], creditMinor: 3_119 });
    const error = await refused(orderOf(shop.product), client);
    expect(error).toMatchObject({ http: 402, code: "insufficient_credit" });
    expect(error.message.match(/[\d.]+ AUD/g)).toEqual(["31.19 AUD", "31.20 AUD"]);
  });

  test("refuses an order_ref_id that was used with a different body or on the other endpoint", async () => {
    const { product, client } = await createShop();
    const body = orderOf(product);
    expect((await worker.post(client, path, body)).status).toBe(200);
    const otherPath = PLACEMENTS.find((other) => other !== path) ?? "";
    for (const error of [
      await refused({ ...body, recipient_details: recipients(2) }, client),
      await refusalOf(worker, client, otherPath, body),
    ]) {
      expect(error).toMatchObject({ http: 409, code: "order_ref_conflict" });
    }
  });
});

test("POST /api/gift-link refuses company branding if the client has none", async () => {
  const { product, client } = await createShop();
  const body = orderOf(product, { order_branding: "company" });
  const error = await refusalOf(worker, client, "/api/gift-link", body);
  expect(error).toMatchObject({ http: 422, code: "branding_not_available" });
});
