// The Worker before a migration, for the tests of migrations: it places, redeems and cancels orders with its own
// statements. The orders of all these Workers are placed and redeemed with the same statements.
import { expect } from "vitest";
import { type OldStatement, PLACE, REDEEM } from "./worker-before-0009.ts";

const PRICE_MINOR = 1001;
const BALANCE_MINOR = 1_000_000;
const NONCE = "0123456789abcdefghij";

type Params = Record<string, string | number | null>;

/** `end` are the statements that cancel gifts, `tables` those whose content is compared. */
export function oldWorker(d1: D1Database, end: OldStatement[], tables: string[]) {
  let placed = 0;

  const run = (sql: string) => d1.prepare(sql).run();

  async function rows(sql: string): Promise<Record<string, unknown>[]> {
    return (await d1.prepare(sql).all()).results;
  }

  /** All rows of the tables. */
  const contentOf = async () =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (name) => [name, await rows(`SELECT * FROM ${name}`)] as const),
      ),
    );

  /** Runs the statements in one batch. A parameter that is not given is null. */
  const runOld = (statements: OldStatement[], params: Params): Promise<D1Result[]> =>
    d1.batch(
      statements.map(({ names, sql }) =>
        d1.prepare(sql).bind(...names.split(" ").map((name) => params[name] ?? null)),
      ),
    );

  /** Adds the client `c` with credit, and product 1 with stock. */
  async function addClient(): Promise<void> {
    for (const sql of [
      "INSERT INTO catalogues (id, name, version, staged_version) VALUES (1, 'main', 0, 0)",
      `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
         created_at_ms) VALUES ('c', 'C', 'credit', 0, 'AUD', 1, 0)`,
      "INSERT INTO products (id) VALUES (1)",
      `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
         price_minor, shipping_minor, locations, variations, content)
       VALUES (1, 'r', 'simple', 'physical', 'AUD', ${String(PRICE_MINOR)}, 0, '[]', '[]', '{}')`,
      `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
         total_digital, published_at_ms) VALUES (1, 1, 1, 1, 0, 0)`,
      `INSERT INTO catalogue_entries (catalogue_id, version, product_id, revision, delivery, position,
         delivery_position, currency) VALUES (1, 1, 1, 'r', 'physical', 0, 0, 'AUD')`,
      "UPDATE catalogues SET version = 1, staged_version = 1",
      "INSERT INTO stock (product_id, variation_id, quantity, sellable) VALUES (1, 0, 500, 1)",
      `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
       VALUES ('c', 'AUD', ${String(BALANCE_MINOR)}, 1)`,
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
         reference, created_at_ms)
       VALUES ('c', 'AUD', 1, 'adjustment', ${String(BALANCE_MINOR)}, ${String(BALANCE_MINOR)}, 'first', 1)`,
    ]) {
      await run(sql);
    }
  }

  /** Places an order, and returns its id. */
  async function place(
    method: "api-purchase" | "api-giftlink",
    qty: number,
    status: "paid" | "created" = "paid",
  ): Promise<number> {
    const reference = `ref-${String(++placed)}`;
    const totalMinor = PRICE_MINOR * qty;
    const person = { firstName: "Ada", lastName: "Okafor", email: "ada@example.com" };
    // The Worker debits the account only for an order that is paid from credit.
    const statements = PLACE.filter(
      ({ sql }) =>
        status === "paid" || !/^\s*(UPDATE credit_accounts|INSERT INTO credit_entries)/.test(sql),
    );
    await runOld(statements, {
      ...{ clientId: "c", orderRefId: reference, placementId: "p", requestDigest: "d", method },
      ...{ status, giftOfChoice: "N", brandingSelected: "platform", productId: 1 },
      ...{
        revision: "r",
        baseLocation: "AU",
        currency: "AUD",
        productPriceMinor: PRICE_MINOR,
        qty,
      },
      ...{ subtotalMinor: totalMinor, shippingCostMinor: 0, orderFeeMinor: 0, catalogueId: 1 },
      ...{ orderTotalMinor: totalMinor, createdAtMs: 4000 + placed },
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
    runOld(end, {
      ...{ orderId, clientId: "c", endingId: crypto.randomUUID(), nowMs: 7000 },
      ...{ giftStatus: "cancelled", orderStatus: "cancieled", entryKind: "cancellation" },
      giftEvent: "gift.cancelled",
      ...{ from: '["created","paid"]', endsOrder: sequences ? 0 : 1 },
      suborderIds: sequences
        ? JSON.stringify(sequences.map((sequence) => orderId * 1000 + sequence))
        : null,
    });

  return { run, rows, contentOf, runOld, addClient, place, redeem, cancel };
}
