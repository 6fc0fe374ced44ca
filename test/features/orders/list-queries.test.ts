// How SQLite runs the statements of the list: without sorting, and with a bounded number of rows.
import { beforeAll, describe, expect, test } from "vitest";
import { STATEMENTS } from "../../../src/platform/db/statement.ts";
import "../../../src/features/orders/list-queries.ts";
import { createClient, simpleProduct, type TestClient } from "../../support/fixtures.ts";
import {
  copyOrder,
  importListed,
  listAllOrders,
  type ListedGift,
  listOrders,
} from "../../support/listed-orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

describe("the statements of the list", () => {
  const lists = STATEMENTS.map(({ sql }) => sql).filter((sql) =>
    /\(o\.created_at_ms, o\.id\) <|\(o\.order_ref_id, o\.id\) >/.test(sql),
  );

  async function planOf(text: string): Promise<string[]> {
    const count = Math.max(...[...text.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n)));
    const { results } = await sql(
      `EXPLAIN QUERY PLAN ${text}`,
      ...Array<null>(count).fill(null),
    ).all<{ detail: string }>();
    return results.map(({ detail }) => detail);
  }

  test("read one range of an index, without sorting", async () => {
    const newest =
      "SEARCH o USING INDEX orders_by_client (client_id=? AND created_at_ms>? AND created_at_ms<?)";
    const byPrefix =
      "SEARCH o USING INDEX orders_by_reference (client_id=? AND order_ref_id>? AND order_ref_id<?)";
    // Two lists of the API.
    const plans = await Promise.all(lists.map(planOf));
    expect(plans.map((plan) => plan.join()).sort()).toEqual([newest, byPrefix]);
  });
});

const DAY_MS = Date.UTC(2026, 4, 1);
const COUNT = 2_500;
/** The orders that a request reads if a filter is not served by an index. */
const EXAMINED = 1_000;

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
      // Three are redeemed, the last of them beyond two thousand others.
      redeemed_gifts: "n IN (10, 2400, 2500)",
      status:
        "CASE n % 500 WHEN 7 THEN 'failed' ELSE CASE n % 3 WHEN 0 THEN 'created' ELSE 'paid' END END",
      gift_order_method:
        "CASE n % 7 WHEN 0 THEN 'api-giftlink' WHEN 1 THEN 'link' ELSE 'api-purchase' END",
    });
    await worker.get(client, "/api/credit-balance");
  });

  test.for<Record<string, string>>([
    {},
    { created_from: "2026-05-01T00:10:00Z", created_until: "2026-05-01T00:20:00Z" },
    { created_until: "2026-04-01" },
    { order_ref_id_prefix: "many-" },
    { order_ref_id_prefix: "many-0012" },
  ])("with %j reads as many rows as its pages have, on every page", async (filters) => {
    for (const limit of [100, 500]) {
      const pages = await listAllOrders(worker, client, { ...filters, limit });
      for (const { orders, meter } of pages) {
        // The order after the page, the one that the cursor names, and the end of the range are read too.
        expect(meter.rowsRead).toBeLessThanOrEqual(orders.length + 3);
        expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      }
    }
  });

  test.for<[filters: Record<string, string>, count: number]>([
    [{ redemption_status: "redeemed" }, 3],
    [{ redemption_status: "cancelled" }, 0],
    [{ redemption_status: "redeemed", order_ref_id_prefix: "many" }, 3],
    [{ order_status: "failed" }, 5],
    [{ order_status: "failed", gift_order_method: "api-purchase" }, 4],
    [{ order_status: "created", gift_order_method: "api-giftlink" }, 119],
    [{ order_status: "cancieled" }, 0],
    [{ order_status: "failed", order_ref_id_prefix: "many" }, 5],
    [{ created_until: "2026-05-01T00:00:03Z", order_ref_id_prefix: "many" }, 2],
  ])("with %j examines at most 1,000 orders for a page", async ([filters, count]) => {
    const pages = await listAllOrders(worker, client, filters);
    expect(pages.flatMap(({ orders }) => orders)).toHaveLength(count);
    expect(pages).toHaveLength(3);
    for (const { meter } of pages) {
      expect(meter.rowsRead).toBeLessThanOrEqual(EXAMINED + 1);
      expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    }
  });

  test("with a filter that most orders match fills its pages", async () => {
    const filters = { redemption_status: "unredeemed", limit: 500 };
    const pages = await listAllOrders(worker, client, filters);
    expect(pages.map(({ orders }) => orders.length)).toEqual([500, 500, 500, 500, 498]);
  });

  test("continues on an empty page", async () => {
    const first = await listOrders(worker, client, {
      redemption_status: "redeemed",
      created_until: "2026-05-01T00:40:00Z",
    });
    expect(first.orders).toEqual([]);
    expect(first.cursor).not.toBeNull();
  });
});
