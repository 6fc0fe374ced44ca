// Columns of tables as SQL, with the types of schema.ts. Their names in SQL follow from those of the schema, which is not
// part of the Worker.
import { chunksOf } from "../../core/values/chunks.ts";
import type * as schema from "./schema.ts";
import { type Expression, type Fragment, rawSql, sqlOf } from "./sql.ts";

declare const content: unique symbol;

/** JSON text of a value of this type. */
export type Json<Value> = string & { readonly [content]: Value };

/** What D1 returns for a column: booleans are numbers, and JSON is text. */
type Stored<Value> = unknown extends Value
  ? string | null
  : Value extends boolean
    ? 0 | 1
    : Value extends string | number | null
      ? Value
      : Json<Value>;

interface Table {
  $inferSelect: object;
  $inferInsert: object;
}

type TableName = Extract<(typeof schema)[keyof typeof schema], Table & { _: unknown }>["_"]["name"];

/** The columns with JSON, by table. A test compares them with the schema. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
  "audit_entries.after",
  "audit_entries.before",
  "catalogues.settings",
  "catalogues.sold_out",
  "clients.branding",
  "collections.products",
  "collections.translations",
  "credentials.limits",
  "emails.message",
  "events.data",
  "health.last_check",
  "orders.branding",
  "orders.metadata",
  "orders.staff_notes",
  "product_changes.changes",
  "shipments.carrier_answers",
  "shipments.earlier_tracking",
  "gifts.delivery_address",
  "gifts.metadata",
  "gifts.search_terms",
  "gifts.staff_notes",
  "webhooks.event_types",
]);

const isJson = (table: TableName, name: string) => JSON_COLUMNS.has(`${table}.${columnName(name)}`);

/** The name of a column in SQL: `orderRefId` is `order_ref_id`. */
export const columnName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The columns of the table that a query calls `alias`.
 *
 * @example
 * const order = columnsOf<Orders>("o");
 * sql<Params>()`SELECT ${order("id", "orderRefId")} FROM orders o …`
 */
export function columnsOf<Source extends Table>(alias: string) {
  type Row = Source["$inferSelect"];
  return <const Names extends readonly (keyof Row & string)[]>(...names: Names) =>
    Object.fromEntries(
      names.map((name) => [name, rawSql(`${alias}.${columnName(name)}`)]),
    ) as unknown as {
      readonly [Name in Names[number]]: Expression<Stored<Row[Name]>, never>;
    };
}

/** The columns of a table that is LEFT JOINed: null if there is no row. */
export const orNull = <Columns extends Readonly<Record<string, Expression<unknown, never>>>>(
  columns: Columns,
) =>
  columns as unknown as {
    readonly [Name in keyof Columns]: Columns[Name] extends Expression<infer Value>
      ? Expression<Value | null, never>
      : never;
  };

type ParsedValue<Value> = Value extends Json<infer Parsed> ? Parsed : Value;

/** A row whose JSON is parsed. */
export type Parsed<Row> = { [Name in keyof Row]: ParsedValue<Row[Name]> };

/** D1 accepts at most 32 arguments for a function. The local database accepts 127. */
const MAX_ARGUMENTS = 32;

/**
 * The SQL of a JSON object with these values, which are SQL. `json_set` adds those that are too many for `json_object`, and
 * treats nulls and JSON as `json_object` does.
 */
export function jsonObjectOf(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values);
  const first = entries.splice(0, MAX_ARGUMENTS / 2).map(([name, sql]) => `'${name}', ${sql}`);
  return [...chunksOf(entries, MAX_ARGUMENTS / 2 - 1)].reduce(
    (object, chunk) =>
      `json_set(${[object, ...chunk.map(([name, sql]) => `'$.${name}', ${sql}`)].join(", ")})`,
    `json_object(${first.join(", ")})`,
  );
}

/** A JSON object of the columns of the table. */
export function jsonObject<Columns extends Readonly<Record<string, Expression<unknown, never>>>>(
  table: TableName,
  columns: Columns,
): Expression<
  Json<{
    -readonly [Name in keyof Columns]: Columns[Name] extends Expression<infer Value>
      ? ParsedValue<Value>
      : never;
  }>,
  never
> {
  const values = Object.entries(columns).map(([name, column]) => {
    const value = sqlOf(column);
    return [name, isJson(table, name) ? `json(${value})` : value];
  });
  return rawSql(jsonObjectOf(Object.fromEntries(values) as Record<string, string>));
}

export const toJson = <Value>(value: Value): Json<Value> => JSON.stringify(value) as Json<Value>;

export function parseJson<Value>(text: Json<Value>): Value;
export function parseJson<Value>(text: Json<Value> | null): Value | null;
export function parseJson<Value>(text: Json<Value> | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

/** The values of an INSERT, by the names of their columns. Null in the table is undefined here. */
export type NewRow<Source extends Table, Names extends string> = {
  [Name in Names]: Name extends keyof Source["$inferInsert"]
    ? null extends Source["$inferInsert"][Name]
      ? Exclude<Source["$inferInsert"][Name], null> | undefined
      : Source["$inferInsert"][Name]
    : never;
};

/** The columns of an INSERT into the table, and their values from parameters of the same names or from a JSON object. */
export function insertColumns<const Names extends readonly string[]>(
  table: TableName,
  names: Names,
) {
  return {
    names: rawSql(names.map(columnName).join(", ")),
    parameters: {
      texts: ["", ...names.slice(1).map(() => ", "), ""],
      parts: names,
    } as Fragment<Names[number]>,
    /** `object` is the SQL of the JSON object, such as the value of a row of `json_each`. */
    valuesOf: (object: string): Fragment<never> =>
      rawSql(
        names
          .map((name) => `${object} ${isJson(table, name) ? "->" : "->>"} '$.${name}'`)
          .join(", "),
      ),
  };
}
