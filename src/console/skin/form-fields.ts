// The fields of a form, for the inputs of an operation.
import type { Operation } from "../../operator/declaration/declare.ts";
import type { FieldInfo, Fields, Json } from "../../operator/declaration/kinds.ts";
import { COMMON } from "../texts/common.ts";
import type { Field } from "../ui/form.tsx";

/** The texts of a form's fields, by their names. */
export type Texts = Readonly<Record<string, string>>;

/** The fields of inputs, with these texts. `isFilter`: an empty field is no filter. */
export const formFields = (inputs: Fields, texts: Texts, isFilter = false): Field[] =>
  Object.entries(inputs)
    .filter(([, { type }]) => type !== "position")
    .map(([name, input]) => fieldOf(name, input, texts[name] ?? "", isFilter));

function fieldOf(name: string, input: FieldInfo, value: string, isFilter: boolean): Field {
  const hint = [input.hint, input.preset && `${COMMON.preset} ${input.preset}.`]
    .filter(Boolean)
    .join(" ");
  const base = {
    name,
    label: input.label,
    ...(hint !== "" && { hint }),
    required: !input.isOptional,
  };
  const { type, options = [COMMON.yes, COMMON.no] } = input;
  if ((type === "choice" || type === "flag") && !input.isMany) {
    const empty = isFilter ? COMMON.all : COMMON.none;
    const none = input.isOptional && input.preset === undefined ? { "": empty } : {};
    return {
      ...base,
      type: "select",
      options: { ...none, ...Object.fromEntries(options.map((each) => [each, each])) },
      value: value || (input.preset ?? ""),
    };
  }
  if (input.isMany || type === "lines") return { ...base, type: "textarea", value };
  return { ...base, type: HTML_TYPES[type] ?? "text", value };
}

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
 * only those that select objects are read.
 */
export function queryTexts(query: URLSearchParams, operation: Operation): Texts {
  const isPersonal = operation.type !== "change" && operation.isPersonal === true;
  return Object.fromEntries(
    Object.entries(operation.input).flatMap(([name, { isArgument }]) => {
      if (isPersonal && !isArgument) return [];
      const values = query.getAll(name).filter((value) => value !== "");
      return values.length > 0 ? [[name, values.join("\n")]] : [];
    }),
  );
}
