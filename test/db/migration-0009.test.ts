// Migration 0009 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { changeShipments } from "../../src/fulfilment/change.ts";
import { allDifferences } from "../support/invariants.ts";
import { oldWorker } from "./old-worker.ts";
import { END, LIST, PAY } from "./worker-before-0009.ts";

const { FULFILMENT_MIGRATION_DB: d1, MIGRATIONS } = env;

const TABLES = ["orders", "sub_orders", "events", "credit_entries", "credit_accounts", "stock"];
const { rows, contentOf, runOld, addClient, place, redeem, cancel } = oldWorker(d1, END, TABLES);

async function ship(orderId: number, sequences: number[]) {
  const gifts = sequences.map((sequence) => ({ orderId, sequence }));
  const request = { clientId: "c", requestId: crypto.randomUUID(), nowMs: 8000 };
  const outcomes = await changeShipments(d1, "ship", gifts, request);
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["shipped"]));
}

const orderOf = (id: number) =>
  d1
    .prepare(
      `SELECT status, finished, shipped_gifts AS shipped, redeemed_gifts AS redeemed,
         cancelled_gifts AS cancelled, refunded_minor AS refunded FROM orders WHERE id = ?`,
    )
    .bind(id)
    .first();

async function expectLedger() {
  const [sum] = await rows(
    "SELECT sum(amount_minor) AS balance_minor, count(*) AS entries FROM credit_entries",
  );
  expect(await rows("SELECT balance_minor, entries FROM credit_accounts")).toEqual([sum]);
}

let before: Awaited<ReturnType<typeof contentOf>>;
/** Directly after the migration. */
let after: typeof before;
/** The orders from before the migration, by what happened to them, with their expected `finished`. */
const old: Record<string, { id: number; finished: number }> = {};

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0009"),
  );
  await addClient();
  const add = async (
    name: string,
    method: "api-purchase" | "api-giftlink",
    finished: number,
    change: (id: number) => Promise<unknown> = () => Promise.resolve(),
  ) => {
    const id = await place(method, 3);
    await change(id);
    old[name] = { id, finished };
  };
  const redeemAll = async (id: number) => {
    for (const sequence of [1, 2, 3]) await redeem(id, sequence);
  };
  await add("bought", "api-purchase", 0);
  await add("bought, two cancelled", "api-purchase", 0, (id) => cancel(id, [1, 2]));
  await add("bought and cancelled", "api-purchase", 0, (id) => cancel(id));
  await add("open", "api-giftlink", 0);
  await add("one redeemed", "api-giftlink", 0, (id) => redeem(id, 2));
  await add("all redeemed", "api-giftlink", 1, redeemAll);
  await add("redeemed or cancelled", "api-giftlink", 1, async (id) => {
    await redeem(id, 1);
    await redeem(id, 3);
    await cancel(id, [2]);
  });
  await add("redeemed and cancelled whole", "api-giftlink", 0, async (id) => {
    await redeem(id, 1);
    await cancel(id);
  });
  before = await contentOf();
  await applyD1Migrations(d1, MIGRATIONS);
  after = { ...(await contentOf()), shipments: await rows("SELECT * FROM shipments") };
});

const idOf = (name: string) => Number(old[name]?.id);

describe("existing data", () => {
  test("is kept in every row and column, with the new columns, and finished orders are marked", async () => {
    const finished = new Map(Object.values(old).map((order) => [order.id, order.finished]));
    const expected = {
      ...before,
      sub_orders: before["sub_orders"]?.map((row) => ({
        ...row,
        has_shipment: 0,
        ...{ language: null, delivery_email: null, declined_at_ms: null, erased_at_ms: null },
        ...{
          thank_you: null,
          thanked_at_ms: null,
          corrections: 0,
          took_stock: null,
          expires_at_ms: null,
        },
      })),
      events: before["events"]?.map((row) => ({ ...row, is_placement: null })),
      orders: before["orders"]?.map((row) => ({
        ...row,
        shipped_gifts: 0,
        finished: finished.get(row["id"] as number),
        ...{
          sender_name: null,
          erased_at_ms: null,
          placed_sequence: null,
          expiry_checked_ms: null,
          owed_minor: null,
        },
      })),
      shipments: [],
    };
    expect(after).toEqual(expected);
    expect(expected.orders).toHaveLength(8);
    expect(await rows("PRAGMA foreign_key_check")).toEqual([]);
    await expectLedger();
  });

  test("is shipped, and is then finished", async () => {
    const bought = idOf("bought, two cancelled");
    await ship(bought, [3]);
    expect(await orderOf(bought)).toMatchObject({ status: "paid", finished: 1, shipped: 1 });
    await ship(idOf("one redeemed"), [2]);
    expect(await orderOf(idOf("one redeemed"))).toMatchObject({ finished: 0, shipped: 1 });
    await ship(idOf("redeemed and cancelled whole"), [1]);
    expect(await orderOf(idOf("redeemed and cancelled whole"))).toMatchObject({
      status: "cancieled",
      finished: 0,
      shipped: 1,
    });
  });
});

describe("the statements of the Worker before the migration", () => {
  test("place and redeem orders, which become finished", async () => {
    const id = await place("api-giftlink", 2);
    expect(await orderOf(id)).toMatchObject({ status: "paid", finished: 0 });
    await redeem(id, 1);
    expect(await orderOf(id)).toMatchObject({ redeemed: 1, finished: 0 });
    await redeem(id, 2);
    expect(await orderOf(id)).toMatchObject({ redeemed: 2, finished: 1 });
    await ship(id, [1, 2]);
    await expectLedger();
  });

  test("pay an order by invoice", async () => {
    const id = await place("api-giftlink", 1, "created");
    await runOld(PAY, { orderId: id, clientId: "c", nowMs: 5000 });
    expect(await orderOf(id)).toMatchObject({ status: "paid", finished: 0 });
  });

  test("cancel gifts and orders, and an order without other open gifts becomes finished", async () => {
    const id = await place("api-giftlink", 3);
    await redeem(id, 1);
    await cancel(id, [2]);
    expect(await orderOf(id)).toMatchObject({ finished: 0, cancelled: 1, refunded: 1001 });
    await cancel(id, [3]);
    expect(await orderOf(id)).toEqual({
      ...{ status: "paid", finished: 1, shipped: 0, redeemed: 1, cancelled: 2, refunded: 2002 },
    });
    const whole = await place("api-purchase", 2);
    await cancel(whole);
    expect(await orderOf(whole)).toMatchObject({
      status: "cancieled",
      finished: 0,
      refunded: 2002,
    });
    await expectLedger();
  });

  test("cancel the open gifts of an order of which another gift is shipped", async () => {
    const id = await place("api-purchase", 3);
    await ship(id, [1]);
    await cancel(id, [2]);
    expect(await orderOf(id)).toMatchObject({ status: "paid", finished: 0, cancelled: 1 });
    await cancel(id, [3]);
    expect(await orderOf(id)).toMatchObject({ status: "paid", finished: 1, refunded: 2002 });
    await expectLedger();
  });

  test.each<[string, number[] | undefined]>([
    ["a shipped gift", [1]],
    ["a shipped gift and an open one", [1, 2]],
    ["an order with a shipped gift", undefined],
  ])("cannot cancel %s: the cancellation is aborted as a whole", async (_, sequences) => {
    const id = await place("api-purchase", 3);
    await ship(id, [1]);
    const state = await contentOf();
    await expect(cancel(id, sequences)).rejects.toThrow("shipped_gifts_do_not_end");
    expect(await contentOf()).toEqual(state);
  });

  test("list finished and unfinished orders together, newest first", async () => {
    const none = { clientId: "c", fromMs: 0, beforeMs: 9_999, beforeId: 0, limit: 500 };
    const [listed] = await runOld(LIST, {
      ...none,
      ...{ status0: "failed", status1: "created", status2: "paid", status3: "cancieled" },
      ...{ method0: "email", method1: "direct", method2: "link" },
      ...{ method3: "api-purchase", method4: "api-giftlink" },
    });
    const all = await rows("SELECT id FROM orders ORDER BY created_at_ms DESC, id DESC");
    expect((listed?.results as { id: number }[]).map(({ id }) => ({ id }))).toEqual(all);
    const [paid] = await runOld(LIST, { ...none, status2: "paid", method4: "api-giftlink" });
    expect((paid?.results as { id: number }[]).map(({ id }) => id)).toContain(idOf("all redeemed"));
  });
});

test("the checks of the invariants find no difference in data from before the migration", async () => {
  expect(await allDifferences(d1)).toEqual([]);
});
