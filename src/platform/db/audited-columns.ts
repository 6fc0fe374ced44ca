// Marks the columns that are part of the states in the audit log (src/operator/audit/subjects.ts).
import type { SQLiteColumnBuilderBase } from "drizzle-orm/sqlite-core";
import { table } from "./personal-data.ts";

/** Why a column is not in the state of its object. A personal column needs no other reason. */
type Reason =
  /** It names the object. */
  | "names"
  /** It is written with the row, and never changed. */
  | "constant"
  /** It follows from what is in the state, or is in the state in another form. */
  | "derived"
  /** It changes without an operator's decision, or is not shown. */
  | "internal"
  /** It is secret or may be personal, and an entry cannot be deleted. */
  | "private";

export const audited = <Column extends object>(column: Column) =>
  Object.assign(column, { audit: "audited" } as const);

export const unaudited = <Column extends object>(reason: Reason, column: Column) =>
  Object.assign(column, { audit: reason });

type Mark = "audited" | "personal" | Reason;

/** The marks of each table whose objects have states, by the names of the columns in the schema. */
export const AUDIT_MARKS: Record<string, Record<string, Mark>> = {};

type Marked = { kind: string } | { audit: "audited" | Reason };

/** A table whose objects have states. A column that is not marked as audited, unaudited or personal does not compile. */
export function auditedTable<
  Name extends string,
  Columns extends Record<string, SQLiteColumnBuilderBase>,
>(
  name: Name,
  columns: Columns & Record<keyof Columns, Marked>,
  key: readonly (keyof Columns & string)[] = [],
) {
  const marks = Object.entries<Marked>(columns).map(([column, mark]): [string, Mark] => [
    column,
    "audit" in mark ? mark.audit : "personal",
  ]);
  AUDIT_MARKS[name] = Object.fromEntries(marks);
  return table<Name, Columns>(name, columns, key);
}
