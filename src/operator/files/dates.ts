// Reads the days of files from all countries.
import { parseUtc } from "../../core/values/time.ts";
import { months } from "./damage.ts";

/** `2026-05-31` or `20260531`, also with a time after it. */
const YEAR_FIRST = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?!\d)/;
/** `31/05/2026`, also with a time after it. With full stops, the day is always first. */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[, T]|$)/;
/** `31. Mai 2026` or `May 31, 2026`. */
const NAMED =
  /^(?:\p{L}+,? )?(?:(\d{1,2})[. -]*(?:de )?)?(\p{L}{3,})[. -]*(?:(\d{1,2}),? )?(?:de )?(\d{4})/u;

/**
 * Returns a function that reads a date of a file, whose dates `texts` show whether the day or the month is first. A day
 * is its noon in UTC, which is the same day in most time zones. Undefined if it is not a date, or may be two days.
 */
export function dateReader(texts: readonly string[]) {
  const numeric = texts.flatMap((text) => [NUMERIC.exec(text) ?? []]);
  const dayFirst = numeric.some(([, first, mark]) => mark === "." || Number(first) > 12);
  const monthFirst = numeric.some(([, , mark, second]) => mark !== "." && Number(second) > 12);
  return (text: string): number | undefined => {
    const [, year, month = "", day = ""] = YEAR_FIRST.exec(text) ?? [];
    if (year !== undefined) return noon(year, month, day);
    const [, dayBefore, name = "", dayAfter = "", namedYear = ""] = NAMED.exec(text) ?? [];
    const named = months().get(name.toLowerCase());
    if (named !== undefined) return noon(namedYear, String(named), dayBefore ?? dayAfter);
    const [, first = "", , second = "", last = ""] = NUMERIC.exec(text) ?? [];
    if (dayFirst === monthFirst && first !== second) return undefined;
    return monthFirst ? noon(last, first, second) : noon(last, second, first);
  };
}

const noon = (year: string, month: string, day: string) =>
  parseUtc(
    `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
    "12:00:00",
  );
