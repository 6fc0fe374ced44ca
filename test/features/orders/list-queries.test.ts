// The rows that the lists of orders read.
import { beforeAll, describe, expect, test } from "vitest";
import { createClient, simpleProduct, type TestClient } from "../../support/fixtures.ts";
import {
  copyOrder,
  importListed,
  listAllOrders,
  type ListedGift,
} from "../../support/listed-orders.ts";
import { startWorker } from "../../support/worker.ts";

const DAY_MS = Date.UTC(2026, 4, 1);
const COUNT = 500;

describe("a list of many orders", () => {
  const worker = startWorker();
  let client: TestClient;
  beforeAll(async () => {
    const product = simpleProduct();
    client = await createClient({ products: [product] });
    const order: ListedGift = {
      reference: "first",
      status: "paid",
      method: "api-purchase",
      createdAtMs: DAY_MS,
      gifts: [null],
    };
    const id = await importListed(client, product, order);
    await copyOrder(id, COUNT, DAY_MS + 1_000, {
      order_ref_id: "'many-' || printf('%06d', n)",
      // Three are redeemed, the last of them beyond hundreds of others.
      redeemed_gifts: "n IN (10, 480, 500)",
      status:
        "CASE n % 100 WHEN 7 THEN 'failed' ELSE CASE n % 3 WHEN 0 THEN 'created' ELSE 'paid' END END",
      gift_order_method:
        "CASE n % 7 WHEN 0 THEN 'api-giftlink' WHEN 1 THEN 'link' ELSE 'api-purchase' END",
    });
    await worker.get(client, "/api/credit-balance");
  });

  test.for<[filters: Record<string, string>, count: number]>([
    [{}, 501],
    [{ created_from: "2026-05-01T00:02:00Z", created_until: "2026-05-01T00:04:00Z" }, 120],
    [{ created_until: "2026-04-01" }, 0],
    [{ order_ref_id_prefix: "many-" }, 500],
    [{ order_ref_id_prefix: "many-00012" }, 10],
    [{ redemption_status: "unredeemed" }, 498],
    [{ redemption_status: "redeemed" }, 3],
    [{ redemption_status: "cancelled" }, 0],
    [{ redemption_status: "redeemed", created_from: "2026-05-01T00:08:00Z" }, 2],
    [{ order_status: "failed" }, 5],
    [{ order_status: "paid" }, 331],
    [{ order_status: "cancieled" }, 0],
    [{ gift_order_method: "api-giftlink" }, 71],
    [{ gift_order_method: "link", created_until: "2026-05-01T00:01:00Z" }, 9],
    [{ order_status: "failed", gift_order_method: "api-purchase" }, 3],
    [{ order_status: "created", gift_order_method: "api-giftlink" }, 23],
    [{ order_status: "paid", redemption_status: "redeemed" }, 2],
  ])("with %j reads at most a page for each status and method", async ([filters, count]) => {
    const statuses = "order_status" in filters ? 1 : 4;
    const methods = "gift_order_method" in filters ? 1 : 5;
    const ranges = "order_ref_id_prefix" in filters ? 1 : statuses * methods;
    for (const limit of [40, 200]) {
      const pages = await listAllOrders(worker, client, { ...filters, limit });
      expect(pages.flatMap(({ orders }) => orders)).toHaveLength(count);
      for (const { meter } of pages) {
        // In each range one order after the page, and its end.
        const rows = Math.min(ranges * (limit + 2), count + 2 * ranges);
        expect(meter.rowsRead).toBeLessThanOrEqual(rows);
        expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      }
      for (const { orders } of pages.slice(0, -1)) expect(orders).toHaveLength(limit);
    }
  });
});
