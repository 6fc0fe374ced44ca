// Which column of a table is which field.
import { fold } from "../../../core/values/fold.ts";
import type { Question } from "../../declaration/declare.ts";
import { type CsvRow, oneLine } from "../csv.ts";
import { foldedColumn, plainCell } from "../table.ts";
import { UnreadableFile } from "../unreadable-file.ts";
import { digestOf, type Given, NONE, type Remembered } from "./answers.ts";

export interface DeskField {
  label: string;
  /** Its usual names in English with commas, the best first. Case, spaces and punctuation do not matter. */
  names: string;
  /** Whether a mistake does harm, so that its texts alone do not decide on its column. */
  isStrict?: boolean;
  /** Whether its texts must not be shown. */
  isSecret?: boolean;
  isDay?: boolean;
  /** A file that has fields of one kind has those of another only if they are named. */
  kind?: string;
  /** Whether the texts of a column may be its values. If it is not strict, the first such column is its column. */
  looks?: (texts: readonly string[]) => boolean;
}

export type DeskFields<Key extends string> = Readonly<Record<Key, DeskField>>;

/** What an upload needs of the columns. */
export interface ColumnRequest<Key extends string> {
  fields: DeskFields<Key>;
  /**
   * Groups of fields of which one is needed: the last one, unless a column looks like another. A question about another
   * input may be answered instead.
   */
  needs: readonly { keys: readonly Key[]; instead?: Question }[];
  /** The kind of the fields of a file that shows none. */
  kind?: string | undefined;
}

const namesOf = ({ names }: DeskField) => names.split(", ").map(foldedColumn);

/** Counts the usual names among texts: an option of `readSpreadsheet`. */
export function usualNames(fields: DeskFields<string>) {
  const names = new Set(Object.values(fields).flatMap(namesOf));
  return (texts: readonly string[]) => texts.filter((text) => names.has(foldedColumn(text))).length;
}

/** A cell on one line. Empty without the column. */
export const textIn = (row: CsvRow, column = ""): string => oneLine(plainCell(row.get(column)));

/** So many texts show what a column looks like. */
const SAMPLE = 1_000;

export type TableColumn = ReturnType<typeof tableColumns>[number];

/** The columns of a table, with the fields that each looks like. */
export function tableColumns(
  names: readonly string[],
  rows: readonly CsvRow[],
  fields: DeskFields<string>,
) {
  return names.map((name) => {
    const texts = rows.map((row) => textIn(row, name));
    const sample = texts.slice(0, SAMPLE);
    const counts = new Map<string, number>();
    for (const text of texts.map(fold)) counts.set(text, (counts.get(text) ?? 0) + 1);
    return {
      name,
      texts,
      sample,
      filled: texts.filter((text) => text !== ""),
      like: Object.keys(fields).filter((key) => fields[key]?.looks?.(sample)),
      /** How often each folded text occurs. */
      counts,
    };
  });
}

/** Whether at least half of the texts are such values. */
export const mostly = (texts: readonly string[], is: (text: string) => boolean): boolean => {
  const filled = texts.filter((text) => text !== "");
  return filled.length > 0 && filled.filter(is).length * 2 >= filled.length;
};

/**
 * The column of a field is that of an answer for this file or an earlier one, or one with a usual name. Without one, it is
 * the first column that looks like it, unless the field is strict. Others are questions.
 */
export function decideColumns<Key extends string>(
  columns: readonly TableColumn[],
  { fields, needs, kind }: ColumnRequest<Key>,
  { now, before }: { now: Given; before: Remembered | null },
) {
  const keys = Object.keys(fields) as Key[];
  const decided = new Map<Key, { column: TableColumn | undefined; why: string }>();
  const asked: { keys: readonly Key[]; among: readonly TableColumn[] }[] = [];
  const instead: Question[] = [];
  const isTaken = (column: TableColumn) =>
    [...decided.values()].some((each) => each.column === column);
  const isFree = (column: TableColumn) => !isTaken(column) && column.filled.length > 0;
  const free = () => columns.filter(isFree);
  const named = (key: Key) =>
    namesOf(fields[key]).flatMap((name) =>
      columns.filter((each) => !isTaken(each) && foldedColumn(each.name) === name),
    );

  // A column that the similar file did not have may be the one that is meant.
  const added = columns.filter(({ name }) => before?.names?.includes(digestOf(name)) === false);
  for (const key of keys) {
    const usual = named(key);
    const isMeant = (each: TableColumn) => each.like.includes(key) || usual.includes(each);
    const earlier = fields[key].isStrict && added.some(isMeant) ? undefined : before?.columns[key];
    const name = now.columns[key] ?? earlier ?? "";
    const column = columns.find((each) => fold(each.name) === fold(name));
    if (column ?? name === NONE)
      decided.set(key, { column, why: key in now.columns ? now.why : (before?.why ?? "") });
  }
  const open = keys.filter((key) => !decided.has(key));
  for (const key of open) {
    const column = named(key).find(isFree) ?? named(key)[0];
    if (column) decided.set(key, { column, why: "its name" });
  }
  const isLikely = (key: Key) => {
    const found = keys.flatMap((each) => (decided.get(each)?.column && fields[each].kind) ?? []);
    const kinds = found.length === 0 && kind !== undefined ? [kind] : found;
    return kinds.length === 0 || kinds.includes(fields[key].kind ?? "");
  };
  const strict = () => open.filter((key) => fields[key].isStrict && isLikely(key));
  for (const key of open.filter((each) => !fields[each].isStrict && !decided.has(each))) {
    const unclear = strict();
    const column = free().find(
      ({ like }) => like.includes(key) && !unclear.some((each) => like.includes(each)),
    );
    if (column) decided.set(key, { column, why: "its texts" });
  }
  for (const key of columns.length > 1 ? strict() : []) {
    const column = decided.get(key)?.column;
    const filled = column?.filled ?? [];
    // The code of an item may have the name of the code of a gift.
    const isRepeated = filled.length > 0 && new Set(filled).size * 2 <= filled.length;
    const isItem =
      isRepeated && fields[key].isSecret && needs.some((need) => need.keys.includes(key));
    const similar = free().filter(({ like }) => isItem || like.includes(key));
    const rivals = [...new Set([...named(key).filter(isFree), ...similar])];
    if (rivals.length === 0) continue;
    decided.delete(key);
    asked.push({ keys: [key], among: column ? [column, ...rivals] : rivals });
  }
  const isMet = (key: Key) =>
    decided.get(key)?.column !== undefined || asked.some((each) => each.keys.includes(key));
  for (const { keys: group, instead: other } of needs.filter((need) => !need.keys.some(isMet))) {
    const last = group.at(-1) as Key;
    const [only] = free();
    if (only && columns.length === 1) {
      decided.set(last, { column: only, why: "the only column" });
      continue;
    }
    if (only && !decided.has(last)) asked.push({ keys: group, among: free() });
    else if (!other) throw new UnreadableFile(`has no column for ${labelOf(fields, group)}`);
    if (other) instead.push(other);
  }
  return { decided, asked, instead };
}

export const labelOf = <Key extends string>(fields: DeskFields<Key>, keys: readonly Key[]) =>
  keys.map((key) => fields[key].label).join(" or ");
