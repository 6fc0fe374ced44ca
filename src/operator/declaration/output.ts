// Writes what operations return as JSON.
import type { Content, ListShape, PlannedChange, Question, Shape, ValueChange } from "./declare.ts";
import type { Fields, JsonValue } from "./kinds.ts";
import { textOf } from "./show.ts";

export type JsonRow = Record<string, JsonValue>;

/** A content as JSON. */
export interface ShownContent {
  headline?: string;
  text?: string;
  warnings: readonly string[];
  facts: JsonRow;
  lists: Record<string, JsonRow[]>;
  actions: readonly string[];
  hasProblems?: boolean;
  next?: Readonly<Record<string, string>>;
}

type Row = Readonly<Record<string, unknown>>;

/** The values of a row, or of facts. Values that do not exist are null in a row, and left out of facts. */
export const shownRow = (fields: Fields, row: Row): JsonRow =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, jsonOf(field, row[field.from ?? name])]),
  );

const jsonOf = (field: Fields[string], value: unknown): JsonValue =>
  value === null || value === undefined ? null : field.toJson(value);

/** The fields whose texts differ between two rows. */
export function valueChanges(fields: Fields, before: Row, after: Row): ValueChange[] {
  const [old, next] = [shownRow(fields, before), shownRow(fields, after)];
  return Object.entries(fields).flatMap(([name, { label, type }]) => {
    const textIn = (row: JsonRow) => textOf(type, row[name] ?? null) || null;
    const change = { label, before: textIn(old), after: textIn(next) };
    return change.before === change.after ? [] : [change];
  });
}

export function shownContent(shape: Shape | undefined, content: Content | undefined): ShownContent {
  const { facts = {}, lists = {} } = shape ?? {};
  const shown = shownRow(facts, content?.facts ?? {});
  return {
    ...(content?.headline !== undefined && { headline: content.headline }),
    ...(content?.text !== undefined && { text: content.text }),
    warnings: content?.warnings ?? [],
    facts: Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
    lists: Object.fromEntries(
      Object.entries(lists).flatMap(([name, { columns }]: [string, ListShape]) => {
        const rows = content?.lists?.[name];
        return rows ? [[name, rows.map((row) => shownRow(columns, row))]] : [];
      }),
    ),
    actions: content?.actions ?? [],
    ...(content?.hasProblems && { hasProblems: true }),
    ...(content?.next && { next: content.next }),
  };
}

/** A plan as JSON. */
export interface ShownPlan extends ShownContent {
  will: string | null;
  /** Null in `will` then means that they must be answered first. */
  questions?: readonly Question[];
  changes: { label: string; before: string | null; after: string | null }[];
  /** The run must name it. */
  digest: string;
}

export const shownPlan = (
  preview: Shape | undefined,
  plan: PlannedChange,
): Omit<ShownPlan, "digest"> => {
  const { questions = [] } = plan;
  const isOpen = questions.length > 0;
  return {
    will: isOpen ? null : plan.will,
    changes: [...(plan.changes ?? [])],
    ...shownContent(preview, plan.preview),
    ...(isOpen && { questions, hasProblems: true }),
  };
};
