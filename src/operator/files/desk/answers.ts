// What operators answer about a table, and what is remembered for the next one with its columns.
import { validationError } from "../../../core/api-error.ts";
import { sha256Hex, shortDigest } from "../../../core/values/digest.ts";
import { fold } from "../../../core/values/fold.ts";
import { DAY_MS, SECOND_MS } from "../../../core/values/time.ts";
import { kvKey } from "../../../platform/cache/tiered.ts";
import type { OperatorBindings } from "../../declaration/declare.ts";
import * as kinds from "../../declaration/kinds.ts";
import type { CsvTable } from "../csv.ts";
import { DAY_ORDERS, type DayOrder } from "../dates.ts";

export const COUNTING = "Rows that count";

const answers = (label: string, example: string) => {
  const hint = `Answers about the file, one a line, such as ${example}.`;
  return kinds.optional(kinds.many(kinds.answer(label, { hint })));
};

/** The inputs of an upload that answer the questions of its plan. */
export const DESK_INPUTS = {
  columns: answers("Columns", "code = Claim Code"),
  only: answers(COUNTING, "Status is Active"),
};

export interface DeskInput extends Partial<kinds.InputOf<typeof DESK_INPUTS>> {
  /** The format that gives the answers instead of the operator. */
  format?: string;
}

/** Answers that are not names of columns or texts of the file. */
export const [NONE, ANY, DATES] = ["(none)", "(any)", "dates"];

/** Why a column has a field. */
export const NOW = "your answer";

/** The answers in an input. */
export interface Given {
  /** The columns of fields, or `NONE`. */
  columns: Readonly<Record<string, string>>;
  order: DayOrder | undefined;
  /** The folded texts that count, by column. */
  only: ReadonlyMap<string, ReadonlySet<string>>;
  why: string;
}

/** Answers without texts of the rows. */
export interface Answers extends Pick<Given, "columns"> {
  order?: DayOrder | undefined;
  /** Whether rows with a text count: by the folded column and `digestOf` the text. */
  only: Readonly<Record<string, Readonly<Record<string, boolean | undefined>>>>;
}

export interface Remembered extends Answers {
  why: string;
  /** The columns of the other file, by `digestOf`, if they are not the same. */
  names?: readonly string[];
}

/** Enough to recognise a text, and does not contain it. */
export const digestOf = (text: string): string => shortDigest(fold(text)).toString(36);

/** Errors: `validation_error`. */
export function givenAnswers(
  { columns = [], only = [], format = NOW }: DeskInput,
  keys: readonly string[],
  names: readonly string[],
): Given {
  const refuse = (field: string, text: string, rule = "contradicts another answer"): never => {
    throw validationError([{ field, message: `${rule}: ${text}` }]);
  };
  const [first = "Column"] = names;
  const byKey: Record<string, string> = {};
  let order: DayOrder | undefined;
  for (const text of columns) {
    const [, key = "", name] = /^([^=]+)=(.+)$/.exec(text)?.map((part) => part.trim()) ?? [];
    const column = [...names, NONE].find((each) => fold(each) === fold(name ?? ""));
    const given = DAY_ORDERS.find((each) => key === DATES && each === name);
    const isTaken = column !== NONE && Object.values(byKey).includes(column ?? "");
    if (key in byKey || isTaken || (given && order)) refuse("columns", text);
    if (given) order = given;
    else if (keys.includes(key) && column !== undefined) byKey[key] = column;
    else
      refuse("columns", text, `must be ${keys.map((each) => `${each} = ${first}`).join(" or ")}`);
  }
  const byColumn = new Map<string, Set<string>>();
  for (const text of only) {
    const named = names.filter((each) => fold(text).startsWith(`${fold(each)} is `));
    const column = named.reduce((a, b) => (b.length > a.length ? b : a), "");
    if (column === "") refuse("only", text, `must be such as ${first} is Active`);
    const value = fold(fold(text).slice(`${fold(column)} is `.length));
    const values = (byColumn.get(column) ?? new Set()).add(value);
    if (values.size > 1 && (values.has(NONE) || values.has(ANY))) refuse("only", text);
    byColumn.set(column, values);
  }
  return { columns: byKey, order, only: byColumn, why: format };
}

/** Two years after they were last used. */
const TTL_SECONDS = (2 * 366 * DAY_MS) / SECOND_MS;

/** The share of equal columns of a header whose answers are filled in for another one. */
const MIN_SHARE = 0.75;

/** As many as fit into the metadata of a key. */
const MAX_NAMES = 80;

/**
 * The answers for an earlier file with these columns, or with most of them, and a function that keeps those of this one.
 * Each upload, and each vendor, has its own. Without KV, the operator is asked again.
 */
export async function answersFor(
  env: Pick<OperatorBindings, "KV" | "ENVIRONMENT">,
  scope: string,
  { columns, hasHeader }: Pick<CsvTable, "columns" | "hasHeader">,
) {
  const { KV } = env;
  const header = columns.map(fold).sort();
  const prefix = kvKey(env, `desk:${(await sha256Hex(scope)).slice(0, 16)}:`);
  const key = `${prefix}${await sha256Hex(JSON.stringify(header))}`;
  const names = header.map(digestOf).slice(0, MAX_NAMES);

  const remembered = async (): Promise<Remembered | null> => {
    const same = await KV.get<Answers>(key, "json");
    if (same) return { ...same, why: "your answer for an earlier file" };
    const { keys } = await KV.list<string[]>({ prefix });
    const near = keys
      .map(({ name, metadata = [] }) => {
        const equal = metadata.filter((each) => names.includes(each));
        const share = equal.length / Math.max(names.length, metadata.length);
        return { name, share, names: metadata };
      })
      .filter(({ share }) => share >= MIN_SHARE)
      .sort((a, b) => b.share - a.share)[0];
    const answers = near && (await KV.get<Answers>(near.name, "json"));
    if (!answers) return null;
    // A field that the other file does not have may be in a column that this one has.
    const named = Object.entries(answers.columns).filter(([, name]) => name !== NONE);
    const why = "your answer for a file with similar columns";
    return { ...answers, columns: Object.fromEntries(named), why, names: near.names };
  };
  const before = hasHeader ? await remembered().catch(() => null) : null;
  const keep = async (answers: Answers | null) => {
    if (answers === null) return;
    const options = { expirationTtl: TTL_SECONDS, metadata: names };
    await KV.put(key, JSON.stringify(answers), options).catch(() => undefined);
  };
  return { before, keep };
}
