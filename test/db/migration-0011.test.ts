// Migration 0011 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { allDifferences } from "../support/invariants.ts";
import { oldWorker } from "./old-worker.ts";
import { END, SELECT_ORDER } from "./worker-before-0011.ts";

const { RECIPIENTS_MIGRATION_DB: d1, MIGRATIONS } = env;

const TABLES = ["clients", "orders", "sub_orders", "events", "credit_entries", "stock"];
const {
  run,
  rows,
  contentOf,
  runOld,
  addClient,
  place: placeOrder,
  redeem,
  cancel,
} = oldWorker(d1, END, TABLES);

const place = () => placeOrder("api-giftlink", 3);

const giftsOf = async (orderId: number) => {
  const [result] = await runOld([SELECT_ORDER], { clientId: "c", id: orderId });
  const [row] = (result?.results ?? []) as { subOrders: string }[];
  return JSON.parse(row?.subOrders ?? "[]") as Record<string, unknown>[];
};

let before: Awaited<ReturnType<typeof contentOf>>;
/** Directly after the migration. */
let after: typeof before;
/** An order from before the migration: its gifts are redeemed, cancelled and open. */
let old: number;

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0011"),
  );
  await addClient();
  old = await place();
  await redeem(old, 1);
  await cancel(old, [2]);
  before = await contentOf();
  await applyD1Migrations(d1, MIGRATIONS);
  after = await contentOf();
});

const NEW_COLUMNS: Record<string, Record<string, unknown>> = {
  clients: { refund_declined: 1, support_email: null, retain_days: null },
  orders: {
    sender_name: null,
    erased_at_ms: null,
    placed_sequence: null,
    expiry_checked_ms: null,
    owed_minor: null,
  },
  events: { is_placement: null },
  sub_orders: {
    ...{ language: null, delivery_email: null, thanked_at_ms: null, thank_you: null },
    ...{
      declined_at_ms: null,
      erased_at_ms: null,
      corrections: 0,
      took_stock: null,
      expires_at_ms: null,
    },
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
    expect(after).toEqual(expected);
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
    await cancel(id, [2]);
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
    await cancel(id, [2]);
    await run(
      `UPDATE sub_orders SET declined_at_ms = 8000 WHERE order_id = ${String(id)} AND sequence = 2`,
    );
    const state = await contentOf();
    await redeem(id, 2);
    await cancel(id, [2]);
    expect(await contentOf()).toEqual(state);
  });
});

test("the checks of the invariants find no difference in data from before the migration", async () => {
  expect(await allDifferences(d1)).toEqual([]);
});
