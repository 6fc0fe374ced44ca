// Reads the days of files from all countries.
import {
  DAY_OR_TIMESTAMP,
  HOUR_MS,
  parseDayOrTimestamp,
  parseUtc,
} from "../../core/values/time.ts";
import { months } from "./damage.ts";

/** `31/05/2026`, also with a time after it. With full stops, the day is always first. */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[, T]|$)/;
const YEAR_FIRST = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?|\D|$)/;
/** `31. Mai 2026` or `May 31, 2026`. */
const NAMED =
  /^(?:\p{L}+,? )?(?:(\d{1,2})[. -]*(?:de )?)?(\p{L}{3,})[. -]*(?:(\d{1,2}),? )?(?:de )?(\d{4})/u;

/**
 * Returns a function that reads a date of a file, whose dates `texts` show whether the day or the month is first. A day
 * without a time is noon in UTC, which is the same day in most time zones. Undefined if it is not a date, null if it may
 * be two days.
 */
export function dateReader(texts: Iterable<string>) {
  let [dayFirst, monthFirst] = [false, false];
  for (const text of texts) {
    const [, first, mark, second] = NUMERIC.exec(text) ?? [];
    if (mark === "." || Number(first) > 12) dayFirst = true;
    else if (Number(second) > 12) monthFirst = true;
  }
  return (text: string): number | null | undefined => {
    if (DAY_OR_TIMESTAMP.test(text) && text.length > 10) return parseDayOrTimestamp(text);
    const [, year = "", month = "", day = "", time, seconds = ":00"] = YEAR_FIRST.exec(text) ?? [];
    if (year !== "") return parseUtc(`${year}-${month}-${day}`, (time ?? "12:00") + seconds);
    const [, dayBefore, name = "", dayAfter = "", namedYear = ""] = NAMED.exec(text) ?? [];
    const number = months().get(name.toLowerCase());
    if (number !== undefined) return noon(namedYear, number, dayBefore ?? dayAfter);
    const [, first = "", , second = "", last = ""] = NUMERIC.exec(text) ?? [];
    if (first === "") return undefined;
    if (dayFirst === monthFirst && first !== second) return null;
    return monthFirst ? noon(last, first, second) : noon(last, second, first);
  };
}

function noon(year: string, month: string | number, day: string): number | undefined {
  const parts = [
    year.padStart(4, "20"),
    ...[String(month), day].map((each) => each.padStart(2, "0")),
  ];
  const startMs = parseUtc(parts.join("-"));
  return startMs === undefined ? undefined : startMs + 12 * HOUR_MS;
}
