// Migration 0011 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { END, type OldStatement, PLACE, REDEEM, SELECT_ORDER } from "./worker-before-0011.ts";

const { RECIPIENTS_MIGRATION_DB: d1, MIGRATIONS } = env;

const run = (sql: string) => d1.prepare(sql).run();

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await d1.prepare(sql).all()).results;
}

/** Runs the statements in one batch. A parameter that is not given is null. */
const runOld = (
  statements: OldStatement[],
  params: Record<string, string | number | null>,
): Promise<D1Result[]> =>
  d1.batch(
    statements.map(({ names, sql }) =>
      d1.prepare(sql).bind(...names.split(" ").map((name) => params[name] ?? null)),
    ),
  );

const NONCE = "0123456789abcdefghij";
let next = 0;

/** Places an order of three gifts with the old statements, and returns its id. */
async function place(): Promise<number> {
  const reference = `ref-${String(++next)}`;
  const person = { firstName: "Ada", lastName: "Okafor", email: "ada@example.com" };
  await runOld(PLACE, {
    ...{ clientId: "c", orderRefId: reference, placementId: "p", requestDigest: "d" },
    ...{ method: "api-giftlink", status: "paid", giftOfChoice: "N", brandingSelected: "platform" },
    ...{ productId: 1, revision: "r", baseLocation: "AU", currency: "AUD", qty: 3 },
    ...{ productPriceMinor: 1001, subtotalMinor: 3003, shippingCostMinor: 0, orderFeeMinor: 0 },
    ...{ orderTotalMinor: 3003, catalogueId: 1, createdAtMs: 4000 + next, linkNonce: NONCE },
    ...{ linkKeyId: "key", recipients: JSON.stringify([person, person, person]) },
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

const cancel = (orderId: number, sequence: number) =>
  runOld(END, {
    ...{ orderId, clientId: "c", endingId: crypto.randomUUID(), nowMs: 7000, endsOrder: 0 },
    ...{ giftStatus: "cancelled", orderStatus: "cancieled", entryKind: "cancellation" },
    ...{ from: '["created","paid"]', suborderIds: JSON.stringify([orderId * 1000 + sequence]) },
  });

const giftsOf = async (orderId: number) => {
  const [result] = await runOld([SELECT_ORDER], { clientId: "c", id: orderId });
  const [row] = (result?.results ?? []) as { subOrders: string }[];
  return JSON.parse(row?.subOrders ?? "[]") as Record<string, unknown>[];
};

const TABLES = ["clients", "orders", "sub_orders", "events", "credit_entries", "stock"];
const contentOf = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (name) => [name, await rows(`SELECT * FROM ${name}`)] as const),
    ),
  );

let before: Awaited<ReturnType<typeof contentOf>>;
/** An order from before the migration: its gifts are redeemed, cancelled and open. */
let old: number;

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0011"),
  );
  for (const sql of [
    "INSERT INTO catalogues (id, name, version, staged_version) VALUES (1, 'main', 0, 0)",
    `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
       created_at_ms) VALUES ('c', 'C', 'credit', 0, 'AUD', 1, 0)`,
    "INSERT INTO products (id) VALUES (1)",
    `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
       price_minor, shipping_minor, locations, variations, content)
     VALUES (1, 'r', 'simple', 'physical', 'AUD', 1001, 0, '[]', '[]', '{}')`,
    `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
       total_digital, published_at_ms) VALUES (1, 1, 1, 1, 0, 0)`,
    `INSERT INTO catalogue_entries (catalogue_id, version, product_id, revision, delivery, position,
       delivery_position, currency) VALUES (1, 1, 1, 'r', 'physical', 0, 0, 'AUD')`,
    "UPDATE catalogues SET version = 1, staged_version = 1",
    "INSERT INTO stock (product_id, variation_id, quantity, sellable) VALUES (1, 0, 500, 1)",
    "INSERT INTO credit_accounts (client_id, currency, balance_minor, entries) VALUES ('c', 'AUD', 100000, 1)",
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       reference, created_at_ms) VALUES ('c', 'AUD', 1, 'adjustment', 100000, 100000, 'first', 1)`,
  ]) {
    await run(sql);
  }
  old = await place();
  await redeem(old, 1);
  await cancel(old, 2);
  before = await contentOf();
  await applyD1Migrations(d1, MIGRATIONS);
});

const NEW_COLUMNS: Record<string, Record<string, unknown>> = {
  clients: { refund_declined: 1, support_email: null },
  orders: { sender_name: null },
  sub_orders: {
    ...{ language: null, delivery_email: null, thanked_at_ms: null, thank_you: null },
    declined_at_ms: null,
  },
};

describe("existing data", () => {
  test("is kept in every row and column, and the credit of declined gifts returns", async () => {
    const expected = Object.fromEntries(
      Object.entries(before).map(([table, content]) => [
        table,
        content.map((row) => ({ ...row, ...NEW_COLUMNS[table] })),
      ]),
    );
    expect(expected["sub_orders"]).toHaveLength(3);
    expect(await contentOf()).toEqual(expected);
    expect(await rows("PRAGMA foreign_key_check")).toEqual([]);
  });

  test("can be thanked for if it is redeemed, and be declined if it is cancelled", async () => {
    const thank = (sequence: number) =>
      run(`UPDATE sub_orders SET thank_you = 'Thanks', thanked_at_ms = 8000
           WHERE order_id = ${String(old)} AND sequence = ${String(sequence)}`);
    const decline = (sequence: number) =>
      run(`UPDATE sub_orders SET declined_at_ms = 8000
           WHERE order_id = ${String(old)} AND sequence = ${String(sequence)}`);
    await thank(1);
    await decline(2);
    await expect(thank(2)).rejects.toThrow("redeemed_gifts_are_thanked_for");
    await expect(decline(1)).rejects.toThrow("declined_gifts_are_cancelled");
  });
});

describe("the statements of the Worker before the migration", () => {
  test("place, redeem, cancel and read orders", async () => {
    const id = await place();
    await redeem(id, 1);
    await cancel(id, 2);
    expect(await giftsOf(id)).toMatchObject([
      { sequence: 1, redemptionStatus: "redeemed", redeemedAtMs: 6000 },
      { sequence: 2, redemptionStatus: "cancelled" },
      { sequence: 3, redemptionStatus: null },
    ]);
    expect(await rows(`SELECT * FROM orders WHERE id = ${String(id)}`)).toMatchObject([
      { redeemed_gifts: 1, cancelled_gifts: 1, refunded_minor: 1001, sender_name: null },
    ]);
    const [sum] = await rows("SELECT sum(amount_minor) AS balance_minor FROM credit_entries");
    expect(await rows("SELECT balance_minor FROM credit_accounts")).toEqual([sum]);
  });

  test("change no gift that was declined after the migration", async () => {
    const id = await place();
    await cancel(id, 2);
    await run(
      `UPDATE sub_orders SET declined_at_ms = 8000 WHERE order_id = ${String(id)} AND sequence = 2`,
    );
    const state = await contentOf();
    await redeem(id, 2);
    await cancel(id, 2);
    expect(await contentOf()).toEqual(state);
  });
});
