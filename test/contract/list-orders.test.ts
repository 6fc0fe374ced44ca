// GET /api/orders: its fields, filters, orderings and pages.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { extend } from "../../src/features/lifecycle/extend.ts";
import { OrdersQuery } from "../../src/features/orders/contract.ts";
import { PAGE_PARAMETERS } from "../../src/features/orders/list-cursor.ts";
import { errorOf } from "../support/errors.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import {
  copyOrder,
  importListed,
  listAllOrders,
  type ListedGift,
  listOrders,
} from "../support/listed-orders.ts";
import { createSampleShop, orderNumberOf, placeOrder } from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";
import { runs } from "../support/runs.ts";
import { NO_CLIENT } from "../../src/features/lifecycle/order-key.ts";

const worker = startWorker();
const DAY_MS = Date.UTC(2026, 4, 1);
const HOUR_MS = 3_600_000;

const STATUSES = ["failed", "created", "paid", "cancieled"] as const;
const METHODS = ["email", "direct", "link", "api-purchase", "api-giftlink"] as const;
const REDEMPTIONS = ["unredeemed", "redeemed", "cancelled"] as const;
const GIFTS: ListedGift["gifts"][] = [
  [null],
  [null, "redeemed"],
  ["redeemed"],
  ["cancelled", "redeemed"],
  ["cancelled"],
  [null, "cancelled", "redeemed"],
];
/** In the order of their bytes in UTF-8, which is not the order of JavaScript. */
const PREFIXES = ["A", "a", "a-", "é", "\ufffd", "🎁", "\u{10ffff}"];

async function shopOf(orders: ListedGift[]) {
  const { product, client } = await openShop();
  const imported = [];
  for (const order of orders) {
    imported.push({ ...order, id: await importListed(client, product, order) });
  }
  return { client, product, imported };
}

const order = (changes: Partial<ListedGift> = {}): ListedGift => ({
  reference: null,
  status: "paid",
  method: "email",
  createdAtMs: DAY_MS,
  gifts: [null],
  ...changes,
});

const idsOf = (pages: { orders: { order_id: number }[] }[]) =>
  pages.flatMap(({ orders }) => orders.map(({ order_id }) => order_id));

const CANCELLED = order({
  status: "cancieled",
  method: "link",
  createdAtMs: DAY_MS + HOUR_MS,
  updatedAtMs: DAY_MS + 2 * HOUR_MS,
  gifts: ["redeemed", "redeemed", "cancelled"],
});

test("GET /api/orders shows the fields of each order, newest first", async () => {
  const { product, client } = await createSampleShop();
  const at = (ms: number) => startWorker({ now: () => ms });
  const placed = orderOf(product, { recipient_details: recipients(2) });
  const first = await placeOrder(at(DAY_MS + 59_999), client, placed);
  const id = await importListed(client, product, CANCELLED);
  const counts = { cancelled_count: 0, redeemed_count: 0, expired_count: 0, redeem_by: null };
  const { orders, cursor } = await listOrders(worker, client, {});
  expect(cursor).toBeNull();
  expect(orders).toMatchObject([
    {
      ...counts,
      order_id: id,
      order_number: orderNumberOf(id),
      order_ref_id: null,
      order_date: "2026-05-01 01:00",
      order_status: "cancieled",
      gift_order_method: "link",
      updated_at: "2026-05-01T02:00:00.000Z",
      order_totals: { currency: "AUD", order_total: "75.05", refunded: "0.00" },
      recipient_count: 3,
      redeemed_count: 2,
      cancelled_count: 1,
    },
    {
      ...counts,
      ...first.order_data,
      order_ref_id: placed.order_ref_id,
      order_date: "2026-05-01 00:00",
      order_status: "paid",
      gift_order_method: "api-purchase",
      updated_at: "2026-05-01T00:00:59.999Z",
      order_totals: { currency: "AUD", order_total: "251.68", refunded: "0.00" },
      recipient_count: 2,
    },
  ]);
});

test("GET /api/orders does not set updated_at back if the clock of a Worker is behind", async () => {
  const placedMs = Date.UTC(2031, 0, 1);
  const at = (minutes: number) => startWorker({ now: () => placedMs + minutes * 60_000 });
  const people = { recipient_details: recipients(4) };
  const { client, orderId, path } = await createGift(at(0), [simpleProduct()], people);
  const updatedAt = async () => (await listOrders(worker, client, {})).orders[0]?.updated_at;
  const cancelAt = async (minutes: number, sequence: number) => {
    const suborder_ids = [orderId * 1000 + sequence];
    const body = { order_id: orderId, suborder_ids };
    expect((await at(minutes).post(client, "/api/order/cancel", body)).status).toBe(200);
  };
  await cancelAt(-1, 2);
  expect(await updatedAt()).toBe("2031-01-01T00:00:00.000Z");
  expect((await accept(at(5), path)).status).toBe(303);
  await cancelAt(4, 3);
  const renewal = { suborder_id: orderId * 1000 + 4 };
  expect((await at(4).post(client, "/api/gift-link/renew", renewal)).status).toBe(200);
  expect(await extend(env.DB, { orderId, ...NO_CLIENT }, "2031-03-01", placedMs)).toMatchObject({
    changed: true,
  });
  expect(await updatedAt()).toBe("2031-01-01T00:05:00.000Z");
});

test("GET /api/orders contains 100 orders if no limit is given", async () => {
  const { client, imported } = await shopOf([order({ reference: "first" })]);
  await copyOrder(imported[0]?.id ?? 0, 100, DAY_MS + 1_000);
  const [first, second, ...others] = await listAllOrders(worker, client, {});
  expect([first?.orders.length, second?.orders.length, others.length]).toEqual([100, 1, 0]);
});

test("GET /api/orders includes created_from and excludes created_until, as days and as timestamps", async () => {
  const { client, imported } = await shopOf(
    [-1, 0, 1, 2 * HOUR_MS].map((ms) => order({ createdAtMs: DAY_MS + ms })),
  );
  const [before, start, after, later] = imported.map(({ id }) => id);
  for (const [created_from, created_until, ids] of [
    ["2026-05-01", "2026-05-02", [later, after, start]],
    ["2026-04-30", "2026-05-01", [before]],
    ["2026-05-01T00:00:00.001Z", "2026-05-01T02:00:00Z", [after]],
    ["2026-05-01T02:00:00+02:00", "2026-05-01T00:00:00.001-00:00", [start]],
    ["2026-05-01T01:59:59.999Z", "2026-05-01t04:00:00.001+02:00", [later]],
    ["2026-05-02", "2026-05-01", []],
    ["2026-05-01", "2026-05-01", []],
  ] as const) {
    const pages = await listAllOrders(worker, client, { created_from, created_until, limit: 1 });
    expect([created_from, created_until, idsOf(pages)]).toEqual([created_from, created_until, ids]);
  }
});

/** All statuses and methods, some with the same time and some without a reference. */
const SAMPLE: ListedGift[] = Array.from({ length: 40 }, (_, n) => {
  const method = METHODS[n % 5] ?? "email";
  const isStore = n % 5 < 3 && n % 4 === 0;
  return {
    reference: isStore ? null : `${PREFIXES[n % 7] ?? ""}${String((n * 37) % 40)}`,
    status: STATUSES[(n * 7 + Math.floor(n / 20)) % 4] ?? "paid",
    method,
    createdAtMs: DAY_MS + Math.floor(((n * 17) % 40) / 4) * HOUR_MS,
    gifts: GIFTS[(n * 11) % 6] ?? [null],
  };
});

type Filters = Record<string, string | number>;
type Imported = ListedGift & { id: number };

const timeOf = (filter: string | number | undefined) => Date.parse(String(filter));

/** The ids that a list with these filters contains, in its order. */
function expectedIds(orders: Imported[], filters: Filters): number[] {
  const gifts = { unredeemed: null, redeemed: "redeemed", cancelled: "cancelled" } as const;
  const { order_status, gift_order_method, redemption_status, created_from } = filters;
  const { created_until, order_ref_id_prefix: prefix } = filters;
  const found = orders.filter(
    (each) =>
      (order_status === undefined || each.status === order_status) &&
      (gift_order_method === undefined || each.method === gift_order_method) &&
      (redemption_status === undefined ||
        each.gifts.includes(gifts[redemption_status as keyof typeof gifts])) &&
      (created_from === undefined || each.createdAtMs >= timeOf(created_from)) &&
      (created_until === undefined || each.createdAtMs < timeOf(created_until)) &&
      (prefix === undefined || (each.reference?.startsWith(String(prefix)) ?? false)),
  );
  const newestFirst = (a: Imported, b: Imported) => b.createdAtMs - a.createdAtMs || b.id - a.id;
  const byReference = (a: Imported, b: Imported) =>
    compareBytes(a.reference ?? "", b.reference ?? "");
  return found.sort(prefix === undefined ? newestFirst : byReference).map(({ id }) => id);
}

function compareBytes(a: string, b: string): number {
  const hex = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex(a) < hex(b) ? -1 : 1;
}

const some = <T>(values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const times = Array.from({ length: 11 }, (_, hour) =>
  new Date(DAY_MS + hour * HOUR_MS).toISOString(),
);
const anyFilters = fc
  .oneof(
    fc.record({
      order_status: some(STATUSES),
      gift_order_method: some(METHODS),
      redemption_status: some(REDEMPTIONS),
      created_from: some(times),
      created_until: some(times),
    }),
    fc.record({ order_ref_id_prefix: some([...PREFIXES, "a-1", "A5", "none"]) }),
  )
  .chain((filters) =>
    fc
      .constantFrom(3, 4, 7, 40, 500)
      .map(
        (limit) =>
          Object.fromEntries(
            Object.entries({ ...filters, limit }).filter(([, value]) => value !== undefined),
          ) as Filters & { limit: number },
      ),
  );

test("the pages of a list of orders contain each order that matches the filters exactly once, in one round trip each", async () => {
  const { client, imported } = await shopOf(SAMPLE);
  // Orders of another client with the same references.
  await shopOf(SAMPLE.slice(0, 5));
  // The first request of a client also reads its record.
  await worker.get(client, "/api/credit-balance");
  await fc.assert(
    fc.asyncProperty(anyFilters, async (filters) => {
      const pages = await listAllOrders(worker, client, filters);
      expect(idsOf(pages)).toEqual(expectedIds(imported, filters));
      for (const { orders, meter } of pages) {
        expect(orders.length).toBeLessThanOrEqual(filters.limit);
        expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      }
      // Only the last page is short.
      for (const { orders } of pages.slice(0, -1)) expect(orders).toHaveLength(filters.limit);
    }),
    {
      numRuns: runs(80),
      examples: [[{ limit: 7 }], [{ limit: 1, order_ref_id_prefix: "a" }]],
    },
  );
}, 60_000);

test("the pages of a list of orders contain each order once while orders are placed", async () => {
  const { client, product } = await shopOf(SAMPLE.slice(0, 20));
  const times = [DAY_MS + 20 * HOUR_MS, DAY_MS + 5 * HOUR_MS, DAY_MS - HOUR_MS];
  let placed = 0;
  const placeAnother = async () => {
    const createdAtMs = times[placed % 3] ?? 0;
    const reference = `a-${"mz"[placed % 2] ?? ""}${String(placed)}`;
    await importListed(client, product, order({ reference, createdAtMs }));
    placed += 1;
  };
  for (const filters of [{ limit: 4 }, { limit: 2, order_ref_id_prefix: "a" }]) {
    const known = idsOf(await listAllOrders(worker, client, filters));
    const end = placed + 6;
    const pages = await listAllOrders(worker, client, filters, async () => {
      if (placed < end) await placeAnother();
    });
    expect(idsOf(pages).filter((id) => known.includes(id))).toEqual(known);
    expect(new Set(idsOf(pages)).size).toBe(idsOf(pages).length);
  }
});

describe("a cursor", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const decode = (cursor: string | null) =>
    JSON.parse(Buffer.from(cursor ?? "", "base64url").toString()) as { filters: unknown };

  test("is refused with other filters, and accepted with the same ones and another limit", async () => {
    const { client } = await shopOf(
      ["a-11", "a-12", "a-13", "a-14"].map((reference) =>
        order({ reference, createdAtMs: DAY_MS }),
      ),
    );
    const examples = Object.entries(OrdersQuery().shape)
      .filter(([name]) => !PAGE_PARAMETERS.includes(name))
      .map(([name, schema]) => ({ [name]: String(z.globalRegistry.get(schema)?.["example"]) }));
    for (const [own, others] of [
      [{}, examples],
      [{ order_status: "paid" }, [{}, ...examples.slice(1)]],
      [{ order_ref_id_prefix: "a-" }, [{}, { order_ref_id_prefix: "a-1" }]],
    ] as const) {
      const { cursor } = await listOrders(worker, client, { ...own, limit: 2 });
      const rest = { cursor: String(cursor), limit: 500 };
      expect((await listOrders(worker, client, { ...own, ...rest })).orders).toHaveLength(2);
      for (const other of others) {
        const query = new URLSearchParams({ ...other, cursor: String(cursor) });
        const error = errorOf(await worker.get(client, `/api/orders?${query.toString()}`));
        expect([other, error.errors?.map(({ field }) => field)]).toEqual([other, ["cursor"]]);
      }
    }
    const { cursor } = await listOrders(worker, client, { created_from: "2026-05-01", limit: 2 });
    const same = { created_from: "2026-05-01T02:00:00+02:00", cursor: String(cursor) };
    expect((await listOrders(worker, client, same)).orders).toHaveLength(2);
  });

  test("that is forged shows no orders of another client, and none outside of the filters", async () => {
    const { client, imported } = await shopOf(
      [0, 1, 2].map((n) => order({ reference: `a-${String(n)}`, createdAtMs: DAY_MS + n })),
    );
    await shopOf([order({ reference: "a-3", createdAtMs: DAY_MS + 3 })]);
    const [oldest, middle, newest] = imported.map(({ id }) => id);
    const max = Number.MAX_SAFE_INTEGER;
    for (const [filters, position, ids] of [
      [{}, [max, max], [newest, middle, oldest]],
      [{}, [-max, 1], []],
      [{ created_until: "2026-05-01T00:00:00.002Z" }, [max, 1], [middle, oldest]],
      [{ created_until: "2026-05-01T00:00:00.002Z" }, [DAY_MS + 2, max], [middle, oldest]],
      [{ created_from: "2026-05-01T00:00:00.001Z" }, [DAY_MS + 2, 1], [middle]],
      [{ order_ref_id_prefix: "a" }, ["a-1", 1], [middle, newest]],
      [{ order_ref_id_prefix: "a" }, ["a-1", max], [newest]],
      [{ order_ref_id_prefix: "a" }, ["a\u0000", 1], [oldest, middle, newest]],
    ] as const) {
      const { cursor: genuine } = await listOrders(worker, client, { ...filters, limit: 1 });
      const [key, id] = position;
      const names = typeof key === "string" ? { orderRefId: key } : { createdAtMs: key };
      const cursor = encode({ ...names, id, filters: decode(genuine).filters });
      const page = await listOrders(worker, client, { ...filters, cursor });
      expect([position, idsOf([page])]).toEqual([position, ids]);
    }
  });

  test("that is no position is refused", async () => {
    const { client } = await shopOf([order(), order()]);
    const max = Number.MAX_SAFE_INTEGER;
    const { cursor: genuine } = await listOrders(worker, client, { limit: 1 });
    const { filters } = decode(genuine);
    for (const position of [
      ...[1.5, "1", null, undefined].map((createdAtMs) => ({ createdAtMs, id: 1, filters })),
      ...[1.5, max + 1, "1", undefined].map((id) => ({ createdAtMs: 1, id, filters })),
      ...[{ createdAtMs: 1, id: 1 }, { filters }, [1, 2, filters], []],
      "a",
      null,
    ]) {
      const answer = await worker.get(client, `/api/orders?cursor=${encode(position)}`);
      expect([position, errorOf(answer).code]).toEqual([position, "validation_error"]);
    }
  });
});
