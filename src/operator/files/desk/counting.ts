// Which rows of a table count: columns of states and groups are asked for.
import { fold } from "../../../core/values/fold.ts";
import { plural } from "../../../core/values/plural.ts";
import type { Question } from "../../declaration/declare.ts";
import { isPrice } from "../amounts.ts";
import type { CsvRow } from "../csv.ts";
import { type Answers, ANY, digestOf, type Given, NONE, type Remembered } from "./answers.ts";
import { type TableColumn, textIn } from "./columns.ts";

const [EMPTY, OTHER] = ["(empty)", "(other)"];

/** A column with more different texts is not asked for, and longer texts are not told apart. */
const MAX_VALUES = 50;
const MAX_VALUE = 100;
/** In a table with so few rows, states need not repeat. */
const FEW_ROWS = 12;
const MAX_WORD = 40;

/** Whether most texts, or any without digits, repeat. In a short table, words and balances need not. */
function isState({ texts, counts }: TableColumn, hasSecrets: boolean): boolean {
  const unique = [...counts.values()].filter((count) => count === 1);
  const needed = texts.some((text) => /\p{N}/u.test(text)) ? texts.length / 2 : 1;
  if (texts.length - unique.length >= needed && counts.size <= MAX_VALUES) return true;
  const isClear = (text: string) => !/\p{N}/u.test(text) || (hasSecrets && isPrice(text));
  return (
    texts.length <= FEW_ROWS &&
    texts.every((text) => text.length <= MAX_WORD && (hasSecrets || isClear(text))) &&
    texts.some(isClear)
  );
}

/** What an upload needs of the rows. */
export interface CountingRequest {
  /** Follows "which of these", such as "are codes to give out". */
  counts: string;
  /** Whether "this column does not decide" is an answer. */
  mayIgnore?: boolean;
}

type Secrecy = { hasSecrets: boolean; isShown: (column: TableColumn, text: string) => boolean };

/** `free`: the columns that are neither fields nor asked for. */
export function countingOf(
  columns: readonly TableColumn[],
  free: readonly TableColumn[],
  { now, before }: { now: Given; before: Remembered | null },
  { counts, mayIgnore = false, hasSecrets, isShown }: CountingRequest & Secrecy,
) {
  const earlier = ({ name }: TableColumn) => before?.only[fold(name)];
  const isAnswered = (column: TableColumn) =>
    now.only.has(column.name) || earlier(column) !== undefined;
  const filters = columns.filter(
    (column) =>
      now.only.has(column.name) ||
      (free.includes(column) && (isAnswered(column) || isState(column, hasSecrets))),
  );
  /** The texts of rows that may change something, by column. */
  const seen = new Map(filters.map((column) => [column, new Set<string>()]));
  const valueOf = (row: CsvRow, column: TableColumn) => {
    const text = textIn(row, column.name);
    if (text === "") return EMPTY;
    const isHidden = text.length > MAX_VALUE || [EMPTY, NONE, ANY].includes(fold(text));
    return isHidden || !isShown(column, text) ? OTHER : text;
  };
  const doesCount = (column: TableColumn, value: string): boolean | undefined => {
    const values = now.only.get(column.name);
    if (values) return (mayIgnore && values.has(ANY)) || values.has(fold(value));
    const known = earlier(column);
    return known?.[digestOf(ANY)] ?? known?.[digestOf(value)];
  };
  const valuesIn = (column: TableColumn) =>
    doesCount(column, ANY) === true ? [ANY] : [...(seen.get(column) ?? [])];
  const countingIn = (column: TableColumn) =>
    valuesIn(column).filter((value) => doesCount(column, value));

  /** Those that count, in each column with an answer. */
  const answered = () =>
    filters.filter(isAnswered).map((column) => ({
      column: column.name,
      values: countingIn(column),
      why: now.only.has(column.name) ? now.why : (before?.why ?? ""),
    }));

  return {
    filters,
    answered,
    /**
     * Why the row does not count: the answer about one of its texts. It must be called for each row. The answer is kept
     * only for texts of rows that may change something, because others are not asked for.
     */
    leftOut: (row: CsvRow, mayChange = true): string | null => {
      const values = filters.map((column) => ({ column, value: valueOf(row, column) }));
      if (mayChange) for (const { column, value } of values) seen.get(column)?.add(value);
      const found = values.find(({ column, value }) => doesCount(column, value) === false);
      return found ? `does not count: ${found.column.name} is ${found.value}` : null;
    },
    /** The questions about the rows that would change something. */
    askFor: (changing: readonly CsvRow[]): Question[] =>
      filters.flatMap((column) => {
        const groups = Map.groupBy(changing, (row) => valueOf(row, column));
        if ([...groups.keys()].every((value) => doesCount(column, value) !== undefined)) return [];
        // Without those that counted before, the answer would take back the earlier one.
        const options = [...new Set([...groups.keys(), ...countingIn(column)])].map((value) => {
          const same = groups.get(value) ?? [];
          const rows = `${plural(same.length, "row")}, such as row ${String(same[0]?.number)}`;
          return { value, label: `${value} (${same.length > 0 ? rows : "as before"})` };
        });
        options.push({ value: NONE, label: "None of these" });
        if (mayIgnore) options.push({ value: ANY, label: "This column does not decide" });
        return {
          input: "only",
          label: `${column.name}: which of these ${counts}?`,
          options: options.map(({ value, label }) => ({
            value: `${column.name} is ${value}`,
            label,
          })),
          isMany: true,
        };
      }),
    /** The answers to keep: whether rows with the texts count, by column. */
    kept: (): Answers["only"] =>
      Object.fromEntries(
        filters.filter(isAnswered).map((column) => {
          const counting = valuesIn(column).map((each) => [
            digestOf(each),
            doesCount(column, each),
          ]);
          const known = now.only.has(column.name) ? {} : earlier(column);
          return [fold(column.name), { ...known, ...Object.fromEntries(counting) }];
        }),
      ),
  };
}
