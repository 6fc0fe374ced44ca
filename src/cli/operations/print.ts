// What the answers of the operator API look like in a terminal.
import { type FieldInfo, type JsonValue, KINDS } from "../../operator/declaration/kinds.ts";
import type { ShownContent, ShownPlan } from "../../operator/declaration/output.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { type Cell, fields, textTable } from "./table.ts";
import type { ShapeInfo } from "./description.ts";

type Row = Readonly<Record<string, JsonValue>>;
type Columns = Readonly<Record<string, FieldInfo>>;

/** A number is aligned to the right, unless it is an id. */
const cellOf = (type: FieldInfo["type"], value: JsonValue): Cell => {
  const isNumber = typeof value === "number" && KINDS[type].look?.startsWith("number");
  return value === null || isNumber ? value : textOf(type, value);
};

/** Rows with the labels of their columns. Columns without any value are left out. */
export function rowsText(columns: Columns, rows: readonly Row[]): string {
  const shown = Object.entries(columns).filter(
    ([name]) => rows.length === 0 || rows.some((row) => (row[name] ?? null) !== null),
  );
  return textTable(
    shown.map(([, { label }]) => label.toUpperCase()),
    rows.map((row) => shown.map(([name, { type }]) => cellOf(type, row[name] ?? null))),
  );
}

/** The facts and tables of a content, with blank lines between them. */
export function contentText(shape: ShapeInfo | undefined, content: ShownContent): string {
  const { facts = {}, lists = {} } = shape ?? {};
  const shownFacts = Object.entries(facts).filter(([name]) => content.facts[name] !== undefined);
  const parts = [
    content.headline ?? "",
    content.text ?? "",
    shownFacts.length === 0
      ? ""
      : fields(
          Object.fromEntries(
            shownFacts.map(([name, { label, type }]) => [
              label,
              textOf(type, content.facts[name] ?? null),
            ]),
          ),
        ),
    ...Object.entries(lists).map(([name, { title, columns, isFolded }]) => {
      const rows = content.lists[name];
      return rows && !(isFolded && rows.length === 0)
        ? `${title}:\n${rowsText(columns, rows)}`
        : "";
    }),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** What a plan will do, as the operator reads it before the question. */
export function planText(preview: ShapeInfo | undefined, plan: ShownPlan): string {
  const { will, changes, questions = [] } = plan;
  const without = questions.length > 0 ? "" : "Nothing would be changed.";
  const parts = [
    will === null ? without : `This will ${will}.`,
    changes.length === 0
      ? ""
      : textTable(
          ["VALUE", "NOW", "AFTERWARDS"],
          changes.map(({ label, before, after }) => [label, before, after]),
        ),
    contentText(preview, plan),
    ...questions.map(({ input, label, options }) => {
      const option = `--${input.replaceAll("_", "-")}`;
      const lines = options.map(
        ({ value, label: text }) => `  ${option} ${quoted(value)}  # ${text}`,
      );
      return [`${label} Answer with:`, ...(lines.length > 0 ? lines : [`  ${option} …`])].join(
        "\n",
      );
    }),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** As a word of a shell's command line. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
