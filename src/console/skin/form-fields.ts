// The fields of a form, for the inputs of an operation.
import { startOfDay } from "../../core/values/time-zone.ts";
import type { Operation } from "../../operator/declaration/declare.ts";
import type { FieldInfo, Fields, Json } from "../../operator/declaration/kinds.ts";
import { wordsOf } from "../../operator/words.ts";
import { COMMON } from "../texts/common.ts";
import type { Field } from "../ui/form.tsx";
import { SUGGESTED } from "./suggestions.tsx";

/** The texts of a form's fields, by their names. */
export type Texts = Readonly<Record<string, string>>;

/**
 * The fields of inputs, with these texts. `opened` are the present values, which a form must not leave empty unless they can
 * be removed. Without them, the fields are filters.
 */
export const formFields = (inputs: Fields, texts: Texts, opened?: Texts): Field[] =>
  Object.entries(inputs)
    .filter(([, { type }]) => type !== "position")
    .map(([name, input]) => {
      const isKept = (opened?.[name] ?? "") !== "" && !input.isNullable;
      const base = {
        name,
        label: input.label,
        ...(input.hint !== undefined && { hint: input.hint }),
        required: !input.isOptional || isKept,
      };
      return { ...base, ...controlOf(input, texts[name] ?? "", opened === undefined, isKept) };
    });

function controlOf(input: FieldInfo, value: string, isFilter: boolean, isKept: boolean) {
  const { type, options, preset, isOptional } = input;
  if (type === "flag") return { type: "checkbox" as const, value: value === COMMON.yes };
  if (options && !input.isMany) {
    const hasEmpty = isOptional && preset === undefined && !isKept;
    const empty = hasEmpty ? { "": isFilter ? COMMON.all : COMMON.none } : {};
    return {
      type: "select" as const,
      options: { ...empty, ...Object.fromEntries(options.map((each) => [each, wordsOf(each)])) },
      value: value || preset,
    };
  }
  const isLong = (input.isMany && !isFilter) || type === "lines";
  if (isLong) return { type: "textarea" as const, value };
  const isLocal = type === "time";
  const list = SUGGESTED.includes(type) ? type : undefined;
  return { type: HTML_TYPES[type] ?? ("text" as const), value, placeholder: preset, isLocal, list };
}

/** The texts, with days of the viewer's zone as the times at which they begin. */
export const inTimeZone = (fields: Fields, texts: Texts, timeZone: string): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const ms = fields[name]?.type === "time" ? startOfDay(text, timeZone) : undefined;
      return [name, ms === undefined ? text : new Date(ms).toISOString()];
    }),
  );

const HTML_TYPES: Partial<Record<FieldInfo["type"], "date" | "email" | "number" | "file">> = {
  day: "date",
  time: "date",
  email: "email",
  count: "number",
  file: "file",
};

/** The text of a value in a form. */
export function formText(type: FieldInfo["type"], value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map((each: Json) => formText(type, each)).join("\n");
  if (type === "flag") return value === true ? "yes" : "no";
  if (type === "time") return (value as string).slice(0, 10);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * The values of the page's address that are inputs of the operation. Several values are lines. If inputs are personal data,
 * only those that select objects, tabs and positions are read.
 */
export function queryTexts(query: URLSearchParams, operation: Operation): Texts {
  const isPersonal = operation.type !== "change" && operation.isPersonal === true;
  return Object.fromEntries(
    Object.entries(operation.input).flatMap(([name, { isArgument, isTabs, type }]) => {
      if (isPersonal && !isArgument && !isTabs && type !== "position") return [];
      const values = query.getAll(name).filter((value) => value !== "");
      return values.length > 0 ? [[name, values.join("\n")]] : [];
    }),
  );
}
