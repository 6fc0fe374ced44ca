// Filters of lists in query strings. Invalid values are no filters.
import { parseUtc } from "../../../core/values/time.ts";

/** The value, if it is one of the list. Otherwise null. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  given: string | undefined,
): Value | null => values.find((each) => each === given) ?? null;

export const dayMs = (given: string | undefined): number | null => parseUtc(given ?? "") ?? null;

/** The options of a select: all, and the values with their labels. */
export const optionsOf = (
  all: string,
  values: readonly string[],
  labelOf: (value: string) => string = (value) => value,
): Record<string, string> => ({
  "": all,
  ...Object.fromEntries(values.map((value) => [value, labelOf(value)])),
});
