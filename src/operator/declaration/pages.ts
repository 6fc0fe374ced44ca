// The positions of pages in lists.
import { validationError } from "../../core/api-error.ts";

/** Numbers that select the row before the page, such as a time and an id. Errors: `validation_error`. */
export function positionOf(after: string | undefined): readonly [number, number] | undefined {
  if (after === undefined) return undefined;
  const [, first, second] = /^(-?\d{1,16})_(\d{1,16})$/.exec(after) ?? [];
  if (second === undefined) throw invalidPosition();
  return [Number(first), Number(second)];
}

/** The `count` texts that select the row before the page, such as a client and a time. Errors: `validation_error`. */
export function textsOf(after: string | undefined, count: number): string[] | undefined {
  const texts = after?.split("_");
  if (texts && texts.length !== count) throw invalidPosition();
  return texts;
}

const invalidPosition = () =>
  validationError([{ field: "after", message: "must be the `next` of a page" }]);

/** The rows of a page, of which `found` may have one more, and the position of the next page. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  position: (row: Row) => readonly (string | number)[],
): { shown: readonly Row[]; next: string | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: found.length > limit && last ? position(last).join("_") : null };
}
