// The operator's search for orders and gifts.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  findExactly,
  type GiftSearch,
  isLinkOfOrder,
  recognise,
} from "../../../src/operator/orders/find.ts";
import { renewedGiftUrl } from "../../../src/features/orders/gift-link.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  openShop,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  unique,
} from "../../support/fixtures.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";

const ALL: GiftSearch = {
  clientId: null,
  limit: 100,
  fromMs: Number.MIN_SAFE_INTEGER,
  untilMs: Number.MAX_SAFE_INTEGER,
};
const worker = startWorker();

const keys = (gifts: { orderId: number; sequence: number | null }[]) =>
  gifts.map(({ orderId, sequence }) => [orderId, sequence]);

const exactly = (text: string, search: Partial<GiftSearch> = {}) =>
  findExactly(env.DB, recognise(text), { ...ALL, ...search });

describe("recognise", () => {
  const none = { orderIds: [], suborderIds: [], link: null };
  test.each<[string, object]>([
    ["GO-00042", { ...none, orderIds: [42], reference: "GO-00042" }],
    ["go-00042-3", { ...none, suborderIds: [42_003], reference: "go-00042-3" }],
    ["42003", { ...none, orderIds: [42_003], suborderIds: [42_003], reference: "42003" }],
    ["9007199254740991", { ...none, suborderIds: [9007199254740991] }],
    ["go-42", { ...none, orderIds: [42], reference: "go-42" }],
    ["GO-42-3", { ...none, suborderIds: [42_003], reference: "GO-42-3" }],
    ["GO-42-03", { ...none, reference: "GO-42-03" }],
    ["PO-7", { ...none, reference: "PO-7" }],
    ["ada@example.com", { ...none, reference: "ada@example.com" }],
  ])("of %j is %j", (text, expected) => {
    expect(recognise(text)).toMatchObject(expected);
  });

  test("of a gift URL is its sub-order, with text around the link", () => {
    const token = `42003-abcd12345678${"0".repeat(24)}`;
    for (const text of [token, `https://a.example/redeem/${token}`, `</redeem/${token}>`]) {
      expect(recognise(text)).toMatchObject({
        orderIds: [],
        suborderIds: [42_003],
        reference: null,
        link: { orderId: 42, sequence: 3, generation: 0, nonce: "12345678" },
      });
    }
    const renewed = `https://a.example/redeem/42003-2-${token.slice(6)}`;
    expect(recognise(renewed)).toMatchObject({ link: { generation: 2 } });
    for (const text of ["https://a.example/redeem/", `/redeem/${token}x`, "/redeem/42003"]) {
      expect(recognise(text)).toMatchObject({ suborderIds: [], link: null });
    }
  });
});

describe("findExactly", () => {
  test("finds an order by its number, its id and its reference, and a gift by its own", async () => {
    const { product, client } = await openShop();
    const people = recipients(3).map((each, n) => ({ ...each, first_name: `Ada${String(n)}` }));
    const body = orderOf(product, { recipient_details: people });
    const { order_data } = await placeOrder(worker, client, body);
    const { order_id: orderId, order_number: number } = order_data;
    const all = await exactly(number);
    expect(keys(all)).toEqual([1, 2, 3].map((sequence) => [orderId, sequence]));
    expect(all[1]).toEqual({
      orderId,
      sequence: 2,
      clientId: client.clientId,
      orderRefId: body.order_ref_id,
      declinedAtMs: null,
      deliveryEmail: null,
      erasedAtMs: null,
      orderStatus: "paid",
      giftOrderMethod: "api-purchase",
      expiresAtMs: null,
      firstName: "Ada1",
      lastName: "Last1",
      email: "recipient1@example.com",
      redemptionStatus: null,
      linkGeneration: 0,
      shipmentStatus: null,
      createdAtMs: expect.any(Number),
    });
    expect(await exactly(body.order_ref_id)).toEqual(all);
    expect(await exactly(number, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await exactly(`${number}-2`)).toEqual(all.slice(1, 2));
    // Without the client, the digits may also be an id of another test's order or sub-order.
    const own = { clientId: client.clientId };
    expect(await exactly(String(orderId), own)).toEqual(all);
    expect(await exactly(String(orderId * 1_000 + 3), own)).toEqual(all.slice(2));
    expect(await exactly(`${number}-4`)).toEqual([]);
    expect(await exactly(body.order_ref_id.toUpperCase())).toEqual([]);
  });

  test("finds both the order and the gift with an id", async () => {
    const { product, client } = await openShop();
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    const id = order_data.order_id * 1_000 + 1;
    await copyOrder(order_data.order_id, 1, 1_000, { id: String(id) });
    const found = await exactly(String(id), { clientId: client.clientId });
    await env.DB.prepare("DELETE FROM orders WHERE id = ?").bind(id).run();
    const expected = [
      [id, null],
      [order_data.order_id, 1],
    ];
    expect(keys(found)).toEqual(expected);
  });

  test("finds the reference of every client, newest order first, or of one client", async () => {
    const product = simpleProduct();
    const reference = `PO ${String(unique())}`;
    const placed = [];
    for (let n = 0; n < 2; n++) {
      const client = await createClient({ products: [product] });
      const body = orderOf(product, { order_ref_id: reference });
      const { order_data } = await placeOrder(worker, client, body);
      placed.push({ clientId: client.clientId, orderId: order_data.order_id });
    }
    const [first, second] = placed;
    expect((await exactly(reference)).map(({ orderId }) => orderId)).toEqual([
      second?.orderId,
      first?.orderId,
    ]);
    const own = { clientId: first?.clientId ?? "" };
    expect(keys(await exactly(reference, own))).toEqual([[first?.orderId, 1]]);
    expect(await exactly(`GO-${String(second?.orderId).padStart(5, "0")}`, own)).toEqual([]);
    expect(await exactly(reference, { untilMs: 1_000 })).toEqual([]);
    expect(await exactly(reference, { fromMs: Date.now() + 60_000 })).toEqual([]);
  });

  test("finds a gift by its URL, and compares the nonce of the link with the order's", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
    const url = recipient_return[1]?.gift_url ?? "";
    expect(keys(await exactly(url))).toEqual([[order_data.order_id, 2]]);
    const { link } = recognise(url);
    if (!link) throw new Error("the URL has no token");
    expect(await isLinkOfOrder(env.DB, link)).toBe(true);
    expect(await isLinkOfOrder(env.DB, { ...link, nonce: "00000000" })).toBe(false);
    expect(await isLinkOfOrder(env.DB, { ...link, orderId: link.orderId + 1_000_000 })).toBe(false);
    const order = { id: link.orderId, linkKeyId: link.keyId, linkNonce: link.nonce };
    const renewed = await renewedGiftUrl(env, order, { sequence: 2, generation: 1 });
    expect(keys(await exactly(renewed))).toEqual([[order_data.order_id, 2]]);
  });

  test("finds an order without recipients", async () => {
    const { product, client } = await openShop();
    const id = await importListed(client, product, {
      reference: null,
      status: "paid",
      method: "link",
      createdAtMs: 5,
      gifts: [null],
    });
    await env.DB.prepare("DELETE FROM sub_orders WHERE order_id = ?").bind(id).run();
    expect(await exactly(String(id), { clientId: client.clientId })).toMatchObject([
      { orderId: id, sequence: null, email: null },
    ]);
  });

  test("reads the same rows with many orders as with few", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
    const texts = [
      order_data.order_number,
      `${order_data.order_number}-2`,
      body.order_ref_id,
      recipient_return[0]?.gift_url ?? "",
      "no such reference",
    ];
    async function rowsRead(): Promise<number[]> {
      const rows: number[] = [];
      for (const text of texts) {
        const meter = newMeter();
        const wanted = recognise(text);
        await findExactly(meteredD1(env.DB, meter), wanted, ALL);
        expect(meter.roundTrips).toBeLessThanOrEqual(2);
        rows.push(meter.rowsRead);
      }
      return rows;
    }
    // A row after the found one is also read, so there is one from the start.
    await copyOrder(order_data.order_id, 1, 1_000);
    const before = await rowsRead();
    await copyOrder(order_data.order_id, 2_000, 1_000);
    expect(await rowsRead()).toEqual(before);
    const clients = Number(await env.DB.prepare("SELECT count(*) AS n FROM clients").first("n"));
    for (const rows of before) expect(rows).toBeLessThanOrEqual(2 * clients + 12);
  });
});
