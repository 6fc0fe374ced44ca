// What a gift-link order has for the gift page, and what recipients write there: the sender, the language, the thank-you
// note and the corrected e-mail address.
import { describe, expect, test } from "vitest";
import { errorOf } from "../support/errors.ts";
import { openShop, orderOf, ordersOf, recipients } from "../support/fixtures.ts";
import { createSampleShop, placeGiftLink } from "../support/orders.ts";
import { type Credentials, expectReplay, startWorker } from "../support/worker.ts";
import { sql } from "../support/sql.ts";

const worker = startWorker();

const get = (client: Credentials, orderRefId: string, include?: string) =>
  worker.get(
    client,
    `/api/order?order_ref_id=${orderRefId}${include === undefined ? "" : `&include=${include}`}`,
  );

const storedOf = (orderId: number) =>
  sql(
    `SELECT o.sender_name AS sender, json_group_array(s.language ORDER BY s.sequence) AS languages
     FROM orders o JOIN gifts s ON s.order_id = o.id WHERE o.id = ?`,
    orderId,
  ).first<{ sender: string | null; languages: string }>();

/** Texts, and the tags of the languages that they name. */
const LANGUAGES = {
  german: "de",
  Deutsch: "de",
  de_DE: "de-DE",
  ger: "de",
  " fr\u200b": "fr",
  "pt_BR.UTF-8": "pt-BR",
  "Traditional Chinese": "zh-Hant",
};

/** Recipients with these languages. */
const speakers = (...languages: unknown[]) =>
  recipients(languages.length).map((person, index) => ({ ...person, language: languages[index] }));

describe("sender_name and language of POST /api/gift-link", () => {
  test("are stored, the language in its canonical form, and also if the page does not have it", async () => {
    const { product, client } = await createSampleShop();
    const placed = await placeGiftLink(
      worker,
      client,
      orderOf(product, {
        sender_name: "Inès 太郎",
        recipient_details: speakers(
          ...["de-at", "ZH-hant-tw", "tlh", "iw", null, "", ...Object.keys(LANGUAGES)],
        ),
      }),
    );
    const stored = await storedOf(placed.order_data.order_id);
    expect(stored?.sender).toBe("Inès 太郎");
    expect(JSON.parse(stored?.languages ?? "")).toEqual([
      ...["de-AT", "zh-Hant-TW", "tlh", "he", null, null, ...Object.values(LANGUAGES)],
    ]);
  });

  test("write no further row and need no further round trip", async () => {
    const { product, client } = await createSampleShop();
    await worker.post(client, "/api/gift-link", orderOf(product));
    const without = await worker.post(client, "/api/gift-link", orderOf(product));
    const body = orderOf(product, { sender_name: "Ada", recipient_details: speakers("fr") });
    const { status, meter } = await worker.post(client, "/api/gift-link", body);
    expect(status).toBe(200);
    expect(meter).toEqual(without.meter);
  });

  test("are part of the request: the same values replay the order, and other values conflict", async () => {
    const { product, client } = await createSampleShop();
    const body = orderOf(product, { sender_name: "Ada", recipient_details: speakers("fr") });
    const first = await worker.post(client, "/api/gift-link", body);
    const replay = await worker.post(client, "/api/gift-link", body);
    expectReplay(replay, first);
    expect(replay.meter.rowsWritten).toBe(0);
    for (const changes of [
      { sender_name: "Eve" },
      { sender_name: undefined },
      { recipient_details: speakers("de") },
      { recipient_details: speakers(undefined) },
    ]) {
      const { json } = await worker.post(client, "/api/gift-link", { ...body, ...changes });
      expect([changes, json.code]).toEqual([changes, "order_ref_conflict"]);
    }
  });

  test("are refused if they are invalid", async () => {
    const { product, client } = await createSampleShop();
    const fieldsFor = async (changes: Record<string, unknown>) => {
      const answer = await worker.post(client, "/api/gift-link", orderOf(product, changes));
      return errorOf(answer).errors?.map(({ field }) => field);
    };
    for (const sender_name of ["x".repeat(101), "\u0007", "{{sender}}", "undefined", 7]) {
      expect(await fieldsFor({ sender_name })).toEqual(["sender_name"]);
    }
    for (const language of [
      ...["jp", "deutsch-sprache!", "germanic"],
      ...["de-x-abcdefgh-abcdefgh-abcdefgh-abcdefgh", ["de"]],
    ]) {
      const recipient_details = speakers("de", language);
      expect(await fieldsFor({ recipient_details })).toEqual(["recipient_details[1].language"]);
    }
    expect(await ordersOf(client.clientId)).toBe(0);
  });

  test("are refused by POST /api/order, and ignored by POST /api/quote", async () => {
    const { product, client } = await createSampleShop();
    const body = orderOf(product, { sender_name: "Ada", recipient_details: speakers("fr") });
    const { errors } = errorOf(await worker.post(client, "/api/order", body));
    const fields = errors?.map(({ field }) => field).sort();
    expect(fields).toEqual(["recipient_details[0].language", "sender_name"]);
    const quote = { ...body, qty: 1, recipient_details: undefined, sender_name: 7 };
    expect((await worker.post(client, "/api/quote", quote)).status).toBe(200);
  });
});

const NOTE = 'Thank you!\n"It\'s" <b>lovely</b> 🎁';
const THANKED_AT_MS = Date.UTC(2026, 4, 7, 8, 9, 10, 11);

/** An order of two gifts. The recipient of the second one has corrected the e-mail address and sent a note. */
async function placeThanked() {
  const { product, client } = await createSampleShop();
  const body = orderOf(product, { metadata: { a: "b" }, recipient_details: recipients(2) });
  const placed = await placeGiftLink(worker, client, body);
  await sql(
    `UPDATE gifts SET redemption_status = 'redeemed', redeemed_at_ms = 1,
       delivery_email = 'home@example.com', thank_you = ?, thanked_at_ms = ?
     WHERE order_id = ? AND sequence = 2`,
    NOTE,
    THANKED_AT_MS,
    placed.order_data.order_id,
  ).run();
  return { client, product, orderRefId: body.order_ref_id };
}

type Recipient = { recipient_details: object } & Record<string, unknown>;

test("thank_you and delivery_email of GET /api/order are returned only if `include` names them", async () => {
  const { client, orderRefId } = await placeThanked();
  const plain = await get(client, orderRefId);
  expect(plain.text).not.toMatch(/thank_you|delivery_email|home@example.com/);
  const metadata = await get(client, orderRefId, "metadata");
  expect(metadata.text).not.toMatch(/thank_you|delivery_email|home@example.com/);

  const thank_you = { message: NOTE, created_at: "2026-05-07T08:09:10.011Z" };
  const [first, second] = plain.json.recipients as [Recipient, Recipient];
  const { json } = await get(client, orderRefId, "thank_you");
  expect(json).toEqual({
    ...plain.json,
    recipients: [
      { ...first, thank_you: null },
      { ...second, thank_you },
    ],
  });
  const corrected = await get(client, orderRefId, "delivery_email");
  const withEmail = (recipient: Recipient, delivery_email: string | null) => ({
    ...recipient,
    recipient_details: { ...recipient.recipient_details, delivery_email },
  });
  expect(corrected.json).toEqual({
    ...plain.json,
    recipients: [withEmail(first, null), withEmail(second, "home@example.com")],
  });
  const all = await get(client, orderRefId, "delivery_email,metadata,thank_you,metadata");
  expect(all.json).toEqual({
    ...metadata.json,
    recipients: (metadata.json.recipients as [Recipient, Recipient]).map((each, index) => ({
      ...withEmail(each, index === 0 ? null : "home@example.com"),
      thank_you: index === 0 ? null : thank_you,
    })),
  });
});

test("thank_you and delivery_email of GET /api/order cost no further row or round trip", async () => {
  const { client, orderRefId } = await placeThanked();
  const plain = await get(client, orderRefId);
  const all = await get(client, orderRefId, "metadata,thank_you,delivery_email,details");
  expect(all.meter).toEqual(plain.meter);
  expect(all.meter.roundTrips).toBe(1);
});

const PLACED_AT_MS = Date.UTC(2026, 4, 6, 7, 8, 9, 10);
const CANCELLED_AT_MS = PLACED_AT_MS + 1_000;

test("include=details of GET /api/order adds what GET /api/orders shows, the sender and each recipient's language and last day", async () => {
  const { product, client } = await openShop();
  const [first, second] = recipients(2);
  const body = orderOf(product, {
    redeem_by: "2027-01-31",
    sender_name: "Grace Liu",
    campaign: "Spring",
    recipient_details: [{ ...first, language: "pt-br" }, second],
  });
  const placing = startWorker({ now: () => PLACED_AT_MS });
  const placed = await placeGiftLink(placing, client, body);
  const { credentials } = (await worker.get(client, "/api/credentials")).json;
  const credential_id = (credentials as { credential_id: number }[])[0]?.credential_id;
  const expectDetails = async (updated_at: string, refunded: string) => {
    const plain = await get(client, body.order_ref_id);
    const { json } = await get(client, body.order_ref_id, "details");
    type Each = Record<"recipient_details", object>;
    const details = { order_ref_id: body.order_ref_id, redeem_by: "2027-01-31", updated_at };
    expect(json).toEqual({
      ...plain.json,
      ...details,
      collection: null,
      sender_name: "Grace Liu",
      campaign: "Spring",
      credential_id,
      order_totals: { ...plain.json.order_totals, refunded },
      recipients: (plain.json.recipients as Each[]).map((each, index) => ({
        ...each,
        redeem_by: "2027-01-31",
        opened_at: null,
        refunded: index === 1 ? refunded : "0.00",
        credential_id: refunded === "31.20" && index === 1 ? credential_id : null,
        recipient_details: {
          ...each.recipient_details,
          language: index === 0 ? "pt-BR" : null,
        },
      })),
    });
    const listed = await worker.get(client, "/api/orders");
    expect(listed.json.orders).toMatchObject([{ ...details, order_totals: { refunded } }]);
  };
  await expectDetails("2026-05-06T07:08:09.010Z", "0.00");
  await startWorker({ now: () => CANCELLED_AT_MS }).post(client, "/api/order/cancel", {
    order_ref_id: body.order_ref_id,
    suborder_ids: [placed.recipient_return[1]?.suborder_id],
  });
  await expectDetails("2026-05-06T07:08:10.010Z", "31.20");
});

test("include=details of GET /api/order has nulls for what an order was placed without", async () => {
  const { product, client } = await createSampleShop();
  const body = orderOf(product);
  await worker.post(client, "/api/order", body);
  const { json } = await get(client, body.order_ref_id, "details");
  expect(json).toMatchObject({
    order_ref_id: body.order_ref_id,
    redeem_by: null,
    sender_name: null,
    order_totals: { refunded: "0.00" },
    recipients: [{ recipient_details: { language: null } }],
  });
});
