// The schema for TypeScript, src/platform/db/schema.ts, equals the migrated database.
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { columnName, JSON_COLUMNS } from "../../../src/platform/db/columns.ts";
import * as schema from "../../../src/platform/db/schema.ts";

const tables = Object.values(schema)
  .filter((exported) => is(exported, SQLiteTable))
  .map(getTableConfig);

/** Wrangler's table of applied migrations, and internal tables of SQLite and D1. */
const NOT_OURS = /^(d1_migrations|sqlite_|_cf_)/;

async function migratedTables() {
  const { results } = await env.DB.prepare("PRAGMA table_list").all<{
    name: string;
    strict: number;
  }>();
  return results.filter(({ name }) => !NOT_OURS.test(name));
}

test("the names and the JSON of columns are those that columnsOf() assumes", () => {
  const columns = Object.values(schema)
    .filter((exported) => is(exported, SQLiteTable))
    .flatMap((table) => Object.entries(getTableColumns(table)));
  const json = columns.flatMap(([, { dataType, name, table }]) =>
    dataType === "json" ? `${getTableName(table)}.${name}` : [],
  );
  expect(new Set(json)).toEqual(JSON_COLUMNS);
  expect(columns.map(([key]) => columnName(key))).toEqual(columns.map(([, { name }]) => name));
});

describe("the migrated database", () => {
  test("has exactly the tables of the schema", async () => {
    const names = (await migratedTables()).map(({ name }) => name);
    expect(names.sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  test("has STRICT tables only", async () => {
    const lax = (await migratedTables()).filter(({ strict }) => strict !== 1);
    expect(lax).toEqual([]);
  });

  test.for(tables)("has the schema's columns in $name", async ({ name, columns, primaryKeys }) => {
    const { results } = await env.DB.prepare(`PRAGMA table_info(${name})`).all<{
      name: string;
      type: string;
      notnull: number;
      dflt_value: string | null;
      pk: number;
    }>();
    const keyNames = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
    expect(
      results.map((column) => ({
        name: column.name,
        type: column.type.toLowerCase(),
        // A primary key is never null. SQLite reports that for tables WITHOUT ROWID only.
        notNull: column.notnull === 1 || column.pk > 0,
        hasDefault: column.dflt_value !== null,
        key: column.pk,
      })),
    ).toEqual(
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notNull: column.notNull || column.primary,
        hasDefault: column.default !== undefined,
        key: column.primary ? 1 : keyNames.indexOf(column.name) + 1,
      })),
    );
  });
});
