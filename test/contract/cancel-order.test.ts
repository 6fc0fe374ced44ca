// POST /api/order/cancel: every field of the response, every refusal, simultaneous requests and lost responses.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { updateClient } from "../../src/operator/client/queries.ts";
import { forgetClient } from "../../src/features/clients/cache.ts";
import { endGifts } from "../../src/features/lifecycle/end.ts";
import { errorOf } from "../support/errors.ts";
import { failingBatches, LOST, watchLog, type When, replacingBatch } from "../support/faults.ts";
import { overriding } from "../support/counting.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
} from "../support/fixtures.ts";
import { accept, changingAfterRead } from "../support/gift.ts";
import { orderNumberOf } from "../support/orders.ts";
import type { CancelResponse } from "../../src/features/lifecycle/contract.ts";
import { GiftLinkPlacement } from "../support/shapes.ts";
import { databaseState } from "../support/state.ts";
import { transition } from "../support/transition.ts";
import { type Answer, startWorker } from "../support/worker.ts";
import { sql } from "../support/sql.ts";
import { importWith } from "../support/listed-orders.ts";
import { operatorKey } from "../../src/features/lifecycle/order-key.ts";
import { eventsOf } from "../support/events.ts";

const worker = startWorker();
const CANCEL = "/api/order/cancel";

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

/** An order of gift links, each for 31.20: 25.00 plus 5.00 and a fee of 4 %. */
async function placeGifts(count: number, options: ClientOptions = {}) {
  const { product, client } = await openShop(simpleProduct(), options);
  const order = await placeMore(client, product, count);
  return { client, product, ...order };
}

async function placeMore(
  client: TestClient,
  product: ReturnType<typeof simpleProduct>,
  count: number,
) {
  const body = orderOf(product, { recipient_details: recipients(count) });
  const answer = await worker.post(client, "/api/gift-link", body);
  const placed = GiftLinkPlacement.parse(answer.json);
  return {
    orderId: placed.order_data.order_id,
    orderRefId: body.order_ref_id,
    gifts: placed.recipient_return.map(({ suborder_id }) => suborder_id),
    paths: placed.recipient_return.map(({ gift_url }) => new URL(gift_url).pathname),
  };
}

type Gifts = Awaited<ReturnType<typeof placeGifts>>;

const cancelAt = (at: typeof worker, { client, orderId }: Gifts, suborder_ids?: number[]) =>
  at.post(client, CANCEL, { order_id: orderId, suborder_ids });
const cancel = (order: Gifts, suborder_ids?: number[]) => cancelAt(worker, order, suborder_ids);

async function redeem(path: string | undefined): Promise<number> {
  return (await accept(worker, path ?? "")).status;
}

function cancelled(answer: Answer) {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return answer.json as CancelResponse;
}

/** The statuses of the gifts in a response. */
const statusesIn = (answer: Answer) =>
  cancelled(answer).recipients.map(({ redemption_status }) => redemption_status);

const eventsOfOrder = async (client: TestClient, orderId: number) =>
  (await eventsOf(client)).filter(({ order_id }) => order_id === orderId);

/** All rows of the order. */
async function rowsOf(orderId: number) {
  const tables = ["orders WHERE id", "gifts WHERE order_id", "credit_entries WHERE order_id"];
  return Promise.all(
    tables.map(async (table) => {
      const { results } = await sql(`SELECT * FROM ${table} = ?`, orderId).all();
      return results;
    }),
  );
}

/** Sends a request that must be refused, and returns the error. The refusal must not change the order. */
async function refusalOf(order: Pick<Gifts, "client" | "orderId">, body: unknown) {
  const before = [await databaseState(), await rowsOf(order.orderId)];
  const error = errorOf(await worker.post(order.client, CANCEL, body));
  expect([await databaseState(), await rowsOf(order.orderId)]).toEqual(before);
  return error;
}

const NOT_CANCELLABLE = { http: 409, code: "not_cancellable" };

describe("cancelling an order", () => {
  test("returns its state, also when it is repeated, by id, by number and by reference", async () => {
    const order = await placeGifts(2);
    const { client, product, orderId, orderRefId } = order;
    const before = await balanceOf(client.clientId);
    const first = await cancel(order);
    expect(cancelled(first)).toEqual({
      status: "success",
      order_data: {
        order_id: orderId,
        order_number: orderNumberOf(orderId),
        order_ref_id: orderRefId,
      },
      order_status: "cancieled",
      order_totals: { currency: "AUD", order_total: "62.40", refunded: "62.40" },
      recipients: [1, 2].map((sequence) => ({
        suborder_id: orderId * 1000 + sequence,
        suborder_number: `${orderNumberOf(orderId)}-${String(sequence)}`,
        redemption_status: "cancelled",
      })),
    });
    expect(await stockOf(product.product.id)).toBe(100);
    expect(await balanceOf(client.clientId)).toBe(before + 62_40);
    for (const body of [
      { order_id: orderId },
      { order_number: orderNumberOf(orderId) },
      { order_ref_id: orderRefId },
      { order_ref_id: orderRefId, order_id: null, order_number: null },
    ]) {
      const state = await databaseState();
      expect((await worker.post(client, CANCEL, body)).text).toBe(first.text);
      expect(await databaseState()).toEqual(state);
    }
    expect((await eventsOfOrder(client, orderId)).map(({ type }) => type)).toEqual([
      "order.paid",
      "order.cancelled",
    ]);
  });

  test("keeps redeemed gifts, and returns the share of the others", async () => {
    const order = await placeGifts(3);
    await redeem(order.paths[1]);
    const named = { order_number: orderNumberOf(order.orderId) };
    const answer = await worker.post(order.client, CANCEL, named);
    expect(statusesIn(answer)).toEqual(["cancelled", "redeemed", "cancelled"]);
    expect(cancelled(answer)).toMatchObject({
      order_status: "cancieled",
      order_totals: { order_total: "93.60", refunded: "62.40" },
    });
    expect((await cancel(order)).text).toBe(answer.text);
    expect(await stockOf(order.product.product.id)).toBe(99);
  });

  test("is refused if it has failed, or if all its gifts are redeemed", async () => {
    const failed = await placeGifts(1, { billing: "invoice" });
    await transition(env.DB, failed.orderId, "fail", Date.now());
    const redeemed = await placeGifts(2);
    for (const path of redeemed.paths) await redeem(path);
    const mixed = await placeGifts(2);
    await redeem(mixed.paths[0]);
    await cancel(mixed, mixed.gifts.slice(1));
    for (const order of [failed, redeemed, mixed]) {
      expect(await refusalOf(order, { order_id: order.orderId })).toMatchObject(NOT_CANCELLABLE);
    }
  });
});

test("cancelling gifts ends only these gifts, and the order with the last one", async () => {
  const order = await placeGifts(3);
  const { client, product, orderId, gifts } = order;
  const [first = 0, second = 0, third = 0] = gifts;
  const two = cancelled(await cancel(order, [third, first]));
  expect(two).toMatchObject({
    order_status: "paid",
    order_totals: { order_total: "93.60", refunded: "62.40" },
  });
  // In the order of the gifts, not of the request.
  expect(two.recipients.map(({ suborder_id }) => suborder_id)).toEqual([first, third]);
  expect(await stockOf(product.product.id)).toBe(99);
  expect((await worker.fetch(order.paths[0] ?? "")).status).toBe(410);
  expect((await worker.fetch(order.paths[1] ?? "")).status).toBe(200);

  const last = await cancel(order, [second]);
  expect(cancelled(last)).toMatchObject({
    order_status: "cancieled",
    order_totals: { refunded: "93.60" },
    recipients: [{ suborder_id: second, redemption_status: "cancelled" }],
  });
  expect((await cancel(order, [second])).text).toBe(last.text);
  expect(await stockOf(product.product.id)).toBe(100);
  const events = await eventsOfOrder(client, orderId);
  expect(events.map(({ type, suborder_id }) => [type, suborder_id])).toEqual([
    ["order.paid", null],
    ["gift.cancelled", first],
    ["gift.cancelled", third],
    ["order.cancelled", null],
  ]);
  expect(events.slice(1).map(({ data }) => "refund" in data && data.refund)).toEqual([
    "31.20",
    "31.20",
    "31.20",
  ]);
  expect(events[3]?.data).toMatchObject({ cancelled_count: 1, suborder_ids: [second] });
});

test("cancelling gifts shows gifts that are cancelled or expired already, and cancels the others", async () => {
  const order = await placeGifts(4);
  const [first = 0, second = 0, third = 0] = order.gifts;
  await cancel(order, [first]);
  await endGifts(env.DB, {
    ...operatorKey(order.orderId),
    giftIds: [second],
    kind: "expire",
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });
  const answer = await cancel(order, [first, second, third]);
  expect(statusesIn(answer)).toEqual(["cancelled", "expired", "cancelled"]);
  expect(cancelled(answer).order_totals.refunded).toBe("93.60");
  const state = await databaseState();
  expect((await cancel(order, [first, second, third])).text).toBe(answer.text);
  expect(await databaseState()).toEqual(state);
});

test("cancelling gifts cancels none if one is redeemed, and names the redeemed ones", async () => {
  const order = await placeGifts(3);
  await redeem(order.paths[1]);
  const body = { order_id: order.orderId, suborder_ids: order.gifts };
  const error = await refusalOf(order, body);
  expect(error).toMatchObject(NOT_CANCELLABLE);
  expect(error.message.match(/GO-[\d-]+/g)).toEqual([`${orderNumberOf(order.orderId)}-2`]);
});

test("cancelling gifts shows gifts that were cancelled when the order failed", async () => {
  const order = await placeGifts(2, { billing: "invoice" });
  await transition(env.DB, order.orderId, "fail", Date.now());
  const answer = await cancel(order, order.gifts.slice(1));
  expect(cancelled(answer)).toMatchObject({ order_status: "failed" });
  expect(statusesIn(answer)).toEqual(["cancelled"]);
});

test.each(["failed", "cancieled"] as const)(
  "cancelling gifts is refused for an open gift of an imported %s order",
  async (status) => {
    const { product, client } = await openShop();
    const orderId = await importWith(client, product, { status });
    const body = { order_id: orderId, suborder_ids: [orderId * 1000 + 1] };
    expect(await refusalOf({ client, orderId }, body)).toMatchObject(NOT_CANCELLABLE);
  },
);

test.each([{ suborder_id: 1 }, { suborder_ids: null }])(
  "cancelling gifts with the mistake %j cancels nothing",
  async (changes) => {
    const { client, orderId } = await placeGifts(2);
    const error = await refusalOf({ client, orderId }, { order_id: orderId, ...changes });
    const [field] = Object.keys(changes);
    expect(error).toMatchObject({ http: 400, code: "validation_error", errors: [{ field }] });
  },
);

test.each(["order_id", "order_ref_id"] as const)(
  "cancelling gifts names each id that is not of the order, which is given by %s",
  async (field) => {
    const order = await placeGifts(2);
    const { orderId, gifts, orderRefId } = order;
    const other = await placeMore(order.client, order.product, 2);
    const own = orderId * 1000;
    const unknown = [own, own + 3, own + 999, ...other.gifts, 1, 2, Number.MAX_SAFE_INTEGER];
    const suborder_ids = [unknown[0], ...gifts, ...unknown.slice(1)];
    const id = field === "order_id" ? orderId : orderRefId;
    const { http, code, errors } = await refusalOf(order, { [field]: id, suborder_ids });
    expect([http, code]).toEqual([400, "validation_error"]);
    expect(errors?.map((error) => error.field)).toEqual(
      [0, 3, 4, 5, 6, 7, 8, 9].map((index) => `suborder_ids[${String(index)}]`),
    );
  },
);

test("an invalid request is refused, and names the field", async () => {
  const client = await createClient();
  for (const [body, field] of [
    [{ order_id: 1, order_ref_id: "a" }, "order_ref_id"],
    [{ order_ref_id: " " }, "order_id"],
    [{ order_id: 1, suborder_ids: [5, 6, 5] }, "suborder_ids"],
  ] as const) {
    const error = errorOf(await worker.post(client, CANCEL, body));
    expect(error).toMatchObject({ http: 400, code: "validation_error", errors: [{ field }] });
  }
});

test("an invalid request for an order that does not exist is refused", async () => {
  const client = await createClient();
  for (const body of [
    { order_id: Number.MAX_SAFE_INTEGER },
    { order_number: "GO-42" },
    { order_number: "GO-00042x" },
    { order_ref_id: "never placed" },
    { order_ref_id: "never placed", suborder_ids: [1] },
    { order_id: 999_999_999, suborder_ids: Array.from({ length: 500 }, (_, n) => n + 1) },
  ]) {
    const error = errorOf(await worker.post(client, CANCEL, body));
    expect(error).toMatchObject({ http: 404, code: "not_found" });
  }
});

test("another client cannot cancel the order or its gifts, and gets the response for an unknown order", async () => {
  const order = await placeGifts(2);
  const other = await createClient();
  const never = await worker.post(other, CANCEL, { order_ref_id: "never placed" });
  const before = [await databaseState(), await rowsOf(order.orderId)];
  for (const name of [
    { order_id: order.orderId },
    { order_number: orderNumberOf(order.orderId) },
    { order_ref_id: order.orderRefId },
  ]) {
    for (const suborder_ids of [undefined, order.gifts, [1]]) {
      const answer = await worker.post(other, CANCEL, { ...name, suborder_ids });
      expect([answer.status, answer.text]).toEqual([404, never.text]);
    }
  }
  expect([await databaseState(), await rowsOf(order.orderId)]).toEqual(before);
});

test("two clients with the same reference cancel their own orders", async () => {
  const { product, client: first } = await openShop();
  const second = await createClient({ products: [product] });
  const body = orderOf(product);
  const ids = [];
  for (const client of [first, second]) {
    const { json } = await worker.post(client, "/api/order", body);
    ids.push(json.order_data.order_id as number);
  }
  const { order_ref_id } = body;
  const answer = cancelled(await worker.post(second, CANCEL, { order_ref_id }));
  expect(answer.order_data.order_id).toBe(ids[1]);
  expect((await rowsOf(ids[0] ?? 0))[0]).toMatchObject([{ status: "paid" }]);
});

test("a client that may not cancel is refused before the body is read, until the operator allows it again", async () => {
  const order = await placeGifts(1);
  const { client } = order;
  const set = async (mayCancel: boolean) => {
    await updateClient(env.DB, client.clientId, { mayCancel });
    await forgetClient(env, client.clientId);
  };
  await set(false);
  const barred = startWorker();
  for (const body of [{ order_id: order.orderId }, { order_id: "x" }, "not JSON", {}]) {
    const error = errorOf(await barred.post(client, CANCEL, body));
    expect(error).toMatchObject({ http: 403, code: "forbidden" });
  }
  expect((await barred.get(client, "/api/orders")).status).toBe(200);
  await set(true);
  expect(statusesIn(await cancelAt(startWorker(), order))).toEqual(["cancelled"]);
});

describe("at the same time", () => {
  test("equal cancellations return stock and credit once", async () => {
    const order = await placeGifts(4);
    const { client, product, gifts } = order;
    const before = await balanceOf(client.clientId);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        cancel(order, [undefined, gifts.slice(0, 2), gifts.slice(1, 3)][n % 3]),
      ),
    );
    for (const answer of answers) cancelled(answer);
    expect(await stockOf(product.product.id)).toBe(100);
    expect(await balanceOf(client.clientId)).toBe(before + 124_80);
    const ends = (await eventsOfOrder(client, order.orderId)).filter(
      ({ type }) => type === "order.cancelled",
    );
    expect(ends).toHaveLength(1);
  });

  test.each(["together", "cancelled after the page is read", "redeemed before the batch"])(
    "of a cancellation and a redemption of the same gift, one succeeds: %s",
    async (sequence) => {
      const order = await placeGifts(2);
      const { client, product, orderId, gifts, paths } = order;
      const before = await balanceOf(client.clientId);
      const cancelGift = (DB = env.DB) =>
        cancelAt(startWorker({ env: { DB } }), order, gifts.slice(0, 1));
      const redeemGift = (DB = env.DB) => accept(startWorker({ env: { DB } }), paths[0] ?? "");
      const answers: { cancel?: Answer; redeem?: Answer } = {};
      if (sequence === "together") {
        [answers.cancel, answers.redeem] = await Promise.all([cancelGift(), redeemGift()]);
      } else if (sequence.startsWith("cancelled")) {
        const DB = changingAfterRead(async () => (answers.cancel = await cancelGift()));
        answers.redeem = await redeemGift(DB);
      } else {
        const DB = replacingBatch(async (statements, run) => {
          answers.redeem = await redeemGift();
          return run(statements);
        });
        answers.cancel = await cancelGift(DB);
      }
      const [, [gift]] = (await rowsOf(orderId)) as [unknown, { redemption_status: string }[]];
      const refunded = gift?.redemption_status === "cancelled";
      if (sequence !== "together") expect(refunded).toBe(sequence.startsWith("cancelled"));
      // The page of a cancelled gift has the status 410.
      expect([answers.redeem?.status, answers.cancel?.status]).toEqual(
        refunded ? [410, 200] : [303, 409],
      );
      expect(await stockOf(product.product.id)).toBe(refunded ? 99 : 98);
      expect(await balanceOf(client.clientId)).toBe(before + (refunded ? 31_20 : 0));
    },
  );

  test("of a failure and a cancellation, one ends the order", async () => {
    for (let round = 0; round < 2; round++) {
      const order = await placeGifts(2, { billing: "invoice" });
      const [failed, answer, paid] = await Promise.all([
        transition(env.DB, order.orderId, "fail", Date.now()),
        cancel(order),
        transition(env.DB, order.orderId, "pay", Date.now()),
      ]);
      const [[row]] = (await rowsOf(order.orderId)) as [{ status: string }[]];
      if (failed?.changed) {
        expect([row?.status, answer.status, paid?.changed]).toEqual(["failed", 409, false]);
      } else {
        expect([row?.status, answer.status]).toEqual(["cancieled", 200]);
      }
      expect(await stockOf(order.product.product.id)).toBe(100);
      const types = (await eventsOfOrder(order.client, order.orderId)).map(({ type }) => type);
      expect(types).toEqual([
        "order.created",
        ...(paid?.changed ? ["order.paid"] : []),
        failed?.changed ? "order.failed" : "order.cancelled",
      ]);
    }
  });
});

describe("a lost response of D1", () => {
  test.each<[When, number, string, number]>([
    ["before the commit", 1, "an order", 3],
    ["before the commit", 2, "two gifts", 2],
    ["after the commit", 1, "two gifts", 2],
    ["after the commit", 2, "an order", 3],
  ])(
    "%s, %d times, changes neither the response to cancelling %s nor the refund",
    async (when, times, whole, ended) => {
      const order = await placeGifts(3);
      const { client, product } = order;
      const before = await balanceOf(client.clientId);
      const DB = failingBatches(new Error(LOST), when, times);
      const giftIds = whole === "an order" ? undefined : order.gifts.slice(0, ended);
      const answer = await cancelAt(startWorker({ env: { DB } }), order, giftIds);
      expect(cancelled(answer)).toMatchObject({
        order_status: giftIds ? "paid" : "cancieled",
        order_totals: { refunded: (ended * 31.2).toFixed(2) },
      });
      expect((await cancel(order, giftIds)).text).toBe(answer.text);
      expect(await balanceOf(client.clientId)).toBe(before + ended * 31_20);
      expect(await stockOf(product.product.id)).toBe(97 + ended);
      expect(await eventsOfOrder(client, order.orderId)).toHaveLength(giftIds ? 3 : 2);
    },
  );

  test.each<When>(["before the commit", "after the commit"])(
    "%s, three times, is a 503, and the repeated request succeeds once",
    async (when) => {
      watchLog();
      const order = await placeGifts(2);
      const before = await balanceOf(order.client.clientId);
      const DB = failingBatches(new Error(LOST), when, 3);
      const lost = await cancelAt(startWorker({ env: { DB } }), order);
      expect(errorOf(lost)).toMatchObject({ http: 503, code: "service_unavailable" });
      expect(cancelled(await cancel(order)).order_totals.refunded).toBe("62.40");
      expect(await balanceOf(order.client.clientId)).toBe(before + 62_40);
    },
  );
});

test("webhooks are nudged only by a request that has cancelled a gift, also after a lost response", async () => {
  const order = await placeGifts(3);
  const { client } = order;
  await worker.post(client, "/api/webhook", { url: "https://partner.example/events" });
  let nudges = 0;
  const queue = overriding(env.WEBHOOK_QUEUE, {
    sendBatch: () => {
      nudges += 1;
      return Promise.resolve();
    },
  });
  const send = async (gifts?: number[], DB = env.DB) => {
    const at = startWorker({ env: { WEBHOOK_QUEUE: queue, DB } });
    return (await cancelAt(at, order, gifts)).status;
  };
  const first = order.gifts.slice(0, 1);
  expect([await send(first), nudges]).toEqual([200, 1]);
  expect([await send(first), nudges]).toEqual([200, 1]);
  expect([await send([1]), nudges]).toEqual([400, 1]);
  const lost = failingBatches(new Error(LOST), "after the commit", 1);
  expect([await send(undefined, lost), nudges]).toEqual([200, 2]);
  expect([await send(), nudges]).toEqual([200, 2]);
});
