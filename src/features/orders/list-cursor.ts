// The cursor of GET /api/orders: the position of an order in one of the two orderings of the list, and the filters of the
// list. The cursor of GET /api/shipments is a position by time.
import { validationError } from "../../core/api-error.ts";
import { MAX_ID } from "../../core/values/ids.ts";

/** A time and the id of an order or a gift. */
export type TimePosition = [timeMs: number, id: number];
/** The reference of an order and its id. */
export type ReferencePosition = [reference: string, id: number];

/** base64url of JSON. Clients must not depend on the content. `filters` identifies the filters of the list. */
export function formatCursor(position: TimePosition | ReferencePosition, filters: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify([...position, filters]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Null if the text is not the cursor of a list that is ordered by time and has these filters. */
export function parseTimeCursor(cursor: string, filters: string): TimePosition | null {
  const [key, id] = decode(cursor, filters);
  return Number.isSafeInteger(key) && isId(id) ? [key as number, id] : null;
}

/** Null if the text is not the cursor of a list that is ordered by reference and has these filters. */
export function parseReferenceCursor(cursor: string, filters: string): ReferencePosition | null {
  const [key, id] = decode(cursor, filters);
  return typeof key === "string" && isId(id) ? [key, id] : null;
}

export function invalidCursor(): Error {
  const message = "must be the next_cursor of a request with the same parameters";
  return validationError([{ field: "cursor", message }]);
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) >= 1 && (id as number) <= MAX_ID;
}

/** The values of the position. Empty if the text is not a cursor of a list with these filters. */
function decode(cursor: string, filters: string): unknown[] {
  if (!/^[\w-]+$/.test(cursor)) return [];
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const values: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(values) && values.length === 3 && values[2] === filters ? values : [];
  } catch {
    return [];
  }
}
