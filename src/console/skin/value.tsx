// Values as pages show them, by their kind.
import type { Child } from "hono/jsx";
import { webUrl } from "../../core/validation/fields.ts";
import type { FieldInfo, Json } from "../../operator/declaration/kinds.ts";
import { isNumeric, textOf } from "../../operator/declaration/show.ts";
import type { Column } from "../ui/table.tsx";
import { EmailAddress, Status, Time, toneOf } from "../ui/values.tsx";
import { viewHref } from "./paths.ts";

type Shown = Pick<FieldInfo, "type">;

/** Null for a value that does not exist. */
export function Value({ field: { type }, value }: { field: Shown; value: Json }): Child {
  if (value === null || value === "") return null;
  const text = textOf(type, value);
  const href = viewHref(type, value);
  if (href !== undefined) return <a href={href}>{text}</a>;
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
      return <code>{text}</code>;
    case "lines":
      return <span class="lines">{text}</span>;
    case "money":
      return <span class="money">{text}</span>;
    default:
      return text;
  }
}

/** Kinds whose values are short, so that they stay on one line. */
const SHORT: readonly string[] = ["order", "gift", "day", "status", "choice", "flag", "id"];

const sortKey = (type: Shown["type"], value: Json): string | number | null => {
  if (value === null) return null;
  if (type === "money") return Number((value as { amount: string }).amount);
  return typeof value === "number" ? value : textOf(type, value);
};

/** A column of a table, for rows of JSON. */
export const columnOf = (name: string, field: FieldInfo): Column<Record<string, Json>> => ({
  label: field.label,
  isNumber: isNumeric(field.type),
  isShort: SHORT.includes(field.type),
  cell: (row) => <Value field={field} value={row[name] ?? null} />,
  sortBy: (row) => sortKey(field.type, row[name] ?? null),
});
