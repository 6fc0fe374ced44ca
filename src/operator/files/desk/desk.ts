// The desk for the tables that others have made: which column is what, which rows count, and what operators have
// answered. A column whose confusion does harm is never guessed (DECISIONS.md: Columns are asked for, not guessed).
import type { Question } from "../../declaration/declare.ts";
import * as kinds from "../../declaration/kinds.ts";
import { isPrice } from "../amounts.ts";
import type { CsvRow, CsvTable } from "../csv.ts";
import { dateReader, DAY_ORDERS, isDay, unclearDate } from "../dates.ts";
import { readSpreadsheet } from "../table.ts";
import { excerpt, unreadColumns } from "../unreadable-file.ts";
import { fold } from "../../../core/values/fold.ts";
import {
  type Answers,
  answersFor,
  COUNTING,
  DATES,
  type DeskInput,
  givenAnswers,
  NONE,
  NOW,
  type Remembered,
} from "./answers.ts";
import {
  type TableColumn,
  type ColumnRequest,
  tableColumns,
  decideColumns,
  labelOf,
  textIn,
  usualNames,
} from "./columns.ts";
import { countingOf, type CountingRequest } from "./counting.ts";

/** What an upload needs of a table. */
export interface DeskRequest<Key extends string> extends ColumnRequest<Key>, CountingRequest {
  /** Whether the texts of a column cannot be states or groups. */
  isData?: (texts: readonly string[]) => boolean;
  /** The columns of our own lists. If the file has most of one, those that are not fields are left aside. */
  own?: readonly (readonly string[])[];
  maxRows: number;
}

export type Desk<Key extends string> = ReturnType<typeof openDesk<Key>>;

/** The list of a plan that shows how the file was read. */
export const READ_AS = {
  title: "Read as",
  columns: {
    field: kinds.text("Field"),
    column: kinds.text("Column"),
    examples: kinds.text("Such as"),
    why: kinds.text("Because of"),
  },
};

const MAX_EXAMPLES = 12;

/**
 * The desk for a file, with what was answered about earlier ones. Each upload, and each vendor, has a scope of its own.
 * Errors: those of `readSpreadsheet` and `openDesk`.
 */
export async function deskFor<Key extends string>(
  context: Parameters<typeof answersFor>[0],
  scope: string,
  bytes: Uint8Array,
  given: DeskInput,
  request: DeskRequest<Key>,
) {
  const { maxRows, fields } = request;
  const table = readSpreadsheet(bytes, { maxRows, namesIn: usualNames(fields) });
  const { before, keep } = await answersFor(context, scope, table);
  const desk = openDesk(table, given, request, before);
  return { ...desk, keep: () => keep(desk.answers()) };
}

/** Errors: `UnreadableFile`; `validation_error` for answers that do not fit. */
export function openDesk<Key extends string>(
  { hasHeader, skipped, rows, columns: present }: CsvTable,
  given: DeskInput,
  request: DeskRequest<Key>,
  before: Remembered | null = null,
) {
  const { fields, isData, own = [] } = request;
  const keys = Object.keys(fields) as Key[];
  const usual = usualNames(fields);
  const isPresent = (name: string) => present.includes(name);
  const ours = own.filter((names) => names.filter(isPresent).length * 2 > names.length).flat();
  const isRead = (name: string) => usual([name]) > 0 || !ours.includes(name);
  // Texts of other columns must not decide.
  const whole = rows.filter(({ fault }) => fault === undefined);
  const columns = tableColumns(present.filter(isRead), whole, fields);
  const names = columns.map(({ name }) => name);
  const answers = { now: givenAnswers(given, keys, names), before };
  const order = answers.now.order ?? before?.order;
  const orderWhy = answers.now.order ? NOW : (before?.why ?? "");
  const { decided, asked, instead } = decideColumns(columns, request, answers);
  const columnOf = (key: Key) => decided.get(key)?.column;
  const others = columns.filter((each) => !keys.some((key) => columnOf(key) === each));

  const secrets = keys.filter((key) => fields[key].isSecret);
  const unclearSecrets = asked.filter((each) => each.keys.some((key) => secrets.includes(key)));
  const hasSecrets = unclearSecrets.length > 0 || secrets.some(columnOf);
  const secretColumns = new Set([
    ...columns.filter(({ like }) => secrets.some((key) => like.includes(key))),
    ...secrets.map(columnOf),
    ...unclearSecrets.flatMap(({ among }) => among),
  ]);
  /** Texts with digits may be secrets, unless they repeat. */
  const isShown = (column: TableColumn, text: string) =>
    !hasSecrets ||
    (!secretColumns.has(column) &&
      (!/\p{N}/u.test(text) || isPlain(text) || (column.counts.get(fold(text)) ?? 0) > 1));
  const examplesOf = (column: TableColumn) =>
    [...new Set(column.filled)]
      .slice(0, 3)
      .map((text) => excerpt(isShown(column, text) ? text : masked(text), 40))
      .join(", ");
  const isAsked = (column: TableColumn) => asked.some(({ among }) => among.includes(column));
  const free = others.filter(
    (each) => each.filled.length > 0 && !isAsked(each) && !isData?.(each.sample),
  );
  const counting = countingOf(columns, free, answers, { ...request, hasSecrets, isShown });

  const questions: Question[] = [
    ...asked.map((each) => ({
      input: "columns",
      label: `Which column has the field ${labelOf(fields, each.keys)}?`,
      options: [
        ...each.among.map((column) => {
          const key = each.keys.find((it) => column.like.includes(it)) ?? each.keys.at(-1);
          const label = `${column.name}: ${examplesOf(column)}`;
          return { value: `${String(key)} = ${column.name}`, label };
        }),
        { value: `${String(each.keys.at(-1))} = ${NONE}`, label: "None of these" },
      ],
    })),
    ...instead,
  ];
  const [unclear] = keys.flatMap((key) =>
    fields[key].isDay ? (unclearDate(columnOf(key)?.texts ?? []) ?? []) : [],
  );
  if (unclear !== undefined && !order) {
    const options = DAY_ORDERS.map((each) => ({ value: `${DATES} = ${each}`, label: each }));
    const label = `Is the day or the month first in ${unclear}?`;
    questions.push({ input: "columns", label, options });
  }
  const readAs = (): kinds.OutputOf<typeof READ_AS.columns>[] => [
    ...keys.flatMap((key) => {
      const { column, why = "" } = decided.get(key) ?? {};
      if (!column) return [];
      return { field: fields[key].label, column: column.name, examples: examplesOf(column), why };
    }),
    ...(unclear !== undefined && order
      ? [{ field: "Dates", column: order, examples: unclear, why: orderWhy }]
      : []),
    // Without rows, it is not known which texts they have.
    ...(isClear ? counting.answered() : []).map(({ column, values, why }) => {
      const examples = values.slice(0, MAX_EXAMPLES).join(", ") || NONE;
      return { field: COUNTING, column, examples, why };
    }),
  ];

  const isClear = questions.length === 0;

  return {
    /** Whether there are no questions about the columns. Otherwise there are no rows to read. */
    isClear,
    rows: isClear ? rows : [],
    readAs,
    leftOut: counting.leftOut,
    /** The questions. Without some about the columns, only rows that would change something are asked for. */
    questions: (
      changing: readonly CsvRow[],
      mayChange: (row: CsvRow) => boolean = () => true,
    ): Question[] => [
      ...questions,
      ...counting.askFor(isClear ? changing : rows.filter(mayChange)),
    ],
    /** Returns a function that reads the cell of a field. It is empty if the file does not have it. */
    cells: (row: CsvRow) => (key: Key) => textIn(row, columnOf(key)?.name),
    nameOf: (key: Key): string => columnOf(key)?.name ?? "",
    /** The texts of the row that are in no field. */
    others: (row: CsvRow) => others.map(({ name }) => textIn(row, name)),
    /** `dateReader` for the days of a field. */
    dayReader: (key: Key, isLast: boolean) =>
      dateReader(columnOf(key)?.texts ?? [], { order, isLast }),
    warnings: (): string[] => [
      ...(rows.length === 0 ? ["The file has no rows."] : []),
      ...unreadColumns(
        free.filter((each) => !counting.filters.includes(each)).map(({ name }) => name),
      ),
      ...(skipped.length > 0 ? [`Lines that are no rows: ${excerpt(skipped.join(", "))}.`] : []),
    ],
    /** The answers, for the audit log. Null if none was needed. */
    note: (): string | null => {
      const texts = readAs()
        .filter(({ why }) => why === NOW)
        .map(({ field, column, examples }) =>
          field === COUNTING ? `${column} is ${examples}` : `${field} = ${column}`,
        );
      return texts.length === 0 ? null : excerpt(texts.join("; "));
    },
    /** What to keep for the next file with these columns. Null for nothing. */
    answers: (): Answers | null => {
      const kept: Answers = {
        columns: { ...before?.columns, ...answers.now.columns },
        order,
        only: counting.kept(),
      };
      const isEmpty = !order && Object.keys({ ...kept.columns, ...kept.only }).length === 0;
      return hasHeader && !isEmpty && answers.now.why === NOW ? kept : null;
    },
  };
}

/** Whether a text with digits cannot be a secret. */
const isPlain = (text: string) =>
  /^\d{1,2}$/.test(text) || isPrice(text) || (/\D/.test(text) && isDay(text));

const masked = (text: string) => text.replaceAll(/\p{L}/gu, "x").replaceAll(/\p{N}/gu, "9");
