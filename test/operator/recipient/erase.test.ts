// Erasing the personal data of recipients: what remains, who may still write, and what the API answers afterwards.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import texts from "../../../public/languages/en.json";
import { shownRow } from "../../../src/operator/declaration/output.ts";
import { EXPORT_COLUMNS, exportRow } from "../../../src/operator/recipient/export.ts";
import { listByEmail, readAllStates, readStored } from "../../../src/operator/recipient/queries.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { obstacleOf } from "../../../src/operator/recipient/person.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { expireGifts } from "../../../src/features/lifecycle/expire.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import { openShop, brokenAccounts, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { changeParcels, accept, postForm, thank, TICKED } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import {
  personalColumns,
  personalColumnsAnywhere,
  createFinished,
  createPersonal,
  type PersonalGift,
  redeem,
  ship,
} from "../../features/privacy/personal.ts";
import { runs } from "../../support/runs.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

const idOf = ({ orderId }: { orderId: number }, sequence = 1) => orderId * 1000 + sequence;

const erase = (gift: PersonalGift, db: D1Database = env.DB) =>
  eraseGifts(db, [idOf(gift)], Date.now());

async function stateOf(gift: PersonalGift, sequence = 1) {
  const [state] = await readAllStates(env.DB, { ids: [idOf(gift, sequence)], clientId: null });
  if (!state) throw new Error("there is no such gift");
  return state;
}

const isErased = async (gift: PersonalGift, sequence = 1) =>
  (await stateOf(gift, sequence)).erasedAtMs !== null;

const stored = async (gift: PersonalGift) =>
  (await readStored(env.DB, { ids: [idOf(gift)], clientId: null })).map((each) =>
    shownRow(EXPORT_COLUMNS, exportRow(each)),
  );

/** The sums of the order, its gifts and its client that an erasure must not change. */
async function arithmeticOf({ orderId, client }: PersonalGift) {
  const { results } = await env.DB.prepare(
    `SELECT o.status, o.qty, o.order_total_minor, o.redeemed_gifts, o.cancelled_gifts,
       o.shipped_gifts, o.refunded_minor, o.finished, o.updated_at_ms, o.request_digest,
       s.redemption_status, s.redeemed_at_ms, s.fulfilment, s.product_id, h.status AS shipment,
       h.carrier, h.shipped_at_ms, (SELECT total(quantity) FROM stock WHERE product_id = o.product_id) AS stock,
       (SELECT group_concat(type) FROM events WHERE client_id = o.client_id) AS events,
       (SELECT balance_minor FROM credit_accounts WHERE client_id = ?2 AND currency = 'AUD') AS credit
     FROM orders o JOIN gifts s ON s.order_id = o.id
     LEFT JOIN shipments h ON h.order_id = o.id AND h.sequence = s.sequence WHERE o.id = ?1`,
  )
    .bind(orderId, client.clientId)
    .all();
  return results;
}

describe("an erased gift", () => {
  test("has no personal data in any table, and its amounts, states and events stay", async () => {
    const gift = await createFinished();
    const before = await arithmeticOf(gift);
    expect(await personalColumnsAnywhere(gift)).toEqual([
      ...["gifts.delivery_address", "gifts.delivery_notes"],
      ...["gifts.email", "gifts.email_message", "gifts.external_id"],
      ...["gifts.first_name", "gifts.last_name", "gifts.metadata"],
      ...["gifts.phone_number", "gifts.search_terms", "gifts.thank_you"],
      ...["orders.metadata", "orders.sender_name", "search_terms.term"],
      "shipments.earlier_tracking",
      "shipments.tracking_number",
    ]);
    await erase(gift);
    expect(await personalColumnsAnywhere(gift)).toEqual([]);
    expect(await arithmeticOf(gift)).toEqual(before);
    expect(await brokenAccounts()).toEqual([]);
  });

  test("is exported without its data", async () => {
    const gift = await createFinished();
    await erase(gift);
    const [after] = await stored(gift);
    expect(JSON.stringify(after)).not.toContain(gift.marker);
    expect(after).toMatchObject({
      first_name: "Erased",
      last_name: "recipient",
      email: "",
      metadata: null,
      status: "redeemed",
      shipment: "shipped",
      carrier: "DHL",
      erased: expect.any(String),
    });
  });
});

describe("the API of an erased gift", () => {
  let gift: PersonalGift;
  let placed: Answer;
  beforeAll(async () => {
    gift = await createFinished();
    placed = await worker.post(gift.client, "/api/gift-link", gift.body);
    await erase(gift);
  });

  test("returns it without personal data, in the documented format", async () => {
    const { client, orderId, marker } = gift;
    const order = `order_id=${String(orderId)}`;
    const include = "include=metadata,thank_you,delivery_email";
    const paths = [
      `/api/order?${order}`,
      `/api/order?${order}&${include}`,
      `/api/shipments?${order}`,
      "/api/shipments?updated_from=2020-01-01",
      ...["/api/orders", "/api/events?limit=500"],
    ];
    for (const path of paths) {
      const answer = await worker.get(client, path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text.toLowerCase()).not.toContain(marker);
    }
    const shipments = await worker.get(client, `/api/shipments?${order}`);
    expect(shipments.json.shipments).toMatchObject([
      { shipment_status: "shipped", carrier: "DHL", tracking_number: null, tracking_url: null },
    ]);
  });

  test("returns it as an erased recipient", async () => {
    const query = `order_id=${String(gift.orderId)}&include=metadata,thank_you,delivery_email`;
    const { json } = await worker.get(gift.client, `/api/order?${query}`);
    expect(json.recipients[0]).toMatchObject({
      recipient_details: {
        name: "Erased recipient",
        email: "",
        email_message: "",
        phone_number: "NA",
        delivery_address: { address_line_1: null, country: null },
        delivery_notes: null,
        gift_url: expect.stringContaining(gift.path),
        delivery_email: null,
      },
      redemption_status: "redeemed",
      external_id: null,
      metadata: {},
      thank_you: null,
    });
    expect(json.metadata).toEqual({});
  });

  test("answers a repeated placement as before, which stores nothing", async () => {
    const again = await worker.post(gift.client, "/api/gift-link", gift.body);
    expect([again.status, again.text]).toEqual([200, placed.text]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.meter.rowsWritten).toBe(0);
    const other = { ...gift.body, metadata: { campaign: "other" } };
    expect((await worker.post(gift.client, "/api/gift-link", other)).status).toBe(409);
    expect(await personalColumns(gift)).toEqual([]);
  });

  test("shows a page without personal data, whose forms change nothing", async () => {
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(texts.closed.erased.title);
    for (const hidden of [gift.marker, "recipient", "DHL", "<textarea"]) {
      expect(page.text).not.toContain(hidden);
    }
    const late = `late ${gift.marker}`;
    for (const answer of [
      await thank(worker, gift.path, late),
      await accept(worker, gift.path, { delivery_notes: late }),
      await postForm(worker, gift.path, { step: "decline", reason: "other" }),
    ]) {
      expect([answer.status, answer.text.includes(texts.closed.erased.title)]).toEqual([409, true]);
    }
    expect(await personalColumns(gift)).toEqual([]);
  });

  test("gives it no new link, no tracking and no other shipment", async () => {
    const gift = await createFinished();
    const { client, orderId, marker } = gift;
    await erase(gift);
    const renewed = await worker.post(client, "/api/gift-link/renew", {
      suborder_id: idOf(gift),
      first_name: `First ${marker}`,
      email: gift.email,
    });
    expect([renewed.status, renewed.json.code]).toEqual([409, "not_renewable"]);
    const parcel = { orderId, sequence: 1, carrier: "UPS", trackingNumber: marker };
    for (const step of ["correct", "reopen"] as const) {
      expect(await changeParcels(step, [parcel])).toMatchObject([{ result: "refused" }]);
    }
    expect(await changeParcels("deliver", [parcel])).toMatchObject([{ result: "delivered" }]);
    expect(await personalColumns(gift)).toEqual([]);
  });
});

describe("an erasure of one gift", () => {
  test("leaves the other recipients and the texts of their order", async () => {
    const gift = await createPersonal({ further: 1 });
    await redeem(gift);
    await ship(gift);
    await erase(gift);
    expect([await isErased(gift), await isErased(gift, 2)]).toEqual([true, false]);
    expect(await personalColumns(gift)).toEqual(["orders.metadata", "orders.sender_name"]);
    const { json } = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
    expect(json.recipients[1].recipient_details.name).toBe("Noor Haddad");
    await worker.post(gift.client, "/api/order/cancel", { order_id: gift.orderId });
    await eraseGifts(env.DB, [idOf(gift, 2)], Date.now());
    expect(await personalColumns(gift)).toEqual([]);
  });

  test("does not change a gift that is open, unpaid or to be shipped", async () => {
    const open = await createPersonal();
    const unpaid = await createPersonal({ billing: "invoice" });
    const redeemed = await createPersonal();
    await redeem(redeemed);
    for (const gift of [open, unpaid, redeemed]) {
      await erase(gift);
      expect(await isErased(gift)).toBe(false);
      expect(obstacleOf(await stateOf(gift))).not.toBeNull();
      expect(await personalColumns(gift)).toContain("gifts.email");
    }
    // A redemption after the attempt works as before.
    await redeem(open);
  });

  test("does not change a gift that was bought outright until it is shipped or cancelled", async () => {
    const { product, client } = await openShop();
    const ids: number[] = [];
    while (ids.length < 2) {
      const { order_data } = await placeOrder(worker, client, orderOf(product));
      ids.push(idOf({ orderId: order_data.order_id }));
    }
    const states = () => readAllStates(env.DB, { ids, clientId: client.clientId });
    await eraseGifts(env.DB, ids, 1);
    expect((await states()).map(({ erasedAtMs }) => erasedAtMs)).toEqual([null, null]);
    expect((await states()).map(obstacleOf)).not.toContain(null);
    const [first = 0, second = 0] = ids;
    const parcel = { orderId: Math.floor(first / 1000), sequence: 1 };
    await changeParcels("ship", [parcel], 1);
    const order_id = Math.floor(second / 1000);
    await worker.post(client, "/api/order/cancel", { order_id });
    await eraseGifts(env.DB, ids, 7);
    expect((await states()).map(({ erasedAtMs }) => erasedAtMs)).toEqual([7, 7]);
  });

  test("of a declined gift waits for its end, and then shows its page as before", async () => {
    const gift = await createPersonal();
    await postForm(worker, gift.path, { step: "decline", reason: "other" });
    await erase(gift);
    expect(await personalColumns(gift)).not.toEqual([]);
    await expireGifts(env.DB, Date.now() + 8 * DAY_MS);
    await erase(gift);
    const page = await worker.fetch(gift.path);
    expect([page.status, page.text.includes(texts.closed.declined.title)]).toEqual([200, true]);
    expect(await personalColumns(gift)).toEqual([]);
  });
});

describe("an erasure", () => {
  test.each(["before the commit", "after the commit"] as const)(
    "is complete if the database loses the answer %s, and repeating it changes nothing",
    async (when) => {
      // The retry does not wait.
      vi.spyOn(scheduler, "wait").mockResolvedValue();
      const gift = await createFinished();
      await erase(gift, failingBatches(new Error(LOST), when, 1));
      expect(await personalColumns(gift)).toEqual([]);
      const { erasedAtMs } = await stateOf(gift);
      const meter = newMeter();
      await erase(gift, meteredD1(env.DB, meter));
      expect((await stateOf(gift)).erasedAtMs).toBe(erasedAtMs);
      expect(meter.rowsWritten).toBe(0);
    },
  );

  test("and a thank-you note, a renewal or a correction at the same time leave no data", async () => {
    for (let n = 0; n < runs(20); n++) {
      const gift = await createPersonal();
      await redeem(gift);
      await ship(gift);
      const { orderId, marker } = gift;
      const parcel = { orderId, sequence: 1, carrier: "UPS", trackingNumber: marker };
      const [note] = await Promise.all([
        thank(worker, gift.path, `Thanks from ${marker}`),
        worker.post(gift.client, "/api/gift-link/renew", {
          suborder_id: idOf(gift),
          first_name: marker,
        }),
        changeParcels("correct", [parcel]),
        erase(gift),
        erase(gift),
      ]);
      expect([303, 409, 410]).toContain(note.status);
      expect(await personalColumns(gift)).toEqual([]);
    }
  });

  test("reads and writes rows in proportion to the gifts and their terms", async () => {
    const costs = [];
    for (const count of [20, 200]) {
      const gift = await createPersonal({
        further: count - 1,
        products: [simpleProduct({}, { quantity: 500 })],
      });
      await worker.post(gift.client, "/api/order/cancel", { order_id: gift.orderId });
      const ids = Array.from({ length: count }, (_, n) => idOf(gift, n + 1));
      const meter = newMeter();
      await eraseGifts(meteredD1(env.DB, meter), ids, Date.now());
      expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 5 * count + 7 });
      costs.push(meter.rowsRead);
    }
    const [small = 0, large = 0] = costs;
    expect(large - small).toBeLessThanOrEqual(190 * 40);
  });
});

describe("the gifts of an e-mail address", () => {
  const findGifts = (email: string, clientId: string | null = null, db = env.DB) =>
    listByEmail(db, { email, clientId, before: null, limit: 10 });

  test("are those of all clients or of one, in any case, also of a corrected address", async () => {
    const first = await createPersonal();
    const digital = simpleProduct({ delivery: "digital" });
    const second = await createPersonal({ products: [digital] });
    await postForm(worker, second.path, {
      ...TICKED,
      step: "accept",
      delivery_email: first.email.toUpperCase(),
    });
    const email = first.email.replace("marker", "MARKER");
    expect(await findGifts(email)).toEqual([idOf(second), idOf(first)]);
    expect(await findGifts(email, first.client.clientId)).toEqual([idOf(first)]);
    expect(await findGifts(`x${first.email}`)).toEqual([]);
    const page = { email, clientId: null, before: idOf(second), limit: 1 };
    expect(await listByEmail(env.DB, page)).toEqual([idOf(first)]);
  });

  test("are found by reading no other recipient", async () => {
    const gift = await createPersonal({ further: 99 });
    const meter = newMeter();
    expect(await findGifts(gift.email, null, meteredD1(env.DB, meter))).toEqual([idOf(gift)]);
    expect(meter.roundTrips).toBe(1);
    expect(meter.rowsRead).toBeLessThanOrEqual(6);
  });

  test("no longer include an erased gift", async () => {
    const gift = await createFinished();
    await erase(gift);
    expect(await findGifts(gift.email)).toEqual([]);
  });
});
