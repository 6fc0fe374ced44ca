// The operation `order list`.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { orderNumber } from "../../../src/core/values/ids.ts";
import { listOrders } from "../../../src/operator/orders/queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { copyOrder, importListed, type ListedGift } from "../../support/listed-orders.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../operator-api.ts";

/** A client with `count` orders, each a second after the one before. */
async function newOrders(count: number) {
  const { client, product } = await openShop();
  const id = await importListed(client, product, {
    reference: "PO",
    status: "paid",
    method: "api-purchase",
    createdAtMs: 1_000,
    gifts: [null],
  });
  await copyOrder(id, count - 1, 2_000);
  return { client: client.clientId, id };
}

test("lists orders by pages, newest first, in one round trip each", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["viewer"], opened);
  const { client, id } = await newOrders(60);
  const first = await api.list("order list", { client }, { limit: 50 });
  const after = first.next ?? "";
  const second = await api.list("order list", { client }, { limit: 50, after });
  const orders = [...first.rows, ...second.rows].map(({ order }) => order);
  expect([first.rows.length, second.next, new Set(orders).size]).toEqual([50, null, 60]);
  expect(orders.at(-1)).toBe(orderNumber(id));
  const page = await (await opened.signIn("viewer")).get(`/order/list?client=${client}`);
  // The second one reads the clients that the filter suggests.
  expect(page.meter.roundTrips).toBe(2);
  expect(page.html).toMatch(new RegExp(`<datalist id="client">.*value="${client}"`));
  expect(page.html.length).toBeLessThan(60_000);
});

describe("the orders of a filter", async () => {
  const api = await openOperatorApi(["viewer"]);
  const FROM_MS = Date.UTC(2040, 0);
  const at = (ms: number) => new Date(FROM_MS + ms).toISOString();
  const shown: Record<string, unknown>[] = [];
  let client = "";

  /** 1, 2 and 3 s after the time: an order of one gift, two gifts with links, and three gifts. */
  beforeAll(async () => {
    const shop = await openShop();
    client = shop.client.clientId;
    for (const qty of [1, 2, 3]) {
      const worker = startWorker({ now: () => FROM_MS + qty * 1_000 });
      const path = qty === 2 ? "/api/gift-link" : "/api/order";
      const body = orderOf(shop.product, { recipient_details: recipients(qty) });
      const { json } = await worker.post(shop.client, path, body);
      const id = json.order_data.order_id as number;
      if (qty === 2) await transition(env.DB, id, "cancel", FROM_MS + 4_000);
      shown.push({
        order: orderNumber(id),
        reference: body.order_ref_id,
        placed: at(qty * 1_000),
        quantity: qty,
        total: { amount: (31.2 * qty).toFixed(2), currency: "AUD" },
      });
    }
  });

  test.each<[object, number[]]>([
    [{}, [3, 2, 1]],
    [{ status: "paid" }, [3, 1]],
    [{ status: "cancelled" }, [2]],
    [{ status: "failed" }, []],
    [{ method: "api-giftlink" }, [2]],
    [{ method: "api-purchase" }, [3, 1]],
    [{ since: at(2_000) }, [3, 2]],
    [{ since: at(2_001) }, [3]],
    [{ until: at(2_000) }, [1]],
    [{ until: at(2_001) }, [2, 1]],
    [{ since: at(1_000), until: at(3_000), method: "api-purchase", status: "paid" }, [1]],
  ])("%j are %j", async (filter, expected) => {
    const { rows } = await api.list("order list", { client, ...filter });
    expect(rows).toMatchObject(expected.map((n) => shown[n - 1]));
    const all = await api.list("order list", { since: at(0), ...filter });
    expect(all.rows).toEqual(rows);
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
