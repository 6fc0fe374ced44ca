// DECISIONS.md names every column of the database, as personal data or not, and the erasure covers the personal ones.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import * as schema from "../../../src/platform/db/schema.ts";

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

const [SECTION = ""] =
  /^### Personal data: what is stored[^]*?(?=^### )/m.exec(read("DECISIONS.md")) ?? [];

const columnsIn = (table: string, list: string) =>
  [...list.matchAll(/`(\w+)`/g)].map(([, column = ""]) => `${table}.${column}`);

/** The rows of the table: their columns, and how these are erased. */
const PERSONAL = [...SECTION.matchAll(/^\| `(\w+)` +\|([^|]+)\|[^|]+\|([^|]+)\|/gm)].map(
  ([, table = "", fields = "", erasedBy = ""]) => ({
    columns: columnsIn(table, fields),
    isErased: erasedBy.trim().startsWith("erasure"),
  }),
);

/** The columns of the list below the table. */
const OTHERS = [...SECTION.matchAll(/^- `(\w+)`:([^]*?)(?=^- |\n\n)/gm)].flatMap(
  ([, table = "", list = ""]) => columnsIn(table, list),
);

test("every column of the database is classified once", () => {
  const columns = Object.values(schema)
    .filter((exported) => is(exported, SQLiteTable))
    .map((table) => getTableConfig(table))
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  const classified = [...PERSONAL.flatMap(({ columns }) => columns), ...OTHERS];
  expect(classified.sort()).toEqual(columns.sort());
});

test("the constraints of erased rows and the statements of an erasure have the erased columns", () => {
  const erased = PERSONAL.filter(({ isErased }) => isErased).flatMap(({ columns }) => columns);
  expect(erased.length).toBeGreaterThan(15);
  const migrations = readdirSync(path.join(PROJECT_ROOT, "migrations"))
    .map((file) => read(`migrations/${file}`))
    .join("\n");
  const checked = (name: string, table: string) => {
    const [, condition = ""] =
      new RegExp(`CONSTRAINT ${name} CHECK \\(erased_at_ms IS NULL([^;]*);`).exec(migrations) ?? [];
    return [...condition.matchAll(/(\w+) (?:= '|IS NULL)/g)].map(
      ([, name = ""]) => `${table}.${name}`,
    );
  };
  const queries = read("src/features/privacy/queries.ts");
  const written = ["shipments", "sub_orders", "orders"].flatMap((table) => {
    const [, assignments = ""] =
      new RegExp(`UPDATE ${table}(?: AS o)? SET ([^]*?)\\s(?:FROM|WHERE) `).exec(queries) ?? [];
    return [...assignments.matchAll(/(\w+) = /g)].map(([, name = ""]) => `${table}.${name}`);
  });
  expect(written.filter((column) => !column.endsWith(".erased_at_ms")).sort()).toEqual(
    erased.sort(),
  );
  // The time of a note has a constraint of its own. Shipments have none.
  const inConstraints = erased.filter(
    (column) => column !== "sub_orders.thanked_at_ms" && !column.startsWith("shipments."),
  );
  expect(
    [
      ...checked("erased_recipients_have_no_data", "sub_orders"),
      ...checked("erased_orders_have_no_data", "orders"),
    ].sort(),
  ).toEqual(inConstraints.sort());
});
