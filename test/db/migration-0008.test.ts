// Migration 0008 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../src/api-error.ts";
import { cancel } from "../../src/lifecycle/cancel.ts";
import { allDifferences } from "../support/invariants.ts";
import { transition } from "../support/transition.ts";

const { LIFECYCLE_MIGRATION_DB: d1, MIGRATIONS } = env;

const run = (sql: string) => d1.prepare(sql).run();

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await d1.prepare(sql).all()).results;
}

/** An order for `statuses.length` recipients at 10.01 each, with a sub-order for each status. */
async function insertOrder(
  id: number,
  status: string,
  statuses: (string | null)[],
  debit: number | null,
) {
  const qty = String(statuses.length);
  const total = String(1001 * statuses.length);
  const count = (wanted: string) => String(statuses.filter((each) => each === wanted).length);
  await run(
    `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
       gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
       product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
       shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, link_nonce, link_key_id,
       took_stock, debit_sequence, redeemed_gifts, cancelled_gifts, updated_at_ms)
     VALUES (${String(id)}, 'c', 'ref-${String(id)}', 'p', 'd', 'api-giftlink', '${status}', 'N',
       'platform', 'generic', 1, 'r', 'AU', 'AUD', 1001, ${qty}, ${total}, 0, 0, ${total}, 1000,
       '0123456789abcdefghij', 'key', 1, ${String(debit ?? "NULL")}, ${count("redeemed")},
       ${count("cancelled")}, 2000)`,
  );
  for (const [index, redemption] of statuses.entries()) {
    const redeemed = redemption === "redeemed";
    await run(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, phone_number,
         email_message, delivery_address, delivery_notes, product_id, redemption_status,
         redeemed_at_ms, redemption_id, selected_revision)
       VALUES (${String(id)}, ${String(index + 1)}, 'Ada', 'Łącka 日', 'ada@example.com', '+61', 'Hi',
         '{"country":"AU"}', 'left', 1, ${redemption === null ? "NULL" : `'${redemption}'`},
         ${redeemed ? "2000, 'x', 'r'" : "NULL, NULL, NULL"})`,
    );
  }
}

const insertEntry = (sequence: number, kind: string, amount: number, balance: number, id: number) =>
  run(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       order_id, reference, note, created_at_ms)
     VALUES ('c', 'AUD', ${String(sequence)}, '${kind}', ${String(amount)}, ${String(balance)},
       ${id === 0 ? "NULL, 'first', 'a note'" : `${String(id)}, NULL, NULL`}, ${String(3000 + sequence)})`,
  );

const account = () =>
  d1.prepare("SELECT balance_minor AS balance, entries FROM credit_accounts").first();

const stock = () => d1.prepare("SELECT quantity FROM stock").first<number>("quantity");

/** The balance is the sum of the ledger, whose entries have no gaps. */
async function expectLedger() {
  const [sum] = await rows(
    "SELECT sum(amount_minor) AS balance, count(*) AS entries FROM credit_entries WHERE client_id = 'c'",
  );
  expect(await account()).toEqual(sum);
}

const cancelGifts = async (orderId: number, sequences: number[]) => {
  const result = await cancel(d1, {
    ...{ orderId, orderRefId: null, clientId: "c" },
    suborderIds: sequences.map((sequence) => orderId * 1000 + sequence),
    requestId: crypto.randomUUID(),
    nowMs: 9000,
  });
  if (result instanceof ApiError) throw result;
  return result;
};

async function contentOf() {
  return {
    subOrders: await rows("SELECT * FROM sub_orders ORDER BY order_id, sequence"),
    entries: await rows("SELECT * FROM credit_entries ORDER BY client_id, currency, sequence"),
    orders: await rows("SELECT * FROM orders ORDER BY id"),
    indices: await rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name"),
  };
}

let before: Awaited<ReturnType<typeof contentOf>>;
/** Directly after the migration. */
let after: Awaited<ReturnType<typeof contentOf>>;

beforeAll(async () => {
  await applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < "0008"),
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
     VALUES (1, 'r', 'simple', 'digital', 'AUD', 1001, 0, '[]', '[]', '{}')`,
  );
  await run(
    "INSERT INTO stock (product_id, variation_id, quantity, sellable) VALUES (1, 0, 50, 1)",
  );
  await run(
    `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
     VALUES ('c', 'AUD', 88987, 6)`,
  );
  // 1: paid, half redeemed. 2: cancelled, of three gifts one redeemed. 3: paid. 4: failed. 5: by invoice.
  await insertOrder(1, "paid", ["redeemed", null, "redeemed", null], 2);
  await insertOrder(2, "cancieled", ["redeemed", "cancelled", "cancelled"], 3);
  await insertOrder(3, "paid", [null, null, null, null, null, null], 4);
  await insertOrder(4, "failed", ["cancelled"], null);
  await insertOrder(5, "created", [null, null], null);
  await insertEntry(1, "adjustment", 100_000, 100_000, 0);
  await insertEntry(2, "order", -4004, 95_996, 1);
  await insertEntry(3, "order", -3003, 92_993, 2);
  await insertEntry(4, "order", -6006, 86_987, 3);
  await insertEntry(5, "cancellation", 2002, 88_989, 2);
  await run(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       reference, created_at_ms) VALUES ('c', 'AUD', 6, 'adjustment', -2, 88987, 'INV-9', 1)`,
  );
  before = await contentOf();
  await applyD1Migrations(d1, MIGRATIONS);
  after = await contentOf();
});

describe("existing data", () => {
  test("is kept in every row and column, with the new columns", async () => {
    const added = {
      ...{ ending_id: null, link_generation: 0, external_id: null, metadata: null },
      has_shipment: 0,
      ...{ language: null, delivery_email: null, declined_at_ms: null, erased_at_ms: null },
      ...{
        thank_you: null,
        thanked_at_ms: null,
        corrections: 0,
        took_stock: null,
        expires_at_ms: null,
      },
    };
    expect(after.subOrders).toEqual(before.subOrders.map((row) => ({ ...row, ...added })));
    expect(after.entries).toEqual(before.entries);
    const refunds: Record<number, number> = { 2: 2002 };
    expect(after.orders).toEqual(
      before.orders.map((row) => ({
        ...row,
        expires_at_ms: null,
        next_expiry_check_ms: null,
        expired_gifts: 0,
        metadata: null,
        refunded_minor: refunds[row["id"] as number] ?? 0,
        shipped_gifts: 0,
        finished: 0,
        ...{
          sender_name: null,
          erased_at_ms: null,
          placed_sequence: null,
          expiry_checked_ms: null,
          owed_minor: null,
        },
      })),
    );
    expect(await rows("SELECT may_cancel, redeem_within_days FROM clients")).toEqual([
      { may_cancel: 1, redeem_within_days: null },
    ]);
    expect(await rows("PRAGMA foreign_key_check")).toEqual([]);
    await expectLedger();
  });

  test("keeps its indices, except that of cancellations", () => {
    const names = (indices: Record<string, unknown>[]) => indices.map(({ name }) => name as string);
    const kept = names(after.indices);
    const removed = names(before.indices).filter((name) => !kept.includes(name));
    expect(removed).toEqual(["credit_cancellations_by_order"]);
  });

  test("has the rules of the ledger and the counts of redeemed gifts as before", async () => {
    for (const sql of [
      "UPDATE credit_entries SET note = 'x'",
      "DELETE FROM credit_entries",
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
         reference, created_at_ms) VALUES ('c', 'AUD', 7, 'adjustment', 1, 1, 'INV-9', 1)`,
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
         order_id, created_at_ms) VALUES ('c', 'AUD', 7, 'order', -1, 1, 1, 1)`,
    ]) {
      await expect(run(sql)).rejects.toThrow(/never_|UNIQUE|debited_once/);
    }
  });

  test("stays cancelled, and is not refunded again", async () => {
    const balance = (await account())?.["balance"];
    expect(await transition(d1, 2, "cancel", 9000)).toMatchObject({
      changed: false,
      status: "cancieled",
      returnedMinor: 2002,
    });
    expect(await cancelGifts(2, [2])).toMatchObject({ ended: [], returnedMinor: 0 });
    expect(await transition(d1, 4, "cancel", 9000)).toMatchObject({
      changed: false,
      status: "failed",
    });
    expect((await account())?.["balance"]).toBe(balance);
  });

  test("can be cancelled gift by gift, also if it is half redeemed", async () => {
    const pieces = Number(await stock());
    expect(await cancelGifts(1, [4])).toMatchObject({
      order: { status: "paid", refundedMinor: 1001 },
      returnedMinor: 1001,
    });
    await expect(cancelGifts(1, [1, 2])).rejects.toThrow("GO-00001-1 cannot be cancelled");
    expect(await cancelGifts(1, [2])).toMatchObject({
      order: { status: "paid", refundedMinor: 2002, redeemedGifts: 2, cancelledGifts: 2 },
    });
    expect(await stock()).toBe(pieces + 2);
    await expectLedger();
  });
});

/** The statements of the Worker before the migration, without its reads of the catalogue. */
const OLD = {
  place: (id: number, qty: number) => [
    `INSERT INTO orders (id,
       client_id, order_ref_id, placement_id, request_digest, gift_order_method, status,
       gift_of_choice, branding_selected, branding, email_template,
       product_id, variation_id, product_revision, base_location, currency,
       product_price_minor, qty, subtotal_minor, shipping_cost_minor, order_fee_minor,
       order_total_minor, created_at_ms, link_nonce, link_key_id, took_stock, debit_sequence)
     SELECT ${String(id)}, 'c', 'ref-${String(id)}', 'p-${String(id)}', 'd', 'api-giftlink', 'paid',
       'N', 'platform', NULL, 'generic', 1, NULL, 'r', 'AU', 'AUD', 1001, ${String(qty)},
       ${String(1001 * qty)}, 0, 0, ${String(1001 * qty)}, 4000, '0123456789abcdefghij', 'key',
       (SELECT quantity IS NOT NULL FROM stock
        WHERE product_id = 1 AND variation_id = coalesce(NULL, 0)),
       (SELECT entries + 1 FROM credit_accounts WHERE client_id = 'c' AND currency = 'AUD')
     WHERE NOT EXISTS (SELECT 1 FROM orders
         WHERE client_id = 'c' AND order_ref_id = 'ref-${String(id)}')
       AND EXISTS (SELECT 1 FROM stock WHERE product_id = 1 AND variation_id = 0
         AND sellable = 1 AND (quantity IS NULL OR quantity >= ${String(qty)}))
       AND EXISTS (SELECT 1 FROM credit_accounts WHERE client_id = 'c' AND currency = 'AUD'
         AND balance_minor >= ${String(1001 * qty)})`,
    `UPDATE stock SET quantity = quantity - o.qty FROM orders o
     WHERE ${placed(id)} AND stock.product_id = o.product_id
       AND stock.variation_id = coalesce(o.variation_id, 0) AND stock.quantity IS NOT NULL`,
    `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, phone_number,
       email_message, delivery_address, product_id, variation_id)
     SELECT o.id, r.key + 1, r.value ->> '$.firstName', r.value ->> '$.lastName',
       r.value ->> '$.email', r.value ->> '$.phoneNumber', r.value ->> '$.emailMessage',
       r.value -> '$.deliveryAddress', o.product_id, o.variation_id
     FROM orders o, json_each('${JSON.stringify(
       Array.from({ length: qty }, () => ({ firstName: "A", lastName: "B", email: "a@b.example" })),
     )}') r WHERE ${placed(id)}`,
    `UPDATE credit_accounts SET balance_minor = balance_minor - o.order_total_minor,
       entries = entries + 1
     FROM orders o WHERE ${placed(id)}
       AND credit_accounts.client_id = o.client_id AND credit_accounts.currency = o.currency`,
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       order_id, created_at_ms)
     SELECT a.client_id, a.currency, a.entries, 'order', -o.order_total_minor, a.balance_minor,
       o.id, o.created_at_ms
     FROM orders o JOIN credit_accounts a ON a.client_id = o.client_id AND a.currency = o.currency
     WHERE ${placed(id)}`,
    `${INSERT_EVENT("'order.' || o.status", "NULL")} FROM orders o WHERE ${placed(id)}`,
  ],
  pay: (id: number) => {
    const allowed = `o.id = ${String(id)} AND o.status IN (SELECT value FROM json_each('["created"]'))`;
    return [
      `${INSERT_EVENT("'order.paid'", "NULL")} FROM orders o WHERE ${allowed}`,
      `UPDATE orders AS o SET status = 'paid', updated_at_ms = 5000 WHERE ${allowed}`,
    ];
  },
  fail: (id: number) => end(id, '["created"]', "failed", "order.failed"),
  cancel: (id: number) => end(id, '["created","paid"]', "cancieled", "order.cancelled"),
  redeem: (id: number, sequence: number) => [
    `UPDATE sub_orders SET redemption_status = 'redeemed', redemption_id = 'old',
       redeemed_at_ms = 6000, product_id = 1, variation_id = NULL,
       selected_revision = 'r', delivery_address = coalesce(NULL, delivery_address),
       delivery_notes = NULL
     WHERE order_id = ${String(id)} AND sequence = ${String(sequence)} AND redemption_status IS NULL
       AND EXISTS (SELECT 1 FROM orders o
         WHERE o.id = ${String(id)} AND o.link_nonce = '0123456789abcdefghij'
           AND o.status = 'paid' AND (o.product_id = 1 AND o.variation_id IS NULL))`,
    `INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
     SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.redeemed', o.id, s.sequence,
       json_object('productId', s.product_id, 'variationId', s.variation_id), s.redeemed_at_ms
     FROM sub_orders s JOIN orders o ON o.id = s.order_id
     WHERE s.order_id = ${String(id)} AND s.sequence = ${String(sequence)}
       AND s.redemption_id = 'old'`,
  ],
};

const NEXT_SEQUENCE =
  "(SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id)";

function INSERT_EVENT(type: string, data: string): string {
  return `INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
    SELECT o.client_id, ${NEXT_SEQUENCE}, ${type}, o.id, NULL, ${data}, 5000`;
}

const placed = (id: number) =>
  `o.client_id = 'c' AND o.order_ref_id = 'ref-${String(id)}' AND o.placement_id = 'p-${String(id)}'`;

function end(id: number, states: string, to: string, eventType: string): string[] {
  const redeemed =
    "(SELECT count(*) FROM sub_orders WHERE order_id = o.id AND redemption_status = 'redeemed')";
  const canEnd = `o.id = ${String(id)} AND o.status IN (SELECT value FROM json_each('${states}'))
    AND o.qty > ${redeemed}`;
  const refund = `SELECT o.id AS order_id, o.client_id, o.currency,
      o.order_total_minor * (o.qty - ${redeemed}) / o.qty AS amount
    FROM orders o WHERE ${canEnd} AND o.debit_sequence IS NOT NULL`;
  return [
    `UPDATE stock SET quantity = quantity + back.pieces
     FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
       FROM orders o JOIN sub_orders s ON s.order_id = o.id AND s.redemption_status IS NULL
       WHERE ${canEnd} AND o.took_stock = 1
       GROUP BY s.product_id, coalesce(s.variation_id, 0)) back
     WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
       AND stock.quantity IS NOT NULL`,
    `UPDATE credit_accounts SET balance_minor = balance_minor + back.amount, entries = entries + 1
     FROM (${refund}) back
     WHERE credit_accounts.client_id = back.client_id AND credit_accounts.currency = back.currency`,
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       order_id, created_at_ms)
     SELECT a.client_id, a.currency, a.entries, 'cancellation', back.amount, a.balance_minor,
       back.order_id, 5000
     FROM (${refund}) back
     JOIN credit_accounts a ON a.client_id = back.client_id AND a.currency = back.currency`,
    `${INSERT_EVENT(
      `'${eventType}'`,
      `json_object('cancelledGifts', o.qty - ${redeemed},
        'refundMinor', coalesce((SELECT amount FROM (${refund})), 0))`,
    )} FROM orders o WHERE ${canEnd}`,
    `UPDATE sub_orders SET redemption_status = 'cancelled'
     WHERE redemption_status IS NULL AND order_id IN (SELECT o.id FROM orders o WHERE ${canEnd})`,
    `UPDATE orders AS o SET status = '${to}', updated_at_ms = 5000,
       cancelled_gifts = o.qty - ${redeemed}
     WHERE ${canEnd}`,
  ];
}

const runOld = (statements: string[]) => d1.batch(statements.map((sql) => d1.prepare(sql)));

const orderOf = (id: number) =>
  d1
    .prepare(
      `SELECT status, redeemed_gifts AS redeemed, cancelled_gifts AS cancelled,
         refunded_minor AS refunded FROM orders WHERE id = ?`,
    )
    .bind(id)
    .first();

describe("the statements of the Worker before the migration", () => {
  test("place, redeem and cancel an order, which is refunded once", async () => {
    const [before, pieces] = [await account(), await stock()];
    await runOld(OLD.place(21, 3));
    expect(await stock()).toBe(Number(pieces) - 3);
    await runOld(OLD.redeem(21, 2));
    await runOld(OLD.cancel(21));
    expect(await orderOf(21)).toEqual({
      status: "cancieled",
      redeemed: 1,
      cancelled: 2,
      refunded: 2002,
    });
    expect(await stock()).toBe(Number(pieces) - 1);
    expect((await account())?.["balance"]).toBe(Number(before?.["balance"]) - 1001);
    await runOld(OLD.cancel(21));
    expect(await cancelGifts(21, [1, 3])).toMatchObject({ ended: [], returnedMinor: 0 });
    expect(await orderOf(21)).toMatchObject({ refunded: 2002 });
    await expectLedger();
  });

  test("pay an order by invoice, and fail another one", async () => {
    await insertOrder(22, "created", [null, null], null);
    await runOld(OLD.pay(22));
    expect(await orderOf(22)).toMatchObject({ status: "paid" });
    await insertOrder(23, "created", [null, null], null);
    await runOld(OLD.fail(23));
    expect(await orderOf(23)).toMatchObject({ status: "failed", cancelled: 2, refunded: 0 });
  });

  test("place an order that can then be cancelled gift by gift", async () => {
    await runOld(OLD.place(24, 3));
    expect(await cancelGifts(24, [1])).toMatchObject({ returnedMinor: 1001 });
    // The old Worker does not redeem a cancelled gift.
    await runOld(OLD.redeem(24, 1));
    await runOld(OLD.redeem(24, 2));
    expect(await orderOf(24)).toMatchObject({ status: "paid", redeemed: 1, cancelled: 1 });
    expect(await cancelGifts(24, [3])).toMatchObject({ order: { refundedMinor: 2002 } });
    await expectLedger();
  });

  test.each<[string, number, number[], number[]]>([
    ["one of three gifts", 31, [], [1]],
    ["two of three gifts", 32, [], [1, 3]],
    // The sum of both refunds would be exactly the order's total.
    ["one gift, if another one is redeemed", 33, [2], [1]],
  ])(
    "do not refund a gift again: a cancellation after that of %s is aborted as a whole",
    async (_, id, redeemed, cancelled) => {
      await runOld(OLD.place(id, 3));
      for (const sequence of redeemed) await runOld(OLD.redeem(id, sequence));
      await cancelGifts(id, cancelled);
      const state = [await orderOf(id), await account(), await stock()];
      await expect(runOld(OLD.cancel(id))).rejects.toThrow("refunds_are_added_up");
      expect([await orderOf(id), await account(), await stock()]).toEqual(state);
      // The present statements cancel the rest.
      const rest = 3 - redeemed.length - cancelled.length;
      expect(await transition(d1, id, "cancel", 9000)).toMatchObject({
        changed: true,
        returnedMinor: 1001 * (cancelled.length + rest),
      });
      await expectLedger();
    },
  );

  test("cancel the rest of an order by invoice, and return its stock once", async () => {
    const pieces = Number(await stock());
    await insertOrder(34, "paid", [null, null, null], null);
    await cancelGifts(34, [2]);
    await runOld(OLD.cancel(34));
    expect(await orderOf(34)).toEqual({
      status: "cancieled",
      redeemed: 0,
      cancelled: 3,
      refunded: 0,
    });
    expect(await stock()).toBe(pieces + 3);
  });
});

test("the checks of the invariants find no difference in data from before the migration", async () => {
  expect(await allDifferences(d1)).toEqual([]);
});
