// Tables and lists of fields.
import type { Child } from "hono/jsx";
import { COMMON } from "../texts/common.ts";
import { useView } from "./view.tsx";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => Child;
  /** The value by which the rows can be sorted. */
  sortBy?: (row: Row) => string | number | null;
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
  /** Whether a link in the head of a column sorts the rows of the page. */
  isSortable?: boolean;
}

/** A table. On narrow screens, each row has two lines: its first column with states and amounts, and the others. */
export function Table<Row>({ label, rows, columns, empty, isSortable = false }: TableProps<Row>) {
  const { query } = useView();
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const sort = (isSortable && query.get("sort")) || "";
  const isDescending = sort.startsWith("-");
  const sorted = columns.find((column) => column.sortBy && keyOf(column) === sort.replace("-", ""));
  const by = sorted?.sortBy;
  const hasAmounts = columns.filter(({ look }) => look === "number").length > 1;
  const cellOf = ({ look, label }: Column<Row>) => {
    const isLabelled = look?.endsWith("labelled") ?? false;
    return isLabelled || (hasAmounts && look === "number")
      ? { class: isLabelled ? look : `${String(look)} labelled`, "data-label": label }
      : { class: look };
  };
  const shown = by
    ? rows.toSorted((a, b) => compare(by(a), by(b)) * (isDescending ? -1 : 1))
    : rows;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => {
            const isSorted = column === sorted;
            const key = isSorted && !isDescending ? `-${keyOf(column)}` : keyOf(column);
            return (
              <th
                scope="col"
                class={column.look}
                aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : undefined}
              >
                {isSortable && column.sortBy ? (
                  <a href={withQuery(query, "sort", key)}>
                    {column.label}
                    {isSorted ? (isDescending ? " ↓" : " ↑") : ""}
                  </a>
                ) : (
                  column.label
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
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

const keyOf = ({ label }: { label: string }) => label.toLowerCase().replaceAll(" ", "-");

type Key = string | number | null;

function compare(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en");
}

/** The query of a link to the same page with another value. */
function withQuery(query: URLSearchParams, name: string, value: string): string {
  const changed = new URLSearchParams(query);
  changed.set(name, value);
  return `?${changed.toString()}`;
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
