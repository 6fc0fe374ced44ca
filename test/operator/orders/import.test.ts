// Import of orders from the store: each is added completely or not at all.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { failOrder } from "../../../src/operator/lifecycle/fail.ts";
import { importOrder, type ImportedOrder } from "../../../src/operator/orders/queries.ts";
import { openShop, orderOf, recipients, stockOf, unusedOrderId } from "../../support/fixtures.ts";
import { databaseState } from "../../support/state.ts";
import { changeParcels } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** A client, and an order of the store for it. */
async function createStore() {
  const { product, client } = await openShop();
  const productId = product.product.id;
  const productRevision = await env.DB.prepare(
    "SELECT revision FROM product_revisions WHERE product_id = ?",
  )
    .bind(productId)
    .first<string>("revision");
  if (productRevision === null) throw new Error("the product is not published");
  const order = async (changes: Partial<ImportedOrder> = {}): Promise<ImportedOrder> => ({
    id: await unusedOrderId(),
    clientId: client.clientId,
    giftOrderMethod: "email",
    status: "paid",
    giftOfChoice: "N",
    brandingSelected: "platform",
    emailTemplate: "generic",
    productId,
    productRevision,
    baseLocation: "AU",
    currency: "AUD",
    productPriceMinor: 2500,
    qty: 2,
    subtotalMinor: 5000,
    shippingCostMinor: 0,
    orderFeeMinor: 0,
    orderTotalMinor: 5000,
    createdAtMs: 0,
    ...changes,
  });
  const people = (...names: string[]) =>
    names.map((firstName, index) => ({
      sequence: index + 1,
      firstName,
      lastName: "Okafor",
      email: "o@example.com",
      productId,
    }));
  const namesOf = async (orderId: number) => {
    const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
    return (json.recipients as { recipient_details: { name: string } }[]).map(
      ({ recipient_details }) => recipient_details.name,
    );
  };
  return { product, client, order, people, namesOf };
}

/** An order whose link 25 recipients can claim. */
const SHARED_LINK = {
  giftOrderMethod: "link",
  linkHowManyTimes: 25,
  ...{ qty: 25, subtotalMinor: 62_500, orderTotalMinor: 62_500 },
} as const;

describe("importing an order", () => {
  test("adds it with its recipients", async () => {
    const { order, people, namesOf } = await createStore();
    const added = await order();
    expect(await importOrder(env.DB, added, people("Ada", "Noor"))).toBe(true);
    expect(await namesOf(added.id)).toEqual(["Ada Okafor", "Noor Okafor"]);
  });

  test("adds nothing to another client's order with the same id", async () => {
    const [store, other] = [await createStore(), await createStore()];
    const body = orderOf(other.product, { recipient_details: recipients(1) });
    const { json } = await worker.post(other.client, "/api/order", body);
    const id = json.order_data.order_id as number;
    const before = await databaseState();
    // The sequence numbers of the additional recipients are not in use.
    const people = store.people("Ada", "Noor", "Jun");
    expect(await importOrder(env.DB, await store.order({ id }), people)).toBe(false);
    expect(await databaseState()).toEqual(before);
    expect(await other.namesOf(id)).toEqual(["First0 Last0"]);
  });

  test("adds nothing if the client has used the order_ref_id", async () => {
    const { client, order, people, namesOf } = await createStore();
    const first = await order({ orderRefId: "PO-1" });
    expect(await importOrder(env.DB, first, people("Ada"))).toBe(true);
    const before = await databaseState();
    const second = await order({ orderRefId: "PO-1" });
    expect(await importOrder(env.DB, second, people("Noor"))).toBe(false);
    expect(await databaseState()).toEqual(before);
    expect(await namesOf(first.id)).toEqual(["Ada Okafor"]);
    const read = await worker.get(client, `/api/order?order_id=${String(second.id)}`);
    expect(read.status).toBe(404);
  });

  test("adds it if another client has used the order_ref_id", async () => {
    const [store, other] = [await createStore(), await createStore()];
    for (const { order, people } of [store, other]) {
      expect(await importOrder(env.DB, await order({ orderRefId: "PO-1" }), people("Ada"))).toBe(
        true,
      );
    }
  });

  test("adds nothing and fails if two recipients have the same sequence number", async () => {
    const { order, people } = await createStore();
    const before = await databaseState();
    const twice = [...people("Ada"), ...people("Noor")];
    await expect(importOrder(env.DB, await order(), twice)).rejects.toThrow("sub_orders.sequence");
    expect(await databaseState()).toEqual(before);
  });
});

describe("an imported order with a shared link", () => {
  test.each([
    ["no recipient has claimed a gift", []],
    ["the only recipient has redeemed the gift", ["Ada"]],
  ])("can be cancelled if %s", async (_, names) => {
    const { client, order, people } = await createStore();
    const added = await order(SHARED_LINK);
    const redeemed = { redemptionStatus: "redeemed", redeemedAtMs: 1 } as const;
    const claimed = people(...names).map((person) => ({ ...person, ...redeemed }));
    await importOrder(env.DB, added, claimed);
    const first = await worker.post(client, "/api/order/cancel", { order_id: added.id });
    expect(first.json).toMatchObject({ order_status: "cancieled" });
    const state = await databaseState();
    const again = await worker.post(client, "/api/order/cancel", { order_id: added.id });
    expect(again.text).toBe(first.text);
    expect(await databaseState()).toEqual(state);
    const { json } = await worker.get(client, "/api/events");
    expect(json.events).toMatchObject([
      { type: "order.cancelled", order_id: added.id, data: { cancelled_count: 0, refund: "0.00" } },
    ]);
    expect(await stockOf(added.productId)).toBe(100);
  });

  test("can be cancelled if a redeemed gift is shipped", async () => {
    const { client, order, people } = await createStore();
    const added = await order(SHARED_LINK);
    const redeemed = { redemptionStatus: "redeemed", redeemedAtMs: 1 } as const;
    await importOrder(
      env.DB,
      added,
      people("Ada").map((person) => ({ ...person, ...redeemed })),
    );
    await changeParcels("ship", [{ orderId: added.id, sequence: 1 }], 1);
    const { json } = await worker.post(client, "/api/order/cancel", { order_id: added.id });
    expect(json).toMatchObject({ order_status: "cancieled" });
  });

  test("is not changed by another client", async () => {
    const [store, other] = [await createStore(), await createStore()];
    const added = await store.order(SHARED_LINK);
    await importOrder(env.DB, added, []);
    const state = await databaseState();
    const answer = await worker.post(other.client, "/api/order/cancel", { order_id: added.id });
    expect(answer.status).toBe(404);
    expect(await databaseState()).toEqual(state);
  });

  test("can fail if it is not paid, and only once", async () => {
    const { client, order } = await createStore();
    const added = await order({ ...SHARED_LINK, status: "created" });
    await importOrder(env.DB, added, []);
    for (const changed of [true, false]) {
      const outcome = await failOrder(env.DB, added.id, 1);
      expect(outcome).toMatchObject({ changed, order: { status: "failed" } });
    }
    const { json } = await worker.get(client, "/api/events");
    expect(json.events).toMatchObject([{ type: "order.failed" }]);
  });
});
