// Orders of the online store with a shared link, which may have fewer sub-orders than gifts.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { failOrder } from "../../../src/operator/lifecycle/fail.ts";
import { openShop, stockOf, unusedOrderId } from "../../support/fixtures.ts";
import { importOrder, type ImportedOrder, revisionOf } from "../../support/listed-orders.ts";
import { databaseState } from "../../support/state.ts";
import { changeParcels } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** A client, and an order of the store for it. */
async function createStore() {
  const { product, client } = await openShop();
  const productId = product.product.id;
  const productRevision = await revisionOf(productId);
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
  return { client, order, people };
}

/** An order whose link 25 recipients can claim. */
const SHARED_LINK = {
  giftOrderMethod: "link",
  linkHowManyTimes: 25,
  qty: 25,
  subtotalMinor: 62_500,
  orderTotalMinor: 62_500,
} as const;

describe("an imported order with a shared link", () => {
  test.each([
    ["no recipient has claimed a gift", []],
    ["the only recipient has redeemed the gift", ["Ada"]],
  ])("can be cancelled if %s", async (_, names) => {
    const { client, order, people } = await createStore();
    const added = await order(SHARED_LINK);
    const redeemed = { redemptionStatus: "redeemed", redeemedAtMs: 1 } as const;
    const claimed = people(...names).map((person) => ({ ...person, ...redeemed }));
    await importOrder(added, claimed);
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
    await importOrder(added, []);
    const state = await databaseState();
    const answer = await worker.post(other.client, "/api/order/cancel", { order_id: added.id });
    expect(answer.status).toBe(404);
    expect(await databaseState()).toEqual(state);
  });

  test("can fail if it is not paid, and only once", async () => {
    const { client, order } = await createStore();
    const added = await order({ ...SHARED_LINK, status: "created" });
    await importOrder(added, []);
    for (const changed of [true, false]) {
      const outcome = await failOrder(env.DB, added.id, 1);
      expect(outcome).toMatchObject({ changed, order: { status: "failed" } });
    }
    const { json } = await worker.get(client, "/api/events");
    expect(json.events).toMatchObject([{ type: "order.failed" }]);
  });
});
