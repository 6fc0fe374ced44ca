// The operator's changes of the state of an order, and cancellations of redeemed gifts that are not shipped.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  openShop,
  orderOf,
  OTHER_ACCOUNTS,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { accept, createGift, type TestGift, thank } from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { importWith, listOrders } from "../../support/listed-orders.ts";
import { startWorker } from "../../support/worker.ts";
import { eventsOf } from "../../support/events.ts";
import { transition } from "../../support/transition.ts";
import { sql } from "../../support/sql.ts";
import type { Currency } from "../../../src/core/values/iso.ts";

const worker = startWorker();

interface Redeemed {
  gift: TestGift;
  product: TestProduct;
  /** The other product of the catalogue. */
  other: TestProduct;
}

/** A paid order of two gifts, of which the first is redeemed. Of each product, 10 are in stock. */
async function giveTwo(fields: (other: TestProduct) => Record<string, string> = () => ({})) {
  const [product, other] = [{ priceMinor: 3000 }, { priceMinor: 2000 }].map((content) =>
    simpleProduct(content, { quantity: 10 }),
  ) as [TestProduct, TestProduct];
  const changes = { recipient_details: recipients(2), gift_of_choice: "Y" };
  const gift = await createGift(worker, [product, other], changes);
  expect((await accept(worker, gift.path, fields(other))).status).toBe(303);
  return { gift, product, other } satisfies Redeemed;
}

const withdrawn = (
  { orderId }: TestGift,
  sequences: number[] | null,
  { db = env.DB, withRedeemed = true } = {},
) =>
  cancel(db, {
    ...operatorKey(orderId),
    giftIds: sequences && sequences.map((sequence) => orderId * 1000 + sequence),
    withRedeemed,
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });

const ship = ({ orderId }: TestGift) =>
  changeShipments(env.DB, "ship", [{ orderId, sequence: 1 }], {
    clientId: null,
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });

const eventsOfOrder = async ({ client, orderId }: TestGift) =>
  (await eventsOf(client)).filter(({ order_id }) => order_id === orderId);

const isSound = async ({ client }: TestGift) =>
  [...(await brokenAccounts()), ...(await differencesOf([client]))].length === 0;

test("a redeemed gift is cancelled alone, with its stock, its credit and an event", async () => {
  const { gift, product } = await giveTwo();
  const { clientId } = gift.client;
  const before = await balanceOf(clientId);
  await thank(worker, gift.path, "Thanks");
  const { ended, returnedMinor, order } = await withdrawn(gift, [1]);
  expect([ended.length, order.status]).toEqual([1, "paid"]);
  expect(returnedMinor).toBe(Math.floor(order.orderTotalMinor / 2));
  expect(await balanceOf(clientId)).toBe(before + returnedMinor);
  expect(await stockOf(product.product.id)).toBe(9);
  expect((await eventsOfOrder(gift)).at(-1)).toMatchObject({
    type: "gift.cancelled",
    suborder_id: gift.orderId * 1000 + 1,
    data: { redemption_status: "cancelled" },
  });
  const { orders } = await listOrders(worker, gift.client, {});
  expect(orders).toMatchObject([{ redeemed_count: 0, cancelled_count: 1 }]);
  expect((await worker.fetch(gift.path)).status).toBe(410);
  expect(await isSound(gift)).toBe(true);

  expect((await withdrawn(gift, [1])).changed).toBe(false);
  expect(await eventsOfOrder(gift)).toHaveLength(4);
});

test("a redeemed gift is cancelled with its order, which is reported once", async () => {
  const { gift, product } = await giveTwo();
  await accept(worker, gift.paths[1] ?? "");
  const { ended, order } = await withdrawn(gift, null);
  expect([ended.length, order.status]).toEqual([2, "cancieled"]);
  expect(order.refundedMinor).toBe(order.orderTotalMinor);
  expect(await stockOf(product.product.id)).toBe(10);
  const events = await eventsOfOrder(gift);
  expect(events.map(({ type }) => type)).toEqual([
    ...["order.paid", "gift.redeemed", "gift.redeemed", "order.cancelled"],
  ]);
  expect(events.at(-1)?.data).toMatchObject({ cancelled_count: 2 });
  expect(await isSound(gift)).toBe(true);
});

test("a redeemed gift of an order that was cancelled before is cancelled later", async () => {
  const { gift, product } = await giveTwo();
  await worker.post(gift.client, "/api/order/cancel", { order_id: gift.orderId });
  const { order } = await withdrawn(gift, null);
  expect(order.refundedMinor).toBe(order.orderTotalMinor);
  expect(await stockOf(product.product.id)).toBe(10);
  const types = (await eventsOfOrder(gift)).map(({ type }) => type);
  expect(types).toEqual(["order.paid", "gift.redeemed", "order.cancelled", "gift.cancelled"]);
  expect(await isSound(gift)).toBe(true);
  expect((await withdrawn(gift, null)).changed).toBe(false);
});

test("a redeemed gift is neither cancelled without the consent nor after it is shipped", async () => {
  const { gift } = await giveTwo();
  const id = gift.orderId * 1000 + 1;
  const refused = await worker.post(gift.client, "/api/order/cancel", {
    order_id: gift.orderId,
    suborder_ids: [id],
  });
  expect(refused.json.code).toBe("not_cancellable");
  const refusal = { code: "not_cancellable" };
  await expect(withdrawn(gift, [1], { withRedeemed: false })).rejects.toMatchObject(refusal);
  await ship(gift);
  await expect(withdrawn(gift, [1])).rejects.toMatchObject(refusal);
  expect((await withdrawn(gift, null)).ended).toMatchObject([{ sequence: 2 }]);
  expect(await isSound(gift)).toBe(true);
});

test("a redeemed gift is either cancelled or shipped, if both happen at the same time", async () => {
  for (const cancelsFirst of [true, false]) {
    const { gift } = await giveTwo();
    const actions = [() => ship(gift), () => withdrawn(gift, [1]).catch(() => ({}))];
    if (cancelsFirst) actions.reverse();
    const results = (await Promise.all(actions.map((act) => act()))).flat();
    const isShipped = results.some((each) => "result" in each && each.result === "shipped");
    const isCancelled = results.some((each) => "ended" in each && each.ended.length === 1);
    expect(isShipped).toBe(!isCancelled);
    expect(await isSound(gift)).toBe(true);
  }
});

test.each([
  ["before the commit", "open"],
  ["before the commit", "cancelled"],
  ["after the commit", "open"],
  ["after the commit", "cancelled"],
] as const)(
  "a redeemed gift is refunded once if the database loses the answer %s and the order is %s",
  async (when, state) => {
    const { gift, product } = await giveTwo();
    const { client, orderId } = gift;
    if (state === "cancelled")
      await worker.post(client, "/api/order/cancel", { order_id: orderId });
    const db = failingBatches(new Error(LOST), when, 1);
    const { order, changed } = await withdrawn(gift, null, { db });
    expect([changed, order.refundedMinor]).toEqual([true, order.orderTotalMinor]);
    expect(await stockOf(product.product.id)).toBe(10);
    expect(await isSound(gift)).toBe(true);
  },
);

async function placeThree(options: ClientOptions = {}, path?: string, changes: object = {}) {
  const item = options.products?.[0] ?? simpleProduct();
  const { client } = await openShop(item, options);
  const body = orderOf(item, { recipient_details: recipients(3), ...changes });
  const placed = await worker.post(client, path ?? "/api/order", body);
  expect(placed.status).toBe(200);
  const links = (placed.json.recipient_return ?? []) as { gift_url: string }[];
  const paths = links.map(({ gift_url }) => new URL(gift_url).pathname);
  return {
    client,
    product: item.product,
    orderId: placed.json.order_data.order_id as number,
    paths,
  };
}

async function shown(client: TestClient, orderId: number) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  const recipients = json.recipients as { redemption_status: string | null }[];
  return {
    status: json.order_status as string,
    redemption: recipients.map(({ redemption_status }) => redemption_status),
  };
}

async function redeem(path: string | undefined, fields: Record<string, string> = {}) {
  expect((await accept(worker, path ?? "", fields)).status).toBe(303);
}

describe("a cancellation", () => {
  const LATER_MS = Date.UTC(2090, 0);

  test("is booked as a cancellation of the order, in the account that paid and in no other", async () => {
    const { client, orderId } = await placeThree();
    await transition(env.DB, orderId, "cancel", LATER_MS);
    const { results } = await sql(
      `SELECT kind, amount_minor, order_id, created_at_ms FROM credit_entries
       WHERE client_id = ? AND order_id IS NOT NULL ORDER BY sequence`,
      client.clientId,
    ).all();
    expect(results).toEqual([
      expect.objectContaining({ kind: "order", amount_minor: -9360, order_id: orderId }),
      { kind: "cancellation", amount_minor: 9360, order_id: orderId, created_at_ms: LATER_MS },
    ]);
    for (const [currency, minor] of Object.entries(OTHER_ACCOUNTS)) {
      expect(await balanceOf(client.clientId, currency as Currency)).toBe(minor);
    }
  });

  test("returns the stock of unredeemed gifts, and not that of a swapped one", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map((variation) => variation.id);
    const { orderId, paths } = await placeThree({ products: [item] }, "/api/gift-link", {
      gift_of_choice: "Y",
      variation_id: large,
    });
    await redeem(paths[0], { variation_id: String(small) });
    const stock = async () => [
      await stockOf(item.product.id, small),
      await stockOf(item.product.id, large),
    ];
    expect(await stock()).toEqual([99, 98]);
    await transition(env.DB, orderId, "cancel", 1);
    expect(await stock()).toEqual([99, 100]);
  });

  test("returns nothing for an imported order, which took no stock or credit", async () => {
    const { product, client } = await openShop();
    const orderId = await importWith(client, product);
    const before = await balanceOf(client.clientId);
    expect(await transition(env.DB, orderId, "cancel", 1)).toMatchObject({ changed: true });
    expect(await stockOf(product.product.id)).toBe(100);
    expect(await balanceOf(client.clientId)).toBe(before);
  });
});

describe("the states of an order", () => {
  test("lead from created to paid, failed or cancelled, of which failed and cancelled are final", async () => {
    const steps = ["pay", "fail", "cancel"] as const;
    for (const first of steps) {
      const { orderId } = await placeThree({ billing: "invoice" });
      expect(await transition(env.DB, orderId, first, 1)).toMatchObject({ changed: true });
      for (const second of steps) {
        const allowed = first === "pay" && second === "cancel";
        expect(await transition(env.DB, orderId, second, 1)).toMatchObject({ changed: allowed });
      }
    }
  });

  test("include failed, which returns the stock and closes the gifts", async () => {
    const { client, product, orderId } = await placeThree({ billing: "invoice" });
    await Promise.all(Array.from({ length: 4 }, () => transition(env.DB, orderId, "fail", 1)));
    expect(await stockOf(product.id)).toBe(100);
    expect(await shown(client, orderId)).toEqual({
      status: "failed",
      redemption: ["cancelled", "cancelled", "cancelled"],
    });
  });

  test("do not exist for an unknown order", async () => {
    expect(await transition(env.DB, Number.MAX_SAFE_INTEGER, "cancel", 1)).toBeNull();
  });
});
