// Columns of tables as SQL, with the types of src/platform/db/schema.ts. The names of columns in SQL follow from those of
// the schema, which the Worker does not contain.
import type { Expression, Fragment } from "./statement.ts";

/** JSON text of a value of this type. */
export type Json<Value> = string & { readonly parsed?: Value };

/** What D1 returns for a column: booleans are numbers, and JSON is text. */
type Stored<Value> = [Value] extends [boolean | null]
  ? 0 | 1 | Extract<Value, null>
  : unknown extends Value
    ? string | null
    : Value extends string | number | null
      ? Value
      : Json<Value>;

interface Table {
  $inferSelect: object;
}

/** The columns with JSON. A test compares them with the schema. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...["branding", "data", "deliveryAddress", "earlierTracking", "eventTypes", "metadata"],
  "settings",
]);

/** The name of a column in SQL: `orderRefId` is `order_ref_id`. */
export const columnName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const sql = <Value>(text: string): Expression<Value, never> => ({ texts: [text], parts: [] });

/**
 * The columns of a table that a query has named `alias`.
 *
 * @example
 * const o = columnsOf<Orders>("o");
 * statement<Params>()`SELECT ${o("id", "orderRefId")} FROM orders o …`
 */
export function columnsOf<Source extends Table>(alias: string) {
  type Row = Source["$inferSelect"];
  return <const Names extends readonly (keyof Row & string)[]>(...names: Names) =>
    Object.fromEntries(
      names.map((name) => [name, sql(`${alias}.${columnName(name)}`)]),
    ) as unknown as {
      readonly [Name in Names[number]]: Expression<Stored<Row[Name]>, never>;
    };
}

type Parsed<Value> =
  Value extends Json<infer Content> ? (string extends Value ? Value : Content) : Value;

/** A JSON object of the columns. */
export function jsonObject<Columns extends Readonly<Record<string, Expression<unknown, never>>>>(
  columns: Columns,
): Expression<
  Json<{
    -readonly [Name in keyof Columns]: Columns[Name] extends Expression<infer Value>
      ? Parsed<Value>
      : never;
  }>,
  never
> {
  const fields = Object.entries(columns).map(([name, { texts }]) => {
    const value = texts.join("");
    return `'${name}', ${JSON_COLUMNS.has(name) ? `json(${value})` : value}`;
  });
  return sql(`json_object(${fields.join(", ")})`);
}

export const parseJson = <Value>(text: Json<Value>): Value => JSON.parse(text) as Value;

/** The columns of an INSERT whose values are in a JSON object, such as a row of `json_each`. */
export function insertColumns(names: readonly string[]): {
  names: Fragment<never>;
  /** The values in the object that the SQL `object` names. */
  valuesOf: (object: string) => Fragment<never>;
} {
  return {
    names: sql(names.map(columnName).join(", ")),
    valuesOf: (object) =>
      sql(
        names
          .map((name) => `${object} ${JSON_COLUMNS.has(name) ? "->" : "->>"} '$.${name}'`)
          .join(", "),
      ),
  };
}
