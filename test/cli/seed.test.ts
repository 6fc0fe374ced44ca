// The demo data of a new local database, after interruptions.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../src/cli/seed.ts";
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

  test("is sound, and is not added twice", async () => {
    await state.use(async (env) => {
      await expectSound(env.DB, { productId: 1001, quantity: 5_000 });
      expect(await seed(env, Date.now())).toBe("existing");
    });
  });
});
