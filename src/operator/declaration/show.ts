// The text of values, as terminals, CSV files and sentences contain them.
import { grouped } from "../../core/values/money.ts";
import { wordsOf } from "../words.ts";
import type { FieldInfo, Json, KindType } from "./kinds.ts";

/** The text of a value in JSON. Empty for null. */
export function textOf(type: KindType, value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value) && type !== "json")
    return value.map((each: Json) => textOf(type, each)).join(", ");
  switch (type) {
    case "money": {
      const { amount, currency } = value as { amount: string; currency: string };
      return `${grouped(amount)} ${currency}`;
    }
    case "time":
      return (value as string).slice(0, 16).replace("T", " ");
    case "flag":
      return value === true ? "yes" : "no";
    case "status":
    case "choice":
      return wordsOf(value as string);
    case "percent":
      return `${value as string} %`;
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}

/** Whether a command takes the input as an argument. A single object that may be left out is an option. */
export const isPositional = ({ isArgument, isOptional, isMany }: FieldInfo): boolean =>
  isArgument === true && (isOptional !== true || isMany === true);

/** Whether values are aligned to the right. */
export const isNumeric = (type: KindType) =>
  type === "count" || type === "money" || type === "amount" || type === "percent";

type Columns = Readonly<Record<string, Pick<FieldInfo, "type">>>;

/** The names of a CSV file's columns. An amount and its currency have a column each. */
export const csvHeader = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([name, { type }]) =>
    type === "money" ? [name, `${name}_currency`] : [name],
  );

/** The cells of a row. */
export const csvCells = (columns: Columns, row: Readonly<Record<string, Json>>): string[] =>
  Object.entries(columns).flatMap(([name, { type }]) => {
    const value = row[name] ?? null;
    if (type === "money") {
      const { amount, currency } = (value ?? { amount: "", currency: "" }) as Record<
        string,
        string
      >;
      return [amount ?? "", currency ?? ""];
    }
    // Programs read identifiers, and times with their zone.
    if (type === "status" || type === "choice") return [textOf("text", value)];
    if (type === "time" && typeof value === "string")
      return [`${value.slice(0, 19).replace("T", " ")}Z`];
    return [textOf(type, value)];
  });
