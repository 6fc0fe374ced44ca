// Migration 0013 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { findDue, writeErasure } from "../../src/privacy/queries.ts";
import { DAY_MS } from "../../src/values/time.ts";
import { oldWorker } from "./old-worker.ts";
import { END, RENEW, THANK } from "./worker-before-0013.ts";

const { PRIVACY_MIGRATION_DB: d1, MIGRATIONS } = env;

const TABLES = ["clients", "orders", "sub_orders", "shipments", "events", "credit_entries"];
const worker = oldWorker(d1, END, TABLES);
const { run, rows, contentOf, runOld } = worker;

const NONCE = "0123456789abcdefghij";

const place = () => worker.place("api-giftlink", 3);

const keyOf = (orderId: number, sequence: number) => ({
  ...{ orderId, sequence, nonce: NONCE, generation: 0, nowMs: 8000 },
});

const thank = (orderId: number, sequence: number) =>
  runOld(THANK, { ...keyOf(orderId, sequence), note: "Thanks" });

const renew = (orderId: number, sequence: number) =>
  runOld(RENEW, { ...keyOf(orderId, sequence), clientId: "c", firstName: "Adaeze" });

/** The first gift is redeemed, thanked for and shipped, and the others are cancelled. */
async function finish(orderId: number): Promise<void> {
  await worker.redeem(orderId, 1);
  await thank(orderId, 1);
  await run(`INSERT INTO shipments (order_id, sequence, client_id, status, carrier, tracking_number,
      shipped_at_ms, updated_at_ms, change_id)
    VALUES (${String(orderId)}, 1, 'c', 'shipped', 'DHL', '1', 9000, 9000, 'x')`);
  await run(
    `UPDATE sub_orders SET has_shipment = 1 WHERE order_id = ${String(orderId)} AND sequence = 1`,
  );
  await run(`UPDATE orders SET shipped_gifts = 1 WHERE id = ${String(orderId)}`);
  await worker.cancel(orderId, [2, 3]);
}

let before: Awaited<ReturnType<typeof contentOf>>;
/** Directly after the migration. */
let after: typeof before;
let old: number;

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0013"),
  );
  await worker.addClient();
  old = await place();
  await finish(old);
  before = await contentOf();
  await applyD1Migrations(d1, MIGRATIONS);
  after = await contentOf();
});

const NEW_COLUMNS: Record<string, Record<string, unknown>> = {
  clients: { retain_days: null },
  orders: { erased_at_ms: null, placed_sequence: null, expiry_checked_ms: null, owed_minor: null },
  events: { is_placement: null },
  shipments: { earlier_tracking: null },
  sub_orders: { erased_at_ms: null, corrections: 0, took_stock: null, expires_at_ms: null },
};

describe("existing data", () => {
  test("is kept in every row and column, without a retention period", async () => {
    const expected = Object.fromEntries(
      Object.entries(before).map(([table, content]) => [
        table,
        content.map((row) => ({ ...row, ...NEW_COLUMNS[table] })),
      ]),
    );
    expect(expected["sub_orders"]).toHaveLength(3);
    expect(after).toEqual(expected);
    expect(await findDue(d1, Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  });
});

describe("the statements of the Worker before the migration", () => {
  test("place, redeem, cancel, thank and renew, and make an order ready to be erased", async () => {
    const open = await place();
    await renew(open, 1);
    const finished = await place();
    await finish(finished);
    expect(
      await rows(`SELECT first_name FROM sub_orders WHERE order_id = ${String(open)}`),
    ).toEqual(["Adaeze", "Ada", "Ada"].map((first_name) => ({ first_name })));
    await run("UPDATE clients SET retain_days = 30");
    const due = await findDue(d1, 9000 + 31 * DAY_MS, 9);
    await run("UPDATE clients SET retain_days = NULL");
    expect(due).toEqual([old, finished].flatMap((id) => [1, 2, 3].map((n) => id * 1000 + n)));
    const [sum] = await rows("SELECT sum(amount_minor) AS balance_minor FROM credit_entries");
    expect(await rows("SELECT balance_minor FROM credit_accounts")).toEqual([sum]);
  });

  test("store no data of an erased recipient", async () => {
    const id = await place();
    await finish(id);
    await writeErasure(
      d1,
      [1, 2, 3].map((sequence) => id * 1000 + sequence),
      9500,
    );
    const state = await contentOf();
    await worker.redeem(id, 1);
    await worker.cancel(id);
    for (const write of [thank, renew]) {
      await expect(write(id, 1)).rejects.toThrow("erased_recipients_have_no_data");
    }
    await expect(
      run(`UPDATE orders SET sender_name = 'Ada' WHERE id = ${String(id)}`),
    ).rejects.toThrow("erased_orders_have_no_data");
    const after = await contentOf();
    expect(after["sub_orders"]).toEqual(state["sub_orders"]);
    expect(after["shipments"]).toEqual(state["shipments"]);
  });
});
