// The pages of lists.
import { validationError } from "../../core/api-error.ts";

/** The values by which the rows of a list are sorted, which select each row. `String` and `Number` are their types. */
export type SortOrder = Readonly<Record<string, (text: string) => string | number>>;

export type PositionOf<O extends SortOrder> = { [Name in keyof O]: ReturnType<O[Name]> };

/** The last row of the page before. Errors: `validation_error`. */
export function positionIn<O extends SortOrder>(
  order: O,
  after: string | undefined,
): PositionOf<O> | undefined {
  if (after === undefined) return undefined;
  const parts = Object.entries(order);
  const texts = parts.length === 1 ? [after] : after.split("_");
  const values = parts.map(([name, read], index) => [name, read(texts[index] ?? "")]);
  const isWrong = values.some(([, value]) => typeof value === "number" && !Number.isFinite(value));
  if (texts.length !== parts.length || isWrong) throw invalidPosition();
  return Object.fromEntries(values) as PositionOf<O>;
}

export const invalidPosition = () =>
  validationError([{ field: "after", message: "must be the `next` of a page" }]);

/** The rows of a page, of which `found` may have one more, and the position of the next page. */
export function pageOf<O extends SortOrder, Row extends PositionOf<O>>(
  order: O,
  found: readonly Row[],
  limit: number,
): { shown: readonly Row[]; next: string | null } {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    shown,
    next: last
      ? Object.keys(order)
          .map((name) => last[name])
          .join("_")
      : null,
  };
}
