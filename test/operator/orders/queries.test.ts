// Lists of orders for the operator.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { transition } from "../../support/transition.ts";
import { listOrders, type OrderFilter } from "../../../src/operator/orders/queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  openShop,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { copyOrder, importListed, type ListedGift } from "../../support/listed-orders.ts";
import { startWorker } from "../../support/worker.ts";

const NONE: OrderFilter = { limit: 100 };

/** Orders of a client, 1, 2 and 3 s after `fromMs`: a paid one, a cancelled gift-link order, a paid one. */
async function createOrders(fromMs = 0) {
  const { product, client } = await openShop();
  const place = async (path: string, atMs: number, count: number) => {
    const body = orderOf(product, { recipient_details: recipients(count) });
    const { json } = await startWorker({ now: () => fromMs + atMs }).post(client, path, body);
    return { id: json.order_data.order_id as number, orderRefId: body.order_ref_id };
  };
  const orders = [
    await place("/api/order", 1_000, 1),
    await place("/api/gift-link", 2_000, 2),
    await place("/api/order", 3_000, 3),
  ] as const;
  await transition(env.DB, orders[1].id, "cancel", fromMs + 4_000);
  return { product, client, orders };
}

describe("listing orders", () => {
  let shared: Awaited<ReturnType<typeof createOrders>>;
  beforeAll(async () => {
    shared = await createOrders();
  });

  test("shows the newest first, with the fields of each", async () => {
    const { product, client, orders } = shared;
    const { clientId } = client;
    const [first, second, third] = orders;
    const common = { clientId, productId: product.product.id, currency: "AUD" };
    const bought = { ...common, giftOrderMethod: "api-purchase", status: "paid" };
    const cancelled = { ...common, giftOrderMethod: "api-giftlink", status: "cancieled" };
    expect(await listOrders(env.DB, { ...NONE, clientId })).toEqual([
      { ...bought, ...third, qty: 3, orderTotalMinor: 9_360, createdAtMs: 3_000 },
      { ...cancelled, ...second, qty: 2, orderTotalMinor: 6_240, createdAtMs: 2_000 },
      { ...bought, ...first, qty: 1, orderTotalMinor: 3_120, createdAtMs: 1_000 },
    ]);
  });

  test.each<[Partial<OrderFilter>, number[]]>([
    [{ limit: 2 }, [3, 2]],
    [{ status: "paid" }, [3, 1]],
    [{ status: "cancieled" }, [2]],
    [{ status: "failed" }, []],
    [{ method: "api-giftlink" }, [2]],
    [{ method: "api-purchase" }, [3, 1]],
    [{ sinceMs: 2_000 }, [3, 2]],
    [{ sinceMs: 2_001 }, [3]],
    [{ untilMs: 2_000 }, [1]],
    [{ untilMs: 2_001 }, [2, 1]],
    [{ sinceMs: 1_000, untilMs: 3_000, method: "api-purchase", status: "paid" }, [1]],
  ])("by %j shows %j", async (filter, expected) => {
    const { client, orders } = shared;
    const found = await listOrders(env.DB, { ...NONE, clientId: client.clientId, ...filter });
    expect(found.map(({ id }) => orders.findIndex((order) => order.id === id) + 1)).toEqual(
      expected,
    );
  });

  test("without a client shows the orders of all clients", async () => {
    const lateMs = Date.UTC(2040, 0);
    const [first, second] = [await createOrders(lateMs), await createOrders(lateMs + 5_000)];
    const found = await listOrders(env.DB, { ...NONE, limit: 6 });
    expect(found.map(({ clientId }) => clientId)).toEqual([
      ...Array<string>(3).fill(second.client.clientId),
      ...Array<string>(3).fill(first.client.clientId),
    ]);
  });
});

test("lists the orders of a client and of all by reading at most a page for each status and method", async () => {
  const product = simpleProduct();
  const [client, other] = [
    await createClient({ products: [product] }),
    await createClient({ products: [product] }),
  ];
  const states = { method: "api-purchase", status: "paid" } as const;
  const order: ListedGift = { ...states, gifts: [null], reference: "1", createdAtMs: 1_000 };
  const id = await importListed(client, product, order);
  const otherId = await importListed(other, product, order);
  await copyOrder(id, 400, 2_000, { status: "iif(n % 2, 'paid', 'created')" });
  await copyOrder(otherId, 400, 2_000);
  for (const [filter, orders] of [
    [{}, 20],
    [{ sinceMs: 300_000 }, 20],
    [{ untilMs: 300_000 }, 20],
    [{ status: "created" }, 20],
    [{ status: "created", method: "api-purchase" }, 20],
    [{ method: "link" }, 0],
    [{ method: "api-purchase", after: { createdAtMs: 300_000, id } }, 20],
  ] as const) {
    for (const clientId of [client.clientId, undefined]) {
      const meter = newMeter();
      const found = await listOrders(meteredD1(env.DB, meter), { ...filter, clientId, limit: 20 });
      // Other tests have orders, too.
      expect(clientId ? found.length : Math.min(found.length, orders)).toBe(orders);
      const ranges = ("status" in filter ? 1 : 4) * ("method" in filter ? 1 : 5);
      expect(meter.rowsRead).toBeLessThanOrEqual(ranges * 21);
    }
  }
});
