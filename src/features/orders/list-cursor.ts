// The cursors of lists: base64url of JSON, with the position of the last row and the filters of the list. Clients must not
// depend on the content.
import { validationError } from "../../core/api-error.ts";
import { fromBase64, toBase64 } from "../../core/values/base64.ts";

/** The values by which a list is sorted, which select a row. */
type Position = Readonly<Record<string, number | string>>;

/** The parameters that may differ between the pages of a list. All others are filters. */
export const PAGE_PARAMETERS = ["cursor", "limit", "expand"];

const filtersOf = (query: object) =>
  Object.entries(query)
    .filter(([name, value]) => value !== undefined && !PAGE_PARAMETERS.includes(name))
    .sort();

export function formatCursor(position: Position, query: object): string {
  const json = JSON.stringify({ ...position, filters: filtersOf(query) });
  return toBase64(new TextEncoder().encode(json))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * The position of the query's cursor, with the names of `first`, which is the position without a cursor. Errors:
 * `validation_error` for a cursor of another list, or of other filters.
 */
export function positionOf<P extends Position>(
  query: { readonly cursor?: string | undefined; readonly [name: string]: unknown },
  first: P,
): P {
  if (query.cursor === undefined) return first;
  const { filters, ...position } = decode(query.cursor);
  const isPosition = Object.entries(first).every(([name, value]) =>
    typeof value === "string"
      ? typeof position[name] === "string"
      : Number.isSafeInteger(position[name]),
  );
  if (!isPosition || JSON.stringify(filters) !== JSON.stringify(filtersOf(query)))
    throw invalidCursor();
  return position as P;
}

export function invalidCursor(): Error {
  const message = "must be the next_cursor of a request with the same parameters";
  return validationError([{ field: "cursor", message }]);
}

/** Empty if the text is not a cursor. */
function decode(cursor: string): Readonly<Record<string, unknown>> {
  try {
    const bytes = fromBase64(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    return { ...(JSON.parse(new TextDecoder().decode(bytes)) as object | null) };
  } catch {
    return {};
  }
}
