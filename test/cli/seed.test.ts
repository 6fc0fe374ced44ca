// The demo data of a new local database, after interruptions.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../src/cli/seed.ts";
import { EVENT_TYPES } from "../../src/features/events/event.ts";
import { sqlOf } from "../servers/demo-server.ts";
import { migratedState } from "../servers/server.ts";
import { expectSound } from "../servers/sound.ts";

const state = migratedState();
afterAll(() => {
  state.remove();
});

/** The database of a process that is killed before this transaction. */
function killedBefore(transaction: number, db: D1Database): D1Database {
  let left = transaction;
  const batch = (statements: D1PreparedStatement[]) => {
    if (--left < 0) throw new Error("killed");
    return db.batch(statements);
  };
  return new Proxy(db, {
    get(database, name: keyof D1Database) {
      if (name === "batch") return batch;
      return database[name].bind(database);
    },
  });
}

// Each attempt gets some transactions further than the one before.
beforeAll(async () => {
  let attempts = 0;
  await state.use(async (env) => {
    for (let isKilled = true; isKilled; attempts++) {
      isKilled = await seed({ ...env, DB: killedBefore(attempts * 4, env.DB) }, Date.now()).then(
        () => false,
        (error: unknown) => {
          expect(error).toMatchObject({ message: "killed" });
          return true;
        },
      );
    }
  });
  expect(attempts).toBeGreaterThan(3);
});

const rows = (sql: string) => sqlOf<Record<string, string | number>>(state, sql);

describe("the demo data", () => {
  test("has every kind of order of the store, and one with gift links", () => {
    expect(
      rows(
        `SELECT id, gift_order_method AS method, status, email_template AS template,
           branding_selected AS branding, order_ref_id AS reference, link_nonce AS nonce
         FROM orders ORDER BY id`,
      ),
    ).toEqual(
      [
        [1, "email", "paid", "celebration", "platform"],
        [2, "direct", "paid", "christmas", "custom"],
        [3, "link", "paid", "generic", "platform"],
        [4, "email", "failed", "sympathy", "platform"],
        [5, "direct", "cancieled", "generic", "platform"],
        [6, "api-giftlink", "paid", "generic", "platform"],
      ].map(([id, method, status, template, branding]) => ({
        id,
        method,
        status,
        template,
        branding,
        reference: id === 6 ? "demo-gift-links" : null,
        nonce: id === 6 ? "demogift" : null,
      })),
    );
  });

  test("has the events of each order, in the order of their time", () => {
    const events = rows(
      `SELECT sequence, type, order_id, created_at_ms FROM events WHERE order_id IS NOT NULL
       ORDER BY client_id, sequence`,
    );
    expect(events.map(({ type, order_id }) => [order_id, type])).toEqual([
      [1, "order.paid"],
      [2, "order.paid"],
      [3, "order.paid"],
      [3, "gift.redeemed"],
      [3, "gift.sent"],
      [3, "gift.redeemed"],
      [3, "gift.sent"],
      [4, "order.created"],
      [4, "order.failed"],
      [5, "order.paid"],
      [5, "order.cancelled"],
      [6, "order.paid"],
      [6, "gift.cancelled"],
      [6, "gift.email_sent"],
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => !EVENT_TYPES.includes(type as never))).toEqual([]);
    const times = events.map(({ created_at_ms }) => Number(created_at_ms));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("has ledgers whose sums are the balances, with a debit of each order from credit", () => {
    const accounts = rows(
      `SELECT a.client_id, a.currency, a.balance_minor, sum(e.amount_minor) AS sum
       FROM credit_accounts a JOIN credit_entries e USING (client_id, currency)
       GROUP BY a.client_id, a.currency`,
    );
    expect(accounts.map(({ client_id, currency }) => [client_id, currency])).toEqual([
      ...["AUD", "GBP", "USD"].map((currency) => ["demo", currency]),
      ["demo-jp", "JPY"],
    ]);
    for (const { balance_minor, sum } of accounts) expect(sum).toBe(balance_minor);
    expect(
      rows(
        "SELECT order_id, kind FROM credit_entries WHERE order_id IS NOT NULL ORDER BY currency, sequence",
      ),
    ).toEqual(
      [
        ...[1, 2, 3, 5].map((order_id) => ({ order_id, kind: "order" })),
        { order_id: 5, kind: "cancellation" },
        { order_id: 6, kind: "order" },
        { order_id: 6, kind: "cancellation" },
      ].map((entry) => expect.objectContaining(entry) as unknown),
    );
    const [invoiced] = rows("SELECT sum(amount_minor) AS owed FROM invoice_entries");
    expect(invoiced).toEqual({ owed: 0 });
  });

  test("is sound, and is not added twice", async () => {
    await state.use(async (env) => {
      await expectSound(env.DB, { productId: 1001, quantity: 5_000 });
      expect(await seed(env, Date.now())).toBe("existing");
    });
  });
});
