// Tables and lists of fields.
import type { Child } from "hono/jsx";
import { COMMON } from "../texts/common.ts";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => Child;
  /** The sum of the column's amounts. */
  sum?: ((rows: readonly Row[]) => Child) | undefined;
  /**
   * The classes of the cells: `number`, or `short` to stay on one line; `labelled` for narrow screens to show the label, as
   * they do for amounts of several columns.
   */
  look?: string | undefined;
}

interface TableProps<Row> {
  /** For screen readers only, as the heading above the table says it. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. It says what to do. */
  empty: Child;
}

/** A table. On narrow screens, each row has two lines: its first column with states and amounts, and the others. */
export function Table<Row>({ label, rows, columns, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const hasAmounts = columns.filter(({ look }) => look === "number").length > 1;
  const cellOf = ({ look, label }: Column<Row>) => {
    const isLabelled = look?.endsWith("labelled") ?? false;
    return isLabelled || (hasAmounts && look === "number")
      ? { class: isLabelled ? look : `${String(look)} labelled`, "data-label": label }
      : { class: look };
  };
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ label, look }) => (
            <th scope="col" class={look}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <td {...cellOf(column)}>{column.cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
      {rows.length > 1 && columns.some(({ sum }) => sum) && (
        <tfoot>
          <tr>
            {columns.map((column, index) => (
              <td {...cellOf(column)}>{index === 0 ? COMMON.sum : column.sum?.(rows)}</td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Names and values. Null values are left out. */
export const Facts = ({ facts }: { facts: Record<string, Child> }) => (
  <dl class="facts">
    {Object.entries(facts)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
