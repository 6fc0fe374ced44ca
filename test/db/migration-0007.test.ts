// Migration 0007 with orders that were placed before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listClientEvents } from "../../src/events/admin.ts";
import { allDifferences } from "../support/invariants.ts";
import { transition } from "../support/transition.ts";

const { EVENTS_MIGRATION_DB: d1, MIGRATIONS } = env;

const run = (sql: string) => d1.prepare(sql).run();

/** An order for `statuses.length` recipients at 10.00 each, placed at 1000, with a sub-order for each status. */
async function insertOrder(
  id: number,
  status: string,
  statuses: (string | null)[],
  { method = "api-purchase" } = {},
) {
  const total = String(1000 * statuses.length);
  await run(
    `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
       gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
       product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
       shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms)
     VALUES (${String(id)}, 'c', 'ref-${String(id)}', 'p', 'd', '${method}', '${status}', 'N',
       'platform', 'generic', 1, 'r', 'AU', 'AUD', 1000, ${String(statuses.length)}, ${total}, 0, 0,
       ${total}, 1000)`,
  );
  for (const [index, redemption] of statuses.entries()) {
    const redeemed = redemption === "redeemed";
    await run(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id,
         redemption_status, redeemed_at_ms, redemption_id, selected_revision)
       VALUES (${String(id)}, ${String(index + 1)}, 'A', 'B', 'a@example.com', 1,
         ${redemption === null ? "NULL" : `'${redemption}'`},
         ${redeemed ? `${String(2000 + index)}, 'x', 'r'` : "NULL, NULL, NULL"})`,
    );
  }
}

const insertEntry = (sequence: number, kind: string, amount: number, balance: number, id: number) =>
  run(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       order_id, reference, created_at_ms)
     VALUES ('c', 'AUD', ${String(sequence)}, '${kind}', ${String(amount)}, ${String(balance)},
       ${id === 0 ? "NULL, 'first'" : `${String(id)}, NULL`}, ${String(3000 + sequence)})`,
  );

/** Columns of the orders, directly after the migration. */
let migrated: unknown[];

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0007"),
  );
  await run("INSERT INTO catalogues (id, name) VALUES (1, 'main')");
  await run(
    `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
       created_at_ms) VALUES ('c', 'C', 'credit', 0, 'AUD', 1, 0)`,
  );
  await run("INSERT INTO products (id) VALUES (1)");
  await run(
    `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
       price_minor, shipping_minor, locations, variations, content)
     VALUES (1, 'r', 'simple', 'digital', 'AUD', 1000, 0, '[]', '[]', '{}')`,
  );
  await run(
    `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
     VALUES ('c', 'AUD', 4000, 4)`,
  );
  // 1: never changed, by invoice. 2: paid from credit, one of three gifts redeemed. 3: paid from credit, cancelled.
  await insertOrder(1, "created", [null]);
  await insertOrder(2, "paid", ["redeemed", null, null]);
  await insertOrder(3, "cancieled", ["redeemed", "cancelled"]);
  // 4: failed, by invoice.
  await insertOrder(4, "failed", ["cancelled", "cancelled"]);
  await insertEntry(1, "adjustment", 8000, 8000, 0);
  await insertEntry(2, "order", -3000, 5000, 2);
  await insertEntry(3, "order", -2000, 3000, 3);
  await insertEntry(4, "cancellation", 1000, 4000, 3);

  await applyD1Migrations(d1, MIGRATIONS);

  const { results } = await d1
    .prepare(
      `SELECT id, redeemed_gifts AS redeemed, cancelled_gifts AS cancelled,
         updated_at_ms AS updated, debit_sequence AS debit FROM orders ORDER BY id`,
    )
    .all();
  migrated = results;
});

const account = async () => {
  const row = await d1
    .prepare("SELECT balance_minor AS balance, entries FROM credit_accounts")
    .first<{ balance: number; entries: number }>();
  if (!row) throw new Error("there is no account");
  return row;
};

test("counts the gifts of existing orders and finds their debits", () => {
  expect(migrated).toEqual([
    { id: 1, redeemed: 0, cancelled: 0, updated: null, debit: null },
    // The last known change: the ledger's debit is later than the redemption.
    { id: 2, redeemed: 1, cancelled: 0, updated: 3002, debit: 2 },
    { id: 3, redeemed: 1, cancelled: 1, updated: 3004, debit: 3 },
    // The time of a failure was not stored.
    { id: 4, redeemed: 0, cancelled: 2, updated: 1000, debit: null },
  ]);
});

test("orders from before the migration can be cancelled and paid", async () => {
  const before = await account();
  const cancelled = await transition(d1, 2, "cancel", 9000);
  expect(cancelled).toMatchObject({ changed: true, returnedMinor: 2000, redeemed: 1 });
  expect(await transition(d1, 2, "cancel", 9001)).toMatchObject({ changed: false });
  expect(await transition(d1, 3, "cancel", 9001)).toMatchObject({ changed: false });
  expect(await transition(d1, 1, "pay", 9002)).toMatchObject({ changed: true });
  expect(await account()).toEqual({
    balance: before.balance + 2000,
    entries: before.entries + 1,
  });
  expect(
    await d1
      .prepare("SELECT cancelled_gifts, updated_at_ms, status FROM orders WHERE id = 2")
      .first(),
  ).toEqual({ cancelled_gifts: 2, updated_at_ms: 9000, status: "cancieled" });
  const events = await listClientEvents(d1, { clientId: "c", limit: 10 });
  expect(events.filter(({ orderId }) => orderId === 1 || orderId === 2)).toMatchObject([
    { type: "order.cancelled", orderId: 2, data: { cancelledGifts: 2, refundMinor: 2000 } },
    { type: "order.paid", orderId: 1 },
  ]);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
});

test("the Worker before the migration can still place orders, which are debited once and can be cancelled", async () => {
  const before = await account();
  // The statements of that Worker set no `debit_sequence`.
  await insertOrder(11, "paid", [null, null]);
  await run(
    "UPDATE credit_accounts SET balance_minor = balance_minor - 2000, entries = entries + 1",
  );
  await insertEntry(before.entries + 1, "order", -2000, before.balance - 2000, 11);

  expect(
    await d1.prepare("SELECT debit_sequence FROM orders WHERE id = 11").first("debit_sequence"),
  ).toBe(before.entries + 1);
  await expect(
    insertEntry(before.entries + 2, "order", -2000, before.balance - 4000, 11),
  ).rejects.toThrow("order_is_debited_once");

  expect(await transition(d1, 11, "cancel", 9100)).toMatchObject({ returnedMinor: 2000 });
  expect(await account()).toEqual({ balance: before.balance, entries: before.entries + 2 });
});

test("a gift that the Worker before the migration redeems is counted", async () => {
  await insertOrder(12, "paid", [null, null]);
  await run(
    `UPDATE sub_orders SET redemption_status = 'redeemed', redeemed_at_ms = 9200, redemption_id = 'x',
       selected_revision = 'r' WHERE order_id = 12 AND sequence = 1`,
  );
  await run("UPDATE sub_orders SET delivery_notes = 'changed' WHERE order_id = 12");
  expect(
    await d1
      .prepare(
        "SELECT redeemed_gifts AS redeemed, updated_at_ms AS updated FROM orders WHERE id = 12",
      )
      .first(),
  ).toEqual({ redeemed: 1, updated: 9200 });
});

test("the checks of the invariants find no difference in data from before the migration", async () => {
  expect(await allDifferences(d1)).toEqual([]);
});
