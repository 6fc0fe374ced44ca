// Misspelt fields of a body, which are refused where other unknown fields are ignored.
import { beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "../../support/errors.ts";
import { openShop, orderOf, ordersOf, recipients } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});

/** The recipient with another field. */
const recipientWith = (fields: object) => ({
  recipient_details: recipients(1).map((recipient) => ({ ...recipient, ...fields })),
});

const address = recipientWith({ delivery_address: { post_code: "2000" } });
const message = recipientWith({ redemption_message: "Hi" });
const LATER = "2030-01-01";

test.each<[path: string, field: string, body: object, meant: string]>([
  ["order", "redeemBy", { redeemBy: LATER }, "redeem_by of POST /api/gift-link"],
  ["order", "redeem_by", { redeem_by: LATER }, "redeem_by of POST /api/gift-link"],
  ["order", "redemBy", { redemBy: LATER }, "redeem_by of POST /api/gift-link"],
  ["order", "send_method", { send_method: "link" }, "send_method of POST /api/gift-link"],
  ["order", "qty", { qty: 2 }, "qty of POST /api/quote"],
  ["order", "Variation-ID", { "Variation-ID": 7 }, "variation_id"],
  ["order", "metdaata", { metdaata: {} }, "metadata"],
  ["gift-link", "gift_of_chioce", { gift_of_chioce: "Y" }, "gift_of_choice"],
  ["gift-link", "redeemBy", { redeemBy: LATER, redeem_by: LATER }, "redeem_by"],
  ["gift-link", "[0].mesage", recipientWith({ mesage: "Hi" }), "redemption_message"],
  ["gift-link", "[0].frist_name", recipientWith({ frist_name: "A" }), "first_name"],
  ["order", "[0].delivery_address.post_code", address, "postcode_zipcode"],
  ["order", "[0].redemption_message", message, "redemption_message of POST /api/gift-link"],
])(
  "a body of POST /api/%s with %s is refused and changes nothing",
  async (path, name, fields, meant) => {
    const { product, client } = shop;
    const before = await ordersOf(client.clientId);
    const answer = await worker.post(client, `/api/${path}`, { ...orderOf(product), ...fields });
    const { http, code, errors } = errorOf(answer);
    expect([http, code]).toEqual([400, "validation_error"]);
    const field = name.replace(/^\[/, "recipient_details[");
    expect(errors?.find((error) => error.field === field)?.message).toContain(`mean ${meant}?`);
    expect(await ordersOf(client.clientId)).toBe(before);
  },
);

const RECIPIENT = "recipient_details[1]";
const ADDRESS = `${RECIPIENT}.delivery_address`;
const inAddress = (name: string) => `belongs into ${ADDRESS} as ${name}`;

// The path of a field in the second recipient, or at the top if it begins with a slash, and its message.
test.each<[path: string, fields: Record<string, string>]>([
  [
    "order",
    {
      "/phone": "recipient_details[0] as phone_number",
      "/city": "recipient_details[0].delivery_address as suburb",
      "/first_name": "belongs into recipient_details[0]",
      "/shipping_address": "recipient_details[0] as delivery_address",
      "/message": "recipient_details[0] as redemption_message of POST /api/gift-link",
      "/language": "recipient_details[0] of POST /api/gift-link",
      "/quantity": "qty of POST /api/quote",
      "/sku": "mean product_id?",
      "/dry_run": "POST /api/quote",
      "/recipients": "mean recipient_details?",
      quantity: "belongs into the body itself as qty of POST /api/quote",
      city: inAddress("suburb"),
      ZIP: inAddress("postcode_zipcode"),
      country: `belongs into ${ADDRESS}`,
      name: "mean first_name?",
      address: "mean delivery_address?",
      base_location: "belongs into the body itself",
      "delivery_address.street": "mean address_line_1?",
      "delivery_address.full_name": `belongs into ${RECIPIENT} as first_name`,
      "delivery_address.phone_number": `belongs into ${RECIPIENT}`,
      "delivery_address.delivery_notes": `belongs into ${RECIPIENT}`,
    },
  ],
  [
    "gift-link",
    {
      "/messsage": "recipient_details[0] as redemption_message",
      "/redemption_message": "belongs into recipient_details[0]",
      "/locale": "recipient_details[0] as language",
      "/delivery_notes": "belongs into recipient_details[0]",
      gift_message: "mean redemption_message?",
      redeem_by: "belongs into the body itself",
      "delivery_address.language": `belongs into ${RECIPIENT}`,
    },
  ],
  ["order/correct", { "/city": "delivery_address as suburb", "/phone": "mean phone_number?" }],
  ["sandbox/event", { "/zip": "delivery_address as postcode_zipcode" }],
  ["webhook", { "/events": "mean event_types?", "/dryRun": "POST /api/quote" }],
  ["credential", { "/amount": "belongs into limits[0]" }],
])("POST /api/%s refuses a field that belongs elsewhere, with its place", async (path, fields) => {
  const { client, product } = shop;
  const before = await ordersOf(client.clientId);
  const [first, second] = structuredClone(recipients(2));
  const body: Record<string, unknown> = orderOf(product, { recipient_details: [first, second] });
  for (const field of Object.keys(fields)) {
    const [name = "", inner] = field.split(".");
    let target: Record<string, unknown> = second as never;
    if (name.startsWith("/")) target = body;
    else if (inner !== undefined) target = second?.delivery_address as never;
    target[inner ?? name.replace("/", "")] = "x";
  }
  const { http, code, errors } = errorOf(await worker.post(client, `/api/${path}`, body));
  expect([http, code]).toEqual([400, "validation_error"]);
  for (const [field, message] of Object.entries(fields)) {
    const name = field.startsWith("/") ? field.slice(1) : `${RECIPIENT}.${field}`;
    const found = errors?.find((each) => each.field === name)?.message;
    expect([field, found]).toEqual([field, expect.stringContaining(message)]);
  }
  expect(await ordersOf(client.clientId)).toBe(before);
});

test("a request that takes effect refuses dry_run", async () => {
  const { client, product } = shop;
  const { code } = errorOf(await worker.post(client, "/api/order?dryRun=1", orderOf(product)));
  expect(code).toBe("validation_error");
});

describe("a body", () => {
  test("may have fields that resemble no other", async () => {
    const { product, client } = shop;
    // These values count as leaving a field out.
    const others = {
      campaign: "May",
      note_to_self: "x",
      redeemBy: null,
      dry_run: false,
      phone: "",
      city: [],
    };
    const metadata = { postcode: "2000", curency: "AUD" };
    const body = orderOf(product, {
      ...others,
      ...recipientWith({ title: "Dr", metadata, department: { frist_name: "A" } }),
    });
    for (const path of ["/api/order", "/api/gift-link"]) {
      const answer = await worker.post(client, path, { ...body, metadata, order_ref_id: path });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  test("may have words that resemble a known name and mean something else", async () => {
    const { product, client } = shop;
    const [person] = recipients(1);
    const words =
      "project_id product products sent_at sender messageId current source stage company note end_date";
    const body = orderOf(product, {
      ...Object.fromEntries(words.split(" ").map((word) => [word, "x"])),
      ...recipientWith({
        email_3: "b@example.com",
        phone2: "x",
        names: "x",
        class_name: "3b",
        title: "Dr",
        notes: "VIP",
        delivery_address: { ...person?.delivery_address, county: "Kent", stage: "x" },
      }),
    });
    for (const path of ["/api/order", "/api/gift-link"]) {
      const answer = await worker.post(client, path, { ...body, order_ref_id: `${path} words` });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test.each(["recipient_details", "metadata", "unknown"])(
    "with deeply nested lists in %s gets no internal error",
    async (field) => {
      const { product, client } = shop;
      const others = { ...orderOf(product), [field]: undefined };
      const nested = "[".repeat(20_000) + "]".repeat(20_000);
      const body = `${JSON.stringify(others).slice(0, -1)},"${field}":${nested}}`;
      const answer = await worker.post(client, "/api/order", body);
      expect(answer.status, answer.text).toBe(field === "unknown" ? 200 : 400);
    },
  );

  test("with a long list of misspelt fields gets a short response", async () => {
    const { product, client } = shop;
    const people = Array.from({ length: 20_000 }, () => ({ frist_name: "A" }));
    const body = orderOf(product, { recipient_details: people });
    const { status, text } = await worker.post(client, "/api/order", body);
    expect([status, text.length < 500_000]).toEqual([400, true]);
  });

  test("is refused with all misspelt and all invalid fields, in little time", async () => {
    const { product, client } = shop;
    const people = recipients(500).map((person, index) => ({
      ...person,
      frist_name: "A",
      [`unknown_${String(index)}`]: 1,
    }));
    const body = {
      ...orderOf(product, { recipient_details: people }),
      curency: "AUD",
      currency: "x",
    };
    const startedAtMs = performance.now();
    const { errors } = errorOf(await worker.post(client, "/api/order", body));
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    const fields = errors?.map(({ field }) => field);
    expect(fields).toHaveLength(502);
    expect(fields).toEqual(
      expect.arrayContaining(["curency", "currency", "recipient_details[499].frist_name"]),
    );
  });
});
