// Migration 0009 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { changeShipments } from "../../src/fulfilment/change.ts";
import { END, LIST, type OldStatement, PAY, PLACE, REDEEM } from "./worker-before-0009.ts";

const { FULFILMENT_MIGRATION_DB: d1, MIGRATIONS } = env;

const run = (sql: string) => d1.prepare(sql).run();

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await d1.prepare(sql).all()).results;
}

type Params = Record<string, string | number | null>;

/** Runs the statements in one batch. A parameter that is not given is null. */
const runOld = (statements: OldStatement[], params: Params) =>
  d1.batch(
    statements.map(({ names, sql }) =>
      d1.prepare(sql).bind(...names.split(" ").map((name) => params[name] ?? null)),
    ),
  );

const TOTAL_MINOR = 1001;
const NONCE = "0123456789abcdefghij";
let next = 0;

/** Places an order with the old statements, and returns its id. */
async function place(
  method: "api-purchase" | "api-giftlink",
  qty: number,
  status: "paid" | "created" = "paid",
): Promise<number> {
  const reference = `ref-${String(++next)}`;
  const totalMinor = TOTAL_MINOR * qty;
  const person = { firstName: "Ada", lastName: "Okafor", email: "ada@example.com" };
  // The Worker debits the account only for an order that is paid from credit.
  const statements = PLACE.filter(
    ({ sql }) =>
      status === "paid" || !/^\s*(UPDATE credit_accounts|INSERT INTO credit_entries)/.test(sql),
  );
  await runOld(statements, {
    ...{ clientId: "c", orderRefId: reference, placementId: "p", requestDigest: "d", method },
    ...{ status, giftOfChoice: "N", brandingSelected: "platform", productId: 1 },
    ...{ revision: "r", baseLocation: "AU", currency: "AUD", productPriceMinor: TOTAL_MINOR, qty },
    ...{ subtotalMinor: totalMinor, shippingCostMinor: 0, orderFeeMinor: 0, catalogueId: 1 },
    ...{ orderTotalMinor: totalMinor, createdAtMs: 4000 + next },
    ...(method === "api-giftlink" && { linkNonce: NONCE, linkKeyId: "key" }),
    recipients: JSON.stringify(Array.from({ length: qty }, () => person)),
  });
  const id = await d1
    .prepare("SELECT id FROM orders WHERE order_ref_id = ?")
    .bind(reference)
    .first<number>("id");
  expect(id).not.toBeNull();
  return Number(id);
}

const redeem = (orderId: number, sequence: number) =>
  runOld(REDEEM, {
    ...{ orderId, sequence, nonce: NONCE, generation: 0, redemptionId: `x-${String(sequence)}` },
    ...{ nowMs: 6000, productId: 1, revision: "r" },
  });

/** Cancels gifts or, without `sequences`, the order. */
const cancel = (orderId: number, sequences?: number[]) =>
  runOld(END, {
    ...{ orderId, clientId: "c", endingId: crypto.randomUUID(), nowMs: 7000 },
    ...{ giftStatus: "cancelled", orderStatus: "cancieled", entryKind: "cancellation" },
    ...{ from: '["created","paid"]', endsOrder: sequences ? 0 : 1 },
    suborderIds: sequences
      ? JSON.stringify(sequences.map((sequence) => orderId * 1000 + sequence))
      : null,
  });

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

const TABLES = ["orders", "sub_orders", "events", "credit_entries", "credit_accounts", "stock"];
const contentOf = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (name) => [name, await rows(`SELECT * FROM ${name}`)] as const),
    ),
  );

async function expectLedger() {
  const [sum] = await rows(
    "SELECT sum(amount_minor) AS balance_minor, count(*) AS entries FROM credit_entries",
  );
  expect(await rows("SELECT balance_minor, entries FROM credit_accounts")).toEqual([sum]);
}

let before: Awaited<ReturnType<typeof contentOf>>;
/** The orders from before the migration, by what happened to them, with their expected `finished`. */
const old: Record<string, { id: number; finished: number }> = {};

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0009"),
  );
  await run("INSERT INTO catalogues (id, name, version, staged_version) VALUES (1, 'main', 0, 0)");
  await run(
    `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
       created_at_ms) VALUES ('c', 'C', 'credit', 0, 'AUD', 1, 0)`,
  );
  await run("INSERT INTO products (id) VALUES (1)");
  await run(
    `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
       price_minor, shipping_minor, locations, variations, content)
     VALUES (1, 'r', 'simple', 'physical', 'AUD', 1001, 0, '[]', '[]', '{}')`,
  );
  await run(
    `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical, total_digital,
       published_at_ms) VALUES (1, 1, 1, 1, 0, 0)`,
  );
  await run(
    `INSERT INTO catalogue_entries (catalogue_id, version, product_id, revision, delivery, position,
       delivery_position, currency)
     VALUES (1, 1, 1, 'r', 'physical', 0, 0, 'AUD')`,
  );
  await run("UPDATE catalogues SET version = 1, staged_version = 1");
  await run(
    "INSERT INTO stock (product_id, variation_id, quantity, sellable) VALUES (1, 0, 500, 1)",
  );
  await run(
    "INSERT INTO credit_accounts (client_id, currency, balance_minor, entries) VALUES ('c', 'AUD', 1000000, 1)",
  );
  await run(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       reference, created_at_ms) VALUES ('c', 'AUD', 1, 'adjustment', 1000000, 1000000, 'first', 1)`,
  );
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
        ...{ language: null, delivery_email: null, declined_at_ms: null },
        ...{ thank_you: null, thanked_at_ms: null },
      })),
      orders: before["orders"]?.map((row) => ({
        ...row,
        shipped_gifts: 0,
        finished: finished.get(row["id"] as number),
        sender_name: null,
      })),
    };
    expect(await contentOf()).toEqual(expected);
    expect(expected.orders).toHaveLength(8);
    expect(await rows("SELECT * FROM shipments")).toEqual([]);
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
