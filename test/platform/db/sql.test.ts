// The statements of the program, and how SQLite runs them on the migrated database.
/// <reference types="vite/types/importMeta.d.ts" />
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { ALL_SQL } from "../../../src/platform/db/sql.ts";
import { functionCallsOf } from "../../support/function-calls.ts";

// Every module of the Worker and of the operator's commands that may contain statements. src/cli, src/docs and the
// entry points contain none and do not load inside workerd.
import.meta.glob(
  ["../../../src/**/*.ts", "!../../../src/{cli,docs}/**", "!../../../src/{index,local/index}.ts"],
  {
    eager: true,
  },
);
const PROGRAM = ALL_SQL.map(({ text }) => text);

/** The tables whose rows grow with products, orders or publications. */
const GROWING_TABLES = [
  ...["orders", "gifts", "credit_entries", "events", "webhook_deliveries"],
  ...["catalogue_entries", "product_revisions", "stock", "products", "variations"],
  ...["product_sources", "staged_stock", "staged_chunks"],
  ...["emails", "shipments", "search_terms", "invoice_entries"],
];

interface ScanException {
  /** A part of the statement's SQL. */
  statement: string;
  table: string;
  reason: string;
}

/** Scans that are intended, each with its reason. */
const EXCEPTIONS: ScanException[] = [
  {
    statement: "INSERT INTO orders (",
    table: "events",
    reason:
      "The scan is that of the foreign key of events, which does not run (scannedTables). The statement reads the client's last event with the primary key.",
  },
  ...[
    { statement: "SELECT total(gifts) AS toShip", table: "gifts" },
    { statement: "SELECT total(gifts) AS toShip", table: "orders" },
    { statement: "SELECT max(name) AS vendor, count(*) AS toShip", table: "orders" },
    { statement: "SELECT json_group_array(g.readyAtMs)", table: "orders" },
  ].map((scan) => ({
    ...scan,
    reason: "The partial index has only the gifts to ship, and the limit ends the scan.",
  })),
  ...[
    "SELECT total(gifts) AS toShip, total(iif(readyAtMs < ?1, gifts, 0)) AS late, (SE",
    "UPDATE codes SET voided_at_ms = ?1, void_reason = 'exp",
  ].map((statement) => ({
    statement,
    table: "stock",
    reason: "The partial index has only the stock of products that are delivered as codes.",
  })),
  {
    statement: "SELECT printf('GO-%05d-%d', s.order_id, s.sequence) AS object",
    table: "gifts",
    reason: "Only before and after a restore. An index would cost a row for each renewal.",
  },
  {
    statement: "SELECT total(iif(product_id = ?1",
    table: "orders",
    reason: "The limit ends the scan at the newest orders.",
  },
  ...["UPDATE email_outbox AS x SET lease_id = ?1", "WITH due_clients AS"].map((statement) => ({
    statement,
    table: "emails",
    reason: "The partial index has only the e-mails that are being sent, at most a page of them.",
  })),
  ...["orders", "gifts"].map((table) => ({
    statement:
      "WITH t AS MATERIALIZED ( SELECT *, row_number() OVER (ORDER BY product_id,variation_id)",
    table,
    reason:
      "The check of the stock of codes counts the gifts that have taken one, with each chunk of the stock.",
  })),
  {
    statement: "SELECT (e.order_id || '-' || e.sequence",
    table: "emails",
    reason: "The local page of e-mails is not part of the service.",
  },
];

const KEYWORDS = new Set([
  ..."AS CROSS FROM GROUP INDEXED INNER JOIN LEFT LIMIT NATURAL NOT ON ORDER".split(" "),
  ..."SELECT SET UNION USING VALUES WHERE".split(" "),
]);

/** The names under which the statement uses the table: its own name and its aliases. */
function namesOf(table: string, sql: string): string[] {
  const aliases = [...sql.matchAll(new RegExp(`\\b${table}\\s+(?:AS\\s+)?(\\w+)`, "gi"))]
    .map(([, alias = ""]) => alias)
    .filter((alias) => !KEYWORDS.has(alias.toUpperCase()));
  return [table, ...aliases];
}

/**
 * The plan of the statement, which is prepared without running it, so it must match the migrated database. The values of
 * parameters do not change the plan.
 */
async function planOf(sql: string): Promise<string[]> {
  const count = Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n)));
  const explained = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...Array(count).fill(null));
  const { results } = await explained.all<{ detail: string }>().catch((error: unknown) => {
    throw new Error(`the statement does not match the database: ${sql}`, { cause: error });
  });
  return results.map(({ detail }) => detail);
}

/**
 * The growing tables that the statement reads from the first row to the last: directly, through a whole index, or to
 * build an index for this one run.
 */
async function scannedTables(sql: string): Promise<string[]> {
  const scanned = (await planOf(sql)).map(
    (detail) =>
      (/^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail))?.[1] ?? "",
  );
  return GROWING_TABLES.filter(
    (table) =>
      // Inserting a row plans scans of tables that refer to it. SQLite runs them only to settle violations of deferred
      // foreign keys, and the schema has no deferred ones.
      new RegExp(`\\b${table}\\b`).test(sql) &&
      namesOf(table, sql).some((name) => scanned.includes(name)),
  );
}

const isExcepted = (sql: string) => (each: ScanException) =>
  sql.replace(/\s+/g, " ").includes(each.statement);

const startOf = (sql: string) => `${sql.trim().replace(/\s+/g, " ").slice(0, 80)} …`;

/** Such as `SELECT 1 FROM orders …: orders`. */
const scansOf = (sql: string, tables: string[]) =>
  tables.map((table) => `${startOf(sql)}: ${table}`);

describe("the statements of the program", () => {
  test("are registered once each", () => {
    expect(PROGRAM.length).toBeGreaterThan(25);
    expect(new Set(PROGRAM).size).toBe(PROGRAM.length);
  });

  test("match the migrated database, and scan no growing table but for the exceptions", async () => {
    const scans = await Promise.all(
      PROGRAM.map(async (sql) => scansOf(sql, await scannedTables(sql))),
    );
    const excepted = PROGRAM.flatMap((sql) =>
      scansOf(sql, [...new Set(EXCEPTIONS.filter(isExcepted(sql)).map(({ table }) => table))]),
    );
    expect(scans.flat().sort()).toEqual(excepted.sort());
    const unused = EXCEPTIONS.filter((each) => !PROGRAM.some((sql) => isExcepted(sql)(each)));
    expect(unused).toEqual([]);
  });

  test("call functions with at most the 32 arguments that D1 allows, also in migrations", () => {
    const migrations = env.MIGRATIONS.flatMap(({ queries }) => queries);
    const tooMany = [...PROGRAM, ...migrations].flatMap((sql) =>
      functionCallsOf(sql)
        .filter(({ count }) => count > 32)
        .map(({ name, count }) => `${name} with ${String(count)}: ${startOf(sql)}`),
    );
    expect(tooMany).toEqual([]);
  });
});
