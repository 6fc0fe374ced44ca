// Values as pages show them, by their kind.
import type { Child } from "hono/jsx";
import { webUrl } from "../../core/validation/fields.ts";
import type { FieldInfo, Json } from "../../operator/declaration/kinds.ts";
import { isNumeric, textOf } from "../../operator/declaration/show.ts";
import type { Column } from "../ui/table.tsx";
import { EmailAddress, Status, Time, toneOf, Unbroken } from "../ui/values.tsx";
import { viewHref } from "./paths.ts";

type Shown = Pick<FieldInfo, "type">;
type Fields = Readonly<Record<string, FieldInfo>>;
type Row = Readonly<Record<string, Json>>;

/** Null for a value that does not exist. */
export function Value({ field, value }: { field: Shown; value: Json }): Child {
  const { type } = field;
  if (value === null || value === "") return null;
  if (type === "url" && Array.isArray(value)) {
    return value.map((each: Json) => [<Value field={field} value={each} />, " "]);
  }
  const text = textOf(type, value);
  const href = viewHref(type, value);
  if (href !== undefined) {
    return (
      <a class="short" href={href}>
        {text}
      </a>
    );
  }
  switch (type) {
    case "time":
      return <Time ms={Date.parse(value as string)} />;
    case "status":
      return <Status text={text} tone={toneOf(text)} />;
    case "email":
      return <EmailAddress text={text} />;
    case "url":
      return webUrl(text) ? (
        <a href={text} rel="noreferrer">
          {text}
        </a>
      ) : (
        text
      );
    case "secret":
      return <code data-copy>{text}</code>;
    case "json":
      // The line breaks are spaces, at which a long text breaks.
      return <code>{JSON.stringify(value, null, 1)}</code>;
    case "lines":
      return <span class="lines">{text}</span>;
    case "choice":
      return <span class="short">{text}</span>;
    case "money":
      return <span class="money">{text}</span>;
    default:
      return <Unbroken text={text} />;
  }
}

const has = (row: Row, name: string) => (row[name] ?? null) !== null;

/** The fields that have a place of their own and any value in these rows. */
export function placesOf(fields: Fields, rows: readonly Row[]): string[] {
  const isShown = (name: string) => rows.some((row) => has(row, name));
  return Object.keys(fields).filter((name) => {
    const beside = fields[name]?.beside;
    return isShown(name) && !(beside !== undefined && isShown(beside));
  });
}

interface PlaceProps {
  fields: Fields;
  name: string;
  row: Row;
}

/** The value of a field, with those that stand beside it. Null if there are none. */
export function Place({ fields, name, row }: PlaceProps): Child {
  const others = Object.entries(fields).filter(
    ([key, { beside }]) => beside === name && has(row, key),
  );
  const textIn = (key: string) => textOf("url", row[key] ?? null);
  const url = others.find(
    ([key, { type }]) => type === "url" && !Array.isArray(row[key]) && webUrl(textIn(key)),
  );
  const value = fields[name] && <Value field={fields[name]} value={row[name] ?? null} />;
  if (others.length === 0) return has(row, name) ? value : null;
  return (
    <>
      {url && has(row, name) ? (
        <a href={textIn(url[0])} rel="noreferrer">
          {value}
        </a>
      ) : (
        value
      )}
      {others
        .filter((each) => each !== url || !has(row, name))
        .map(([key]) => (
          <span class="beside">
            <Place fields={fields} name={key} row={row} />
          </span>
        ))}
    </>
  );
}

/** Kinds whose values are short, so that they stay on one line. */
const SHORT: readonly string[] = ["order", "gift", "time", "day", "status", "choice", "flag", "id"];

/** Kinds of which a row often has several values. */
const LABELLED: readonly string[] = ["time", "day", "count", "flag", "percent"];

const sortKey = (type: Shown["type"], value: Json): string | number | null => {
  if (value === null) return null;
  if (type === "money") return Number((value as { amount: string }).amount);
  return typeof value === "number" ? value : textOf(type, value);
};

/** A column of a table, for rows of JSON. */
export const columnOf = <F extends Fields>(fields: F, name: keyof F & string): Column<Row> => {
  const { label = name, type = "text" } = fields[name] ?? {};
  return {
    label,
    isNumber: isNumeric(type),
    isShort: SHORT.includes(type),
    isLabelled: LABELLED.includes(type),
    cell: (row) => <Place fields={fields} name={name} row={row} />,
    sortBy: (row) => sortKey(type, row[name] ?? null),
  };
};
