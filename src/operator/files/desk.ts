// The desk for the tables that others have made: which column is what, which rows count, and what operators have
// answered. A column whose confusion does harm is never guessed (DECISIONS.md: Columns are asked for, not guessed).
import { validationError } from "../../core/api-error.ts";
import { sha256Hex } from "../../core/values/digest.ts";
import { fold } from "../../core/values/fold.ts";
import { plural } from "../../core/values/plural.ts";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import { kvKey } from "../../platform/cache/tiered.ts";
import type { OperatorBindings, Question } from "../declaration/declare.ts";
import { splitPair } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import type { CsvRow, CsvTable } from "./csv.ts";
import { dateReader, DAY_ORDERS, type DayOrder, unclearDate } from "./dates.ts";
import { foldedColumn, plainCell } from "./table.ts";
import { excerpt, unreadColumns, UnreadableFile } from "./unreadable-file.ts";

export interface DeskField {
  label: string;
  /** Its usual names in English with commas, the best first. Case, spaces and punctuation do not matter. */
  names: string;
  /** Whether a mistake does harm, so that its values alone do not decide on its column. */
  isStrict?: boolean;
  /** Whether its texts must not be shown. */
  isSecret?: boolean;
  isDay?: boolean;
  /** A file with fields of a kind has those of another kind only if they are named. */
  kind?: string;
  /** Whether the texts of a column may be its values. If it is not strict, the only such column is its column. */
  looks?: (texts: readonly string[]) => boolean;
}

interface DeskRequest<Key extends string> {
  fields: Readonly<Record<Key, DeskField>>;
  /**
   * Groups of fields of which one is needed: the last one, unless a column looks like another. A question about another
   * input may be answered instead.
   */
  needs: readonly { keys: readonly Key[]; instead?: Question }[];
  /** Follows "which of these", such as "are codes to give out". */
  counts: string;
  /** Whether the texts of a column cannot be states or groups. */
  isData?: (texts: readonly string[]) => boolean;
  /** The kind of a file whose columns show none. By default, it may be any. */
  kind?: string | undefined;
  /** Whether "this column does not decide" is an answer about which rows count. */
  mayIgnore?: boolean;
  /** The columns of our own lists. If the file has most of one, those that are not fields are left aside. */
  own?: readonly (readonly string[])[];
  given: Partial<kinds.InputOf<typeof DESK_INPUTS>>;
}

const COUNTING = "Rows that count";

/** The inputs of an upload that answer the questions of its plan. */
export const DESK_INPUTS = {
  columns: kinds.optional(
    kinds.many(kinds.answer("Columns", { hint: "If asked, by line: such as code = Claim Code." })),
  ),
  only: kinds.optional(
    kinds.many(kinds.answer(COUNTING, { hint: "If asked, by line: such as Status is Active." })),
  ),
};

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

/** Answers, by field or by column: whether rows with a text count, by its hash. */
interface Answers {
  columns: Record<string, string | null>;
  order?: DayOrder | undefined;
  only: Record<string, Record<string, boolean | undefined>>;
}

const [EMPTY, OTHER, NONE, ANY, DATES] = ["(empty)", "(other)", "(none)", "(any)", "dates"];
const [NOW, BEFORE] = ["your answer", "your answer for an earlier file"];

/** A column with more different texts is not asked for, and longer texts are not told apart. */
const MAX_VALUES = 50;
const MAX_VALUE = 100;
/** In a file with so few rows, states need not repeat. */
const FEW_ROWS = 12;
const MAX_WORD = 40;
/** So many texts show what a column looks like. */
const SAMPLE = 1_000;

/**
 * The column of a field is that of an answer for this file or an earlier one, or that with a usual name. Others are
 * questions. The rows may be a sample. Errors: `UnreadableFile`; `validation_error` for answers that do not fit.
 */
export function openDesk<Key extends string>(
  { columns: present, rows, hasHeader, skipped }: Omit<CsvTable, "unread">,
  {
    fields,
    needs,
    counts,
    isData = () => false,
    kind,
    mayIgnore = false,
    own = [],
    given,
  }: DeskRequest<Key>,
  before: Answers | null = null,
) {
  const keys = Object.keys(fields) as Key[];
  const fieldNames = new Set(keys.flatMap((key) => namesOf(fields[key])));
  const ours = own.filter(
    (names) => names.filter((name) => present.includes(name)).length * 2 > names.length,
  );
  const all = present.filter(
    (name) => fieldNames.has(foldedColumn(name)) || !ours.flat().includes(name),
  );
  const secrets = keys.filter((key) => fields[key].isSecret);
  const now = answersIn(given, keys, all);
  const order = now.order ?? before?.order;
  const columns = all.map((name) => {
    const texts = rows.map((row) => cellOf(row, name));
    const sample = texts.slice(0, SAMPLE);
    const like = keys.filter((key) => fields[key].looks?.(sample));
    const filled = texts.filter((text) => text !== "");
    const distinct = Map.groupBy(texts, fold);
    return { name, texts, filled, like, isData: isData(sample), distinct };
  });
  type Column = (typeof columns)[number];
  const decided = new Map<Key, { column: Column | undefined; why: string }>();
  const questions: Question[] = [];
  /** Those of open questions, and whether they may have secrets. */
  const doubtful = new Map<Column, boolean>();
  /** Whether any column may have the secrets. */
  let isOpen = false;

  const isTaken = (column: Column) => [...decided.values()].some((each) => each.column === column);
  const isFree = (column: Column) => !isTaken(column) && column.filled.length > 0;
  const named = (key: Key) =>
    namesOf(fields[key]).flatMap((name) =>
      columns.filter((each) => !isTaken(each) && foldedColumn(each.name) === name),
    );
  const isRepeated = ({ distinct }: Column, text: string) =>
    (distinct.get(fold(text))?.length ?? 0) > 1;
  /** The fields that a file of its kind may have. */
  const likely = () => {
    const hasOne = (key: Key) => decided.get(key)?.column ?? named(key)[0];
    const found = keys.flatMap((key) => (hasOne(key) && fields[key].kind) ?? []);
    const kinds = found.length > 0 ? found : kind;
    return keys.filter((key) => !kinds || !fields[key].kind || kinds.includes(fields[key].kind));
  };
  const isHidden = (column: Column) =>
    doubtful.get(column) === true ||
    secrets.some((key) => column.like.includes(key) || decided.get(key)?.column === column);
  /** Texts with digits may be secrets, unless they repeat. */
  const hasSecrets = () => likely().some((key) => fields[key].isSecret);
  const isShown = (column: Column, text: string, isCareful = hasSecrets()) =>
    !isCareful ||
    (!isHidden(column) &&
      (isPlain(text) || isRepeated(column, text) || !(isOpen || /\d/.test(text))));
  const examplesOf = (column: Column) =>
    [...new Set(column.filled)]
      .slice(0, 3)
      .map((text) => excerpt(isShown(column, text) ? text : masked(text), 40))
      .join(", ");
  const ask = (
    label: string,
    key: Key,
    among: readonly Column[],
    keyOf: (column: Column) => Key = () => key,
  ) => {
    const isSecret = fields[key].isSecret === true;
    for (const each of among) doubtful.set(each, isSecret || doubtful.get(each) === true);
    const options = among.map((column) => ({
      value: `${keyOf(column)} = ${column.name}`,
      label: `${column.name}: ${examplesOf(column)}`,
    }));
    const none = { value: `${key} = ${NONE}`, label: "None of these" };
    questions.push({
      input: "columns",
      label: `Which column has the field ${label}?`,
      options: [...options, none],
    });
  };

  for (const key of keys) {
    const name = key in now.columns ? now.columns[key] : before?.columns[key];
    if (name === undefined) continue;
    const column = columns.find((each) => fold(each.name) === fold(name ?? ""));
    decided.set(key, { column, why: key in now.columns ? NOW : BEFORE });
  }
  const open = keys.filter((key) => !decided.has(key));
  for (const key of open) {
    const column = named(key).find(isFree) ?? named(key)[0];
    if (column) decided.set(key, { column, why: "its name" });
  }
  const openStrict = () => likely().filter((key) => fields[key].isStrict && open.includes(key));
  for (const key of open.filter((each) => !fields[each].isStrict && !decided.has(each))) {
    const strict = openStrict();
    const similar = columns.filter(
      ({ like }) => like.includes(key) && !like.some((each) => strict.includes(each)),
    );
    const [column, ...others] = similar.filter(isFree);
    if (!column) continue;
    if (others.length > 0) ask(fields[key].label, key, [column, ...others]);
    else decided.set(key, { column, why: "its texts" });
  }
  for (const key of all.length > 1 ? openStrict() : []) {
    const column = decided.get(key)?.column;
    // The code of an item has this name, too.
    const isItemCode = fields[key].isSecret && needs.some((each) => each.keys.includes(key));
    const { filled = [] } = isItemCode ? (column ?? {}) : {};
    const isItem = filled.length > 0 && new Set(filled).size * 2 <= filled.length;
    const similar = columns.filter((each) => isItem || each.like.includes(key));
    const rivals = [...new Set([...named(key), ...similar])].filter(isFree);
    if (rivals.length === 0) continue;
    decided.delete(key);
    ask(fields[key].label, key, column ? [column, ...rivals] : rivals);
  }
  for (const key of open.filter((each) => !fields[each].isStrict && !decided.has(each))) {
    const column = columns.find((each) => isFree(each) && each.like.includes(key));
    if (column && !doubtful.has(column)) decided.set(key, { column, why: "its values" });
  }
  const isAsked = (key: Key) =>
    questions.some(({ options }) => options.some(({ value }) => value.startsWith(`${key} = `)));
  for (const { keys: group, instead } of needs) {
    if (group.some((key) => decided.get(key)?.column ?? isAsked(key))) continue;
    const last = group.at(-1) as Key;
    const label = group.map((key) => fields[key].label).join(" or ");
    const free = columns.filter(isFree);
    const [only] = free;
    if (only && all.length === 1) decided.set(last, { column: only, why: "the only column" });
    else if (!instead && (!only || decided.has(last)))
      throw new UnreadableFile(`has no column for ${label}`);
    else {
      isOpen ||= group.some((key) => fields[key].isSecret);
      const keyOf = ({ like }: Column) => group.find((key) => like.includes(key)) ?? last;
      if (only && !(instead && decided.has(last))) ask(label, last, free, keyOf);
      if (instead) questions.push(instead);
    }
  }
  for (const key of keys.filter((each) => fields[each].isDay)) {
    const column = decided.get(key)?.column;
    const unclear = column && unclearDate(column.texts);
    if (!unclear) continue;
    if (order) {
      decided.set(key, { column, why: `${now.order ? NOW : BEFORE}: ${order}` });
      continue;
    }
    const options = DAY_ORDERS.map((each) => ({ value: `${DATES} = ${each}`, label: each }));
    questions.push({ input: "columns", label: `What is first in ${unclear}?`, options });
  }

  const earlier = ({ name }: Column) => before?.only[fold(name)];
  const isAnswered = (column: Column) => now.only.has(column.name) || earlier(column) !== undefined;
  /** States and groups, whose texts repeat. If they have digits, most of them do. */
  const filters = columns.filter((column) => {
    const { texts, distinct } = column;
    if (now.only.has(column.name)) return true;
    if (!isFree(column) || doubtful.has(column) || isOpen || column.isData) return false;
    const repeating = [...distinct.values()].filter(({ length }) => length > 1).flat();
    const isWord = (text: string) =>
      (text.length <= MAX_WORD && !/\d/.test(text)) || (secrets.length > 0 && isAmount(text));
    // Numbers without a zero may be those of the rows.
    const isShort = (text: string) => secrets.length > 0 && /^\d{1,3}$/.test(text);
    const isFew =
      texts.length <= FEW_ROWS &&
      texts.some(isWord) &&
      texts.every((text) => isWord(text) || isShort(text));
    const needed = texts.some((text) => /\d/.test(text)) ? texts.length / 2 : 1;
    const isGroup = repeating.length >= needed && distinct.size <= MAX_VALUES;
    return isAnswered(column) || isGroup || isFew;
  });
  /** The texts of the rows, by the columns that are asked for. */
  const seen = new Map(filters.map((column) => [column, new Set<string>()]));
  const briefs = new Map<string, CsvRow>();
  const isCareful = hasSecrets();
  const valueOf = (row: CsvRow, column: Column) => {
    const text = cellOf(row, column.name);
    if (text === "") return EMPTY;
    return text.length > MAX_VALUE || !isShown(column, text, isCareful) ? OTHER : text;
  };
  const doesCount = (column: Column, value: string) => {
    const values = now.only.get(column.name);
    if (values) return (mayIgnore && values.has(ANY)) || values.has(fold(value));
    const known = earlier(column);
    return known?.[hashOf(ANY)] ?? known?.[hashOf(value)];
  };
  const valuesIn = (column: Column) =>
    doesCount(column, ANY) ? [ANY] : [...(seen.get(column) ?? [])];
  const countingIn = (column: Column) =>
    valuesIn(column).filter((value) => doesCount(column, value) === true);
  const readAs = (): kinds.OutputOf<typeof READ_AS.columns>[] => [
    ...keys.flatMap((key) => {
      const { column, why = "" } = decided.get(key) ?? {};
      if (!column) return [];
      return { field: fields[key].label, column: column.name, examples: examplesOf(column), why };
    }),
    ...filters.filter(isAnswered).map((column) => ({
      field: COUNTING,
      column: column.name,
      examples: countingIn(column).slice(0, FEW_ROWS).join(", ") || NONE,
      why: now.only.has(column.name) ? NOW : BEFORE,
    })),
  ];

  return {
    questions,
    readAs,
    /** Returns a function that reads the cell of a field. It is empty if the file does not have it. */
    cells: (row: CsvRow) => (key: Key) => {
      const column = decided.get(key)?.column;
      return column ? cellOf(row, column.name) : "";
    },
    columnOf: (key: Key): string => decided.get(key)?.column?.name ?? "",
    /** The texts of the row that are in no field. */
    others: (row: CsvRow) =>
      columns.filter((each) => !isTaken(each)).map(({ name }) => cellOf(row, name)),
    /** `dateReader` for the days of a field. */
    dayReader: (key: Key, isLast: boolean) =>
      dateReader(decided.get(key)?.column?.texts ?? [], { order, isLast }),
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
    /** Which of these rows count, if it was not answered. They are those that would change something. */
    askFor: (changing: readonly CsvRow[]): Question[] =>
      filters.flatMap((column) => {
        const groups = [...Map.groupBy(changing, (row) => valueOf(row, column))];
        if (groups.every(([value]) => doesCount(column, value) !== undefined)) return [];
        const options = groups.map(([value, same]) => ({
          value: `${column.name} is ${value}`,
          label: `${value} (${plural(same.length, "row")}, such as row ${String(same[0]?.number)})`,
        }));
        // Without them, the answer would take back the earlier one.
        const others = [...(seen.get(column) ?? [])]
          .filter(
            (value) => earlier(column)?.[hashOf(value)] && !groups.some(([it]) => it === value),
          )
          .map((value) => ({ value: `${column.name} is ${value}`, label: `${value} (as before)` }));
        const none = { value: `${column.name} is ${NONE}`, label: "None of these" };
        const any = { value: `${column.name} is ${ANY}`, label: "This column does not decide" };
        const label = `${column.name}: which of these ${counts}?`;
        const all = [...options, ...others, none, ...(mayIgnore ? [any] : [])];
        return [{ input: "only", label, options: all, isMany: true }];
      }),
    /** The row without what `askFor` does not need. Rows with the same texts are the first of them. */
    brief: (row: CsvRow): CsvRow => {
      const texts = filters.map(({ name }) => row.get(name).slice(0, 2 * MAX_VALUE));
      const key = JSON.stringify(texts);
      const names = filters.map(({ name }) => name);
      const known = briefs.get(key) ?? rowOf(row.number, names, texts);
      briefs.set(key, known);
      return known;
    },
    warnings: (): string[] => [
      ...unreadColumns(
        columns
          .filter((each) => isFree(each) && !filters.includes(each) && !doubtful.has(each))
          .filter((each) => !each.isData)
          .map(({ name }) => name),
      ),
      ...(skipped.length > 0 ? [`Lines that are no rows: ${excerpt(skipped.join(", "))}.`] : []),
    ],
    /** The answers, for the audit log. Null if none was needed. */
    note: (): string | null => {
      const used = readAs().filter(({ why }) => why?.startsWith(NOW));
      return used.length === 0
        ? null
        : excerpt(
            used
              .map(({ field, column, examples }) =>
                field === COUNTING ? `${column} is ${examples}` : `${field} = ${column}`,
              )
              .join("; "),
          );
    },
    /** What to keep for the next file with these columns. Null for nothing. */
    answers: (): Answers | null => {
      const used = [...decided].filter(([, { why }]) => why.startsWith(NOW));
      const only = filters.filter(isAnswered).map((column) => {
        const values = valuesIn(column);
        const counting = values.map((each) => [hashOf(each), doesCount(column, each)] as const);
        const known = now.only.has(column.name) ? {} : earlier(column);
        return [fold(column.name), { ...known, ...Object.fromEntries(counting) }] as const;
      });
      if (!hasHeader || (used.length === 0 && only.length === 0 && !order)) return null;
      return {
        columns: Object.fromEntries(used.map(([key, { column }]) => [key, column?.name ?? null])),
        order,
        only: Object.fromEntries(only),
      };
    },
  };
}

/** Not a closure beside a row of the file, which would keep all of them in the memory. */
const rowOf = (number: number, columns: readonly string[], texts: readonly string[]): CsvRow => ({
  number,
  columns,
  get: (name) => texts[columns.indexOf(name)] ?? "",
});

const namesOf = ({ names }: DeskField) => names.split(", ").map(foldedColumn);

/** Counts the usual names among texts: an option of `readSpreadsheet`. */
export function usualNames(fields: Readonly<Record<string, DeskField>>) {
  const names = new Set(Object.values(fields).flatMap(namesOf));
  return (texts: readonly string[]) => texts.filter((text) => names.has(foldedColumn(text))).length;
}

/** The given answers. Errors: `validation_error`. */
function answersIn(
  { columns = [], only = [] }: DeskRequest<string>["given"],
  keys: readonly string[],
  all: readonly string[],
) {
  const refuse = (field: string, example: string, text: string): never => {
    throw validationError([{ field, message: `must be such as ${example}: ${text}` }]);
  };
  const [first = "Column"] = all;
  const byKey: Answers["columns"] = {};
  let order: DayOrder | undefined;
  for (const text of columns) {
    const [key = "", name = ""] = splitPair(text) ?? [];
    const column = all.find((each) => fold(each) === fold(name));
    const given = DAY_ORDERS.find((each) => key === DATES && each === name);
    if (given) order = given;
    else if (keys.includes(key) && (column !== undefined || name === NONE))
      byKey[key] = column ?? null;
    else refuse("columns", keys.map((each) => `${each} = ${first}`).join(" or "), text);
  }
  const byColumn = new Map<string, Set<string>>();
  for (const text of only) {
    const named = all.filter((each) => fold(text).startsWith(`${fold(each)} is `));
    const column = named.reduce((a, b) => (b.length > a.length ? b : a), "");
    if (column === "") refuse("only", `${first} is Active`, text);
    const value = fold(text.slice(column.length + " is ".length));
    const values = (byColumn.get(column) ?? new Set()).add(value);
    for (const alone of [NONE, ANY])
      if (values.has(alone) && values.size > 1) refuse("only", `${column} is ${alone} alone`, text);
    byColumn.set(column, values);
  }
  return { columns: byKey, only: byColumn, order };
}

const cellOf = (row: CsvRow, column: string) => plainCell(row.get(column)).replaceAll(/\s+/g, " ");

/** Whether at least half of the texts are such values. */
export const mostly = (texts: readonly string[], is: (text: string) => boolean): boolean => {
  const filled = texts.filter((text) => text !== "");
  return filled.length > 0 && filled.filter(is).length * 2 >= filled.length;
};

/** Whether a text may be a day, in any notation. */
export const isDay = (text: string): boolean =>
  dateReader([text], { order: "day first", isLast: true })(text) !== undefined;

/** An amount with decimals or a currency, or zero. */
const AMOUNT =
  /^(?:\p{Sc} ?-?\d{1,6}(?:[.,]\d\d)?|(?:[A-Z]{3} )?-?(?:0|\d{1,6}[.,]\d\d)(?: ?\p{Sc}| [A-Z]{3})?)$/u;
export const isAmount = (text: string): boolean => AMOUNT.test(text);

/** Whether a text with digits cannot be a secret. */
const isPlain = (text: string) =>
  /^\d{1,2}$/.test(text) || isAmount(text) || (/\D/.test(text) && isDay(text));

const masked = (text: string) => text.replaceAll(/\p{L}/gu, "x").replaceAll(/\d/g, "9");

/** FNV-1a of the folded text, which is enough to recognise it and does not contain it. */
const hashOf = (text: string): number =>
  Array.from(fold(text)).reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );

/** Two years after they were last used. */
const TTL_SECONDS = (2 * 366 * DAY_MS) / SECOND_MS;

/**
 * The answers for an earlier file with these columns, and a function that keeps those of this one. Each upload, and each
 * vendor, has its own answers for a header. Without KV, the operator is asked again.
 */
export async function answersFor(
  { KV, ENVIRONMENT }: Pick<OperatorBindings, "KV" | "ENVIRONMENT">,
  scope: string,
  { columns, hasHeader }: Pick<CsvTable, "columns" | "hasHeader">,
) {
  const name = await sha256Hex(JSON.stringify([scope, columns.map(fold).sort()]));
  const key = kvKey({ KV, ENVIRONMENT }, `desk:${name}`);
  const before = hasHeader ? await KV.get<Answers>(key, "json").catch(() => null) : null;
  const keep = async (answers: Answers | null) => {
    if (answers === null) return;
    const options = { expirationTtl: TTL_SECONDS };
    await KV.put(key, JSON.stringify(answers), options).catch(() => undefined);
  };
  return { before, keep };
}
