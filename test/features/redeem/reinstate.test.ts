// Taking back that a gift was declined.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { recordRefund } from "../../../src/operator/order/refund-queries.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  decline,
  postForm,
  press,
  reinstate,
  takeStep,
  type TestGift,
} from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { eventsOf } from "../../support/events.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const clients: TestGift["client"][] = [];

/** A declined gift, with what the client had before. */
async function declined({ count = 2, ...options }: ClientOptions & { count?: number } = {}) {
  const product = simpleProduct({}, { quantity: 100 });
  const changes = { recipient_details: recipients(count), redeem_by: dayAfter(40) };
  const gift = await createGift(worker, [product], changes, options);
  clients.push(gift.client);
  const { clientId } = gift.client;
  if (options.billing) await takeStep(gift, "pay");
  const { id } = product.product;
  const state = () => Promise.all([stockOf(id), balanceOf(clientId), orderRow(gift)]);
  const before = await state();
  await decline(worker, gift.path);
  return { ...gift, product, clientId, state, before };
}

type Declined = Awaited<ReturnType<typeof declined>>;

const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const typesOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).map(({ type }) => type).filter((type) => !type.startsWith("order."));

const orderRow = ({ orderId }: TestGift) =>
  sql(
    `SELECT status, cancelled_gifts, refunded_minor, owed_minor, finished, next_expiry_check_ms IS NOT NULL AS isChecked
     FROM orders WHERE id = ?`,
    orderId,
  ).first();

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
  expect(await differencesOf(clients.splice(0))).toEqual([]);
});

describe("taking back that a gift was declined", () => {
  test.each([1, 2])(
    "opens the gift and the order of %i again, in two round trips",
    async (count) => {
      const gift = await declined({ count });
      const page = await worker.fetch(gift.path);
      const scanned = await postForm(worker, gift.path, { step: "reinstate" });
      expect([scanned.status, scanned.meter.rowsWritten]).toEqual([409, 0]);
      expect(scanned.text).toContain(texts.problems.tick);
      const answer = await press(worker, gift.path, page, { step: "reinstate" });
      expect([answer.status, answer.meter.roundTrips]).toEqual([303, 2]);
      expect(await gift.state()).toEqual(gift.before);
      expect((await eventsOf(gift.client)).at(-1)).toMatchObject({
        type: "gift.reinstated",
        data: { order_status: "paid", charge: "31.20" },
      });
      expect((await accept(worker, gift.path)).status).toBe(303);
    },
  );

  test("charges nothing again if nothing was returned, whatever the present settings say", async () => {
    const gift = await declined({ count: 3, refundDeclined: false });
    await sql("UPDATE clients SET refund_declined = 1 WHERE id = ?", gift.clientId).run();
    await decline(worker, gift.paths[1] ?? "");
    const [, balance] = await gift.state();
    await reinstate(worker, gift.path);
    // At most the rounding of the share that is left.
    expect(Math.abs((await balanceOf(gift.clientId)) - balance)).toBeLessThanOrEqual(1);
    await accept(worker, gift.path);
    await takeStep(gift, "cancel");
    expect(await orderRow(gift)).toMatchObject({ status: "cancieled", cancelled_gifts: 2 });
  });

  test.each(["credit", "invoice"] as const)(
    "takes again at most what was returned, although the last share is rounded up, of a client with %s",
    async (billing) => {
      const product = simpleProduct({ priceMinor: 50, shippingMinor: 0 });
      const options = { billing, feeBasisPoints: 100 };
      const gift = await createGift(
        worker,
        [product],
        { recipient_details: recipients(2) },
        options,
      );
      const { client, path, paths } = gift;
      clients.push(client);
      if (billing === "invoice") await takeStep(gift, "pay");
      await decline(worker, path);
      await sql("UPDATE clients SET refund_declined = 0 WHERE id = ?", client.clientId).run();
      await decline(worker, paths[1] ?? "");
      expect((await reinstate(worker, path)).status).toBe(303);
      const owed_minor = billing === "invoice" ? 0 : null;
      const row = { status: "paid", refunded_minor: 0, owed_minor };
      expect(await orderRow(gift)).toMatchObject(row);
    },
  );

  test("opens the gift again although the sender has cancelled the other one before", async () => {
    const product = simpleProduct({}, { quantity: 100 });
    const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
    const { client, orderId, path } = gift;
    clients.push(client);
    const other = { order_id: orderId, suborder_ids: [orderId * 1000 + 2] };
    expect((await worker.post(client, "/api/order/cancel", other)).status).toBe(200);
    await decline(worker, path);
    expect((await reinstate(worker, path)).status).toBe(303);
    expect(await orderRow(gift)).toMatchObject({ status: "paid", cancelled_gifts: 1 });
  });

  test("owes the invoice again", async () => {
    const gift = await declined({ billing: "invoice" });
    expect(await orderRow(gift)).toMatchObject({ owed_minor: -3_120 });
    await reinstate(worker, gift.path);
    expect(await orderRow(gift)).toMatchObject({ status: "paid", owed_minor: 0 });
  });
});

const ofGift = (assignment: string) => (gift: Declined) =>
  sql(`UPDATE gifts SET ${assignment} WHERE order_id = ? AND sequence = 1`, gift.orderId).run();
const ofStock = (assignment: string) => (gift: Declined) =>
  sql(`UPDATE stock SET ${assignment} WHERE product_id = ?`, gift.product.product.id).run();

const OBSTACLES: Record<string, (gift: Declined) => Promise<unknown>> = {
  "it was declined seven days ago": ofGift(`declined_at_ms = ${String(Date.now() - 7 * DAY_MS)}`),
  "its last day has passed": ofGift("expires_at_ms = 1"),
  "no piece is left": ofStock("quantity = 0"),
  "its product is not sold": ofStock("sellable = 0"),
  "the credit does not suffice": async ({ client, product }) => {
    const rest = orderOf(product, { recipient_details: recipients(4) });
    expect((await worker.post(client, "/api/order", rest)).status).toBe(200);
  },
  "the client is suspended": ({ clientId }) =>
    sql("UPDATE clients SET status = 'suspended' WHERE id = ?", clientId).run(),
  "the order is cancelled": (gift) => takeStep(gift, "cancel"),
  "its last open gift is cancelled": ({ client, orderId }) =>
    worker.post(client, "/api/order/cancel", {
      order_id: orderId,
      suborder_ids: [orderId * 1000 + 2],
    }),
  "the recipient is erased": ({ orderId }) => eraseGifts(env.DB, [orderId * 1000 + 1], Date.now()),
};

describe.each(Object.entries(OBSTACLES))("a declined gift stays so if %s", (_, change) => {
  test.each(["before the page is read", "after that"])("%s", async (when) => {
    const gift = await declined({ creditMinor: 16_000 });
    if (when === "after that") {
      const DB = changingAfterRead(() => change(gift));
      expect((await reinstate(startWorker({ env: { DB } }), gift.path)).status).toBe(303);
    } else {
      await change(gift);
      const answer = await reinstate(worker, gift.path);
      expect([answer.status, answer.meter.rowsWritten]).toEqual([409, 0]);
    }
    const page = await worker.fetch(gift.path);
    expect(page.text).not.toContain('value="reinstate"');
    expect(page.text).toMatch(/href="mailto:/);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
  });
});

test("a declined gift stays so if its sender cancels the order that ended with it", async () => {
  const gift = await declined({ count: 1 });
  const cancel = () => worker.post(gift.client, "/api/order/cancel", { order_id: gift.orderId });
  expect((await cancel()).status).toBe(200);
  const again = await cancel();
  expect([again.status, again.meter.roundTrips, again.meter.rowsWritten]).toEqual([200, 1, 0]);
  expect((await reinstate(worker, gift.path)).status).toBe(409);
});

test("a declined gift on invoice stays so after its refund", async () => {
  const gift = await declined({ billing: "invoice" });
  const refund = { orderId: gift.orderId, refundMinor: 3_120, reference: "T-1", nowMs: Date.now() };
  expect(await recordRefund(env.DB, refund)).toBe(true);
  expect((await reinstate(worker, gift.path)).status).toBe(409);
});

describe("taking back that a gift was declined, during other changes", () => {
  test("five times at once and then again does it once", async () => {
    const gift = await declined();
    await Promise.all(Array.from({ length: 5 }, () => reinstate(worker, gift.path)));
    expect((await reinstate(worker, gift.path)).status).toBe(303);
    expect(await typesOf(gift)).toEqual(["gift.declined", "gift.reinstated"]);
    expect(await gift.state()).toEqual(gift.before);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "does it once if a response is lost %s",
    async (when) => {
      const gift = await declined();
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      expect((await reinstate(startWorker({ env: { DB } }), gift.path)).status).toBe(303);
      expect(await typesOf(gift)).toEqual(["gift.declined", "gift.reinstated"]);
    },
  );

  test("an answer for an earlier time that it was declined has no effect", async () => {
    const gift = await declined();
    const DB = changingAfterRead(async () => {
      await reinstate(worker, gift.path);
      await decline(startWorker({ now: () => Date.now() + 1_000 }), gift.path);
    });
    await reinstate(startWorker({ env: { DB } }), gift.path);
    expect(await typesOf(gift)).toEqual(["gift.declined", "gift.reinstated", "gift.declined"]);
  });

  const OTHERS: Record<string, (gift: Declined) => Promise<unknown>> = {
    decline: ({ path }) => decline(worker, path),
    accept: ({ path }) => accept(worker, path),
    cancel: ({ client, orderId }) =>
      worker.post(client, "/api/order/cancel", { order_id: orderId }),
    renew: ({ client, orderId }) =>
      worker.post(client, "/api/gift-link/renew", { suborder_id: orderId * 1000 + 1 }),
    erase: OBSTACLES["the recipient is erased"] as (gift: Declined) => Promise<unknown>,
    expire: ({ orderId }) => {
      const request = { requestId: crypto.randomUUID(), giftIds: null, nowMs: Date.now() };
      return endGifts(env.DB, { ...operatorKey(orderId), kind: "expire", ...request });
    },
  };
  test.each(Object.keys(OTHERS))("and to %s has the effects of one order of both", async (name) => {
    for (const count of [1, 2]) {
      const gift = await declined({ count });
      await Promise.allSettled([reinstate(worker, gift.path), OTHERS[name]?.(gift)]);
      const types = (await typesOf(gift)).filter((type) => type.startsWith("gift.declined"));
      expect(types.length).toBeLessThanOrEqual(2);
      // What has become of stock and credit, the invariants of `afterEach` compare with the gifts.
      const { cancelled_gifts: ended } = (await orderRow(gift)) as { cancelled_gifts: number };
      const expired = (await typesOf(gift)).filter((type) => type === "gift.expired").length;
      expect(await stockOf(gift.product.product.id)).toBe(100 - count + ended + expired);
    }
  });
});
