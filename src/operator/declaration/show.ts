// The text of values, as terminals, CSV files and sentences contain them.
import { type FieldInfo, type JsonValue, KINDS, type KindType, valueText } from "./kinds.ts";

/** The text of a value in JSON. Empty for null. In forms, several values are lines. */
export function textOf(
  type: KindType,
  json: JsonValue,
  as: "text" | "csv" | "form" = "text",
): string {
  if (json === null) return "";
  const kind = KINDS[type];
  if (Array.isArray(json) && !kind.isWhole) {
    return json.map((each: JsonValue) => textOf(type, each, as)).join(as === "form" ? "\n" : ", ");
  }
  return kind[as]?.(json) ?? (as === "csv" ? textOf(type, json) : valueText(json));
}

/** Whether a command takes the input as an argument. A single object that may be left out is an option. */
export const isPositional = ({ isArgument, isOptional, isMany }: FieldInfo): boolean =>
  isArgument === true && (isOptional !== true || isMany === true);

type Columns = Readonly<Record<string, Pick<FieldInfo, "type">>>;

/** The names of a CSV file's columns. An amount and its currency have a column each. */
export const csvHeader = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([name, { type }]) =>
    Object.values(KINDS[type].parts ?? { name: "" }).map((end) => name + end),
  );

/** The cells of a row. */
export const csvCells = (columns: Columns, row: Readonly<Record<string, JsonValue>>): string[] =>
  Object.entries(columns).flatMap(([name, { type }]) => {
    const value = row[name] ?? null;
    const { parts } = KINDS[type];
    if (!parts) return [textOf(type, value, "csv")];
    return Object.keys(parts).map((part) => (value as Record<string, string> | null)?.[part] ?? "");
  });
