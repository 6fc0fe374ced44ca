// The maximum lengths of the texts in the database.
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "../../../src/platform/db/schema.ts";

interface Column {
  name: string;
  type: "TEXT" | "INTEGER";
  notnull: 0 | 1;
}

const readTables = async () =>
  (
    await env.DB.prepare(
      `SELECT name, sql FROM sqlite_master WHERE type = 'table'
       AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'`,
    ).all<{ name: string; sql: string }>()
  ).results;

const columnsOf = async (table: string) =>
  (await env.DB.prepare(`PRAGMA table_info(${table})`).all<Column>()).results;

/** The name of the table's constraint, and the maximum length of each column. */
function limitsOf(sql: string) {
  const [, constraint = ""] = /CONSTRAINT (\w+_lengths_in_range) CHECK/.exec(sql) ?? [];
  const limits = [...sql.matchAll(/length\((\w+)\) <= (\d+)/g)];
  return {
    constraint,
    limits: limits.map(([, column = "", max]) => ({ column, max: Number(max) })),
  };
}

/** Inserts a row whose text columns have this length. Its other values break no trigger that precedes the constraints. */
async function insert(
  table: { name: string; columns: Column[] },
  column: string,
  length: number,
): Promise<string> {
  const values = table.columns
    .filter(({ name, notnull }) => notnull === 1 || name === column)
    .map(({ name, type }) => {
      if (name === column)
        return [name, `substr(hex(zeroblob(${String(length)})), 1, ${String(length)})`];
      return [name, type === "TEXT" ? "'x'" : name === "amount_minor" ? "0" : "1"];
    });
  const names = values.map(([name]) => name).join(", ");
  const texts = values.map(([, value]) => value).join(", ");
  // The second statement rolls the transaction back.
  const statements = [
    `INSERT INTO ${table.name} (${names}) VALUES (${texts})`,
    "SELECT json('rolled back')",
  ];
  return env.DB.batch(statements.map((sql) => env.DB.prepare(sql))).then(
    () => "no error",
    (error: unknown) => String(error),
  );
}

/** The columns that the schema restricts to some values. */
const ENUMERATIONS = new Map<string, string[]>(
  Object.values(schema)
    .filter((each) => is(each, SQLiteTable))
    .map((table) => [
      getTableName(table),
      Object.values(getTableColumns(table)).flatMap(({ name, enumValues }) =>
        enumValues && enumValues.length > 0 ? [name] : [],
      ),
    ]),
);

/** The texts that are not one of some values, and do not refer to another table. */
async function freeTextsOf({ name: table, sql }: { name: string; sql: string }) {
  const references = await env.DB.prepare(`SELECT "from" FROM pragma_foreign_key_list(?)`)
    .bind(table)
    .all<{ from: string }>();
  const known = [...sql.matchAll(/_known\s+CHECK \((\w+) /g)].map(([, column]) => column);
  const values = ENUMERATIONS.get(table) ?? [];
  const bounded = new Set([...references.results.map(({ from }) => from), ...known, ...values]);
  const texts = (await columnsOf(table)).filter(({ type }) => type === "TEXT");
  return texts.map(({ name }) => name).filter((name) => !bounded.has(name));
}

test("every table has a maximum length for each of its free texts", async () => {
  for (const table of await readTables()) {
    const limited = limitsOf(table.sql).limits.map(({ column }) => column);
    const free = await freeTextsOf(table);
    expect([table.name, ...free.filter((name) => !limited.includes(name))]).toEqual([table.name]);
  }
});

test("every text may have its maximum length, and no more", async () => {
  const tables = await readTables();
  expect(tables.length).toBeGreaterThan(25);
  for (const { name, sql } of tables) {
    const { constraint, limits } = limitsOf(sql);
    const table = { name, columns: await columnsOf(name) };
    const checks = limits.map(async ({ column, max }) => {
      expect(await insert(table, column, max), `${name}.${column}`).not.toContain(constraint);
      expect(await insert(table, column, max + 1), `${name}.${column}`).toContain(constraint);
    });
    await Promise.all(checks);
  }
});
