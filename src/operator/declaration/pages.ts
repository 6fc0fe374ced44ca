// The pages of lists.
import { validationError } from "../../core/api-error.ts";

/** The position before the first row: values by which the rows are sorted, and which select each row. */
export type FirstPosition = Readonly<Record<string, string | number>>;

export type PositionOf<First extends FirstPosition> = {
  readonly [Name in keyof First]: First[Name] extends number ? number : string;
};

/** The last row of the page before, or the position before the first row. Errors: `validation_error`. */
export function positionIn<First extends FirstPosition>(
  first: First,
  after: string | undefined,
): PositionOf<First> {
  if (after === undefined) return first as PositionOf<First>;
  const parts = Object.entries(first);
  // A text may contain the separator.
  const patterns = parts.map(([, value]) => (typeof value === "number" ? "(-?\\d{1,16})" : "(.*)"));
  const texts = new RegExp(`^${patterns.join("_")}$`, "s").exec(after)?.slice(1);
  if (!texts) throw invalidPosition();
  const values = parts.map(([name, value], index) => {
    const text = texts[index] ?? "";
    return [name, typeof value === "number" ? Number(text) : text] as const;
  });
  return Object.fromEntries(values) as PositionOf<First>;
}

export const invalidPosition = () =>
  validationError([{ field: "after", message: "must be the `next` of a page" }]);

/** The rows of a page, of which `found` may have one more, and the position of the next page. */
export function pageOf<First extends FirstPosition, Row extends PositionOf<First>>(
  first: First,
  found: readonly Row[],
  limit: number,
): { shown: readonly Row[]; next: string | null } {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const names = Object.keys(first);
  return { shown, next: last ? names.map((name) => last[name]).join("_") : null };
}
