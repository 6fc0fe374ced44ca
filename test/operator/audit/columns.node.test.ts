// The states of the audit log have the columns that the schema marks as audited.
import { expect, test } from "vitest";
import { STATES } from "../../../src/operator/audit/subjects.ts";
import { AUDIT_MARKS } from "../../../src/platform/db/audited-columns.ts";
import { columnName } from "../../../src/platform/db/columns.ts";
import { type Fragment, sqlOf } from "../../../src/platform/db/sql.ts";

/** The columns in the state of an object, such as `clients.name`. */
function columnsIn(state: Fragment): string[] {
  const sql = sqlOf(state as Fragment<never>);
  const sources = [...sql.matchAll(/(?:FROM|JOIN) (\w+) (\w)\b/g)];
  const tables = new Map(sources.map(([, table, alias]) => [alias, table]));
  const [, object = ""] = /json_object\(([^]*)\) AS state/.exec(sql) ?? [];
  // A number of notes has none of their texts.
  return [...object.replaceAll(/json_array_length\(\S+\)/g, "").matchAll(/\b(\w)\.(\w+)/g)].map(
    ([, alias, column]) => `${tables.get(alias) ?? ""}.${column ?? ""}`,
  );
}

const inStates = new Set(Object.values(STATES).flatMap(columnsIn));

test.each(Object.entries(AUDIT_MARKS))(
  "the states have the audited columns of %s",
  (table, marks) => {
    for (const [name, mark] of Object.entries(marks)) {
      // A state may have the name of another object, and what follows from a column.
      if (mark === "names" || mark === "derived") continue;
      const column = `${table}.${columnName(name)}`;
      expect([column, inStates.has(column)]).toEqual([column, mark === "audited"]);
    }
  },
);
