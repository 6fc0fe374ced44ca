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
  ["order", "messsage", { messsage: "Hi" }, "redemption_message of POST /api/gift-link"],
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

describe("a body", () => {
  test("may have fields that resemble no other", async () => {
    const { product, client } = shop;
    // Null is the same as leaving a field out.
    const others = { campaign: "May", note_to_self: "x", foo: 1, redeemBy: null };
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
      "project_id product products sent_at sender messageId current source mobile quantity";
    const body = orderOf(product, {
      ...Object.fromEntries(words.split(" ").map((word) => [word, "x"])),
      ...recipientWith({
        email2: "b@example.com",
        class_name: "3b",
        mobile: "1",
        delivery_address: { ...person?.delivery_address, county: "Kent", company: "x" },
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
      expect(answer.status).toBe(field === "unknown" ? 200 : 400);
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
