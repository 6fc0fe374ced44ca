// The fields of a form, for the inputs of an operation.
import { startOfDay } from "../../core/values/time-zone.ts";
import type { Operation } from "../../operator/declaration/declare.ts";
import { type FieldInfo, type Fields, KINDS } from "../../operator/declaration/kinds.ts";
import { wordsOf } from "../../operator/words.ts";
import { COMMON } from "../texts/common.ts";
import type { Field } from "../ui/form.tsx";

/** The texts of a form's fields, by their names. */
export type FormTexts = Readonly<Record<string, string>>;

/** Up to as many objects are choices. */
const MAX_CHOICES = 50;

/**
 * The fields of inputs, with these texts. `opened` are the present values, which a form must not leave empty unless they can
 * be removed. Without them, the fields are filters. `objects` are those of each kind that are suggested.
 */
export const formFields = (
  inputs: Fields,
  texts: FormTexts,
  opened?: FormTexts,
  objects: Readonly<Record<string, Record<string, string>>> = {},
): Field[] =>
  Object.entries(inputs)
    .filter(([, { type }]) => !KINDS[type].isHidden)
    .map(([name, input]) => {
      const isKept = (opened?.[name] ?? "") !== "" && !input.isNullable;
      const base = {
        name,
        label: input.label,
        ...(input.hint !== undefined && { hint: input.hint }),
        required: !input.isOptional || isKept,
      };
      // An input with another name may name a new object.
      const names = objects[input.type] ?? {};
      const few = name === input.type ? Object.keys(names) : [];
      const isChoice = few.length > 0 && few.length <= MAX_CHOICES && !input.isMany;
      const choice = isChoice ? { ...input, options: few } : input;
      const isFilter = opened === undefined;
      return { ...base, ...controlOf(choice, texts[name] ?? "", isFilter, isKept, names) };
    });

function controlOf(
  input: FieldInfo,
  value: string,
  isFilter: boolean,
  isKept: boolean,
  names: Readonly<Record<string, string>>,
) {
  const { type, options, preset, isOptional } = input;
  const { control = "text", isSuggested } = KINDS[type];
  if (control === "checkbox") return { type: control, value: value === COMMON.yes };
  if (options && !input.isMany) {
    const isObject = Object.keys(names).length > 0;
    const labelOf = (each: string) => (isSuggested ? each : (names[each] ?? wordsOf(each)));
    const hasEmpty = preset === undefined && !isKept && (isOptional || (isObject && value === ""));
    const empty = hasEmpty ? { "": isFilter ? COMMON.all : COMMON.none } : {};
    return {
      type: "select" as const,
      options: {
        ...empty,
        ...Object.fromEntries(options.map((each) => [each, labelOf(each)])),
      },
      value: value || preset,
    };
  }
  if (input.isMany && !isFilter) return { type: "textarea" as const, value };
  return {
    type: control,
    value,
    placeholder: preset,
    list: Object.keys(names).length > 0 ? type : undefined,
  };
}

/** Consecutive items, in groups that begin with the items that have a heading. */
export function groupsOf<Item>(
  items: readonly Item[],
  headings: Readonly<Record<string, string>>,
  nameOf: (item: Item) => string,
) {
  const groups: { heading: string | undefined; items: Item[] }[] = [];
  for (const item of items) {
    const heading = headings[nameOf(item)];
    const last = groups.at(-1);
    if (last && heading === undefined) last.items.push(item);
    else groups.push({ heading, items: [item] });
  }
  return groups;
}

/** The texts, with days of the viewer's zone as the times at which they begin. */
export const inTimeZone = (fields: Fields, texts: FormTexts, timeZone: string): FormTexts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const isLocal = KINDS[fields[name]?.type ?? "text"].control === "localDate";
      const ms = isLocal ? startOfDay(text, timeZone) : undefined;
      return [name, ms === undefined ? text : new Date(ms).toISOString()];
    }),
  );

/**
 * The values of the page's address that are inputs of the operation. Several values are lines. If inputs are personal data,
 * only those that select objects, tabs and positions are read. A selection of no objects stays an empty text, because a
 * change without it may concern all objects.
 */
export function queryTexts(query: URLSearchParams, operation: Operation): FormTexts {
  const isPersonal = operation.type !== "change" && operation.isPersonal === true;
  return Object.fromEntries(
    Object.entries(operation.input).flatMap(([name, { isArgument, isMany, isTabs, type }]) => {
      if (isPersonal && !isArgument && !isTabs && !KINDS[type].isHidden) return [];
      const values = query.getAll(name).filter((value) => value !== "");
      const isSelection = operation.type === "change" && isArgument && isMany && query.has(name);
      return values.length > 0 || isSelection ? [[name, values.join("\n")]] : [];
    }),
  );
}
