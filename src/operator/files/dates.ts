// Reads the days of files from all countries.
import { DAY_MS, parseUtc } from "../../core/values/time.ts";
import { months } from "./damage.ts";

/** The notations that leave no doubt, also with a time after them. Without a day, it is a month. */
const NOTATIONS = [
  // `2026-05-31` or `20260531`
  /^(?<year>\d{4})[-/.]?(?<month>\d\d)[-/.]?(?<day>\d\d)(?!\d)/,
  // `31. Mai 2026` or `May 31, 2026`
  /^(?:\p{L}+,? )?(?:(?<first>\d{1,2})[. -]*(?:de )?)?(?<name>\p{L}{3,})[. -]*(?:(?<day>\d{1,2}),? )?(?:de )?(?<year>\d{4})/u,
  // `31-Dec-28`
  /^(?<first>\d{1,2})[. -]+(?<name>\p{L}{3,})[. -]+(?<year>\d\d)(?!\d)/u,
  // `12/2028` or `2028-12`
  /^(?<month>\d{1,2})[./-](?<year>\d{4})$/,
  /^(?<year>\d{4})[./-](?<month>\d\d)$/,
];
/** `31/05/2026`, also with a time after it. With full stops, the day is always first. */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[, T]|$)/;
/** The number of a day in a spreadsheet, also with a time. Those of this century. */
const DAY_NUMBER = /^[3-7]\d{4}(?:[.,]\d+)?$/;
const DAY_NUMBER_OF_1970 = 25_569;

export const DAY_ORDERS = ["day first", "month first"] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** What the dates of a file show of the order of day and month. Empty if none, two if they contradict each other. */
const ordersIn = (texts: readonly string[]) =>
  DAY_ORDERS.filter((order) =>
    texts.some((text) => {
      const [, first, mark, second] = NUMERIC.exec(text) ?? [];
      if (order === "day first") return mark === "." || Number(first) > 12;
      return mark !== "." && Number(second) > 12;
    }),
  );

/** The first of the dates that may be two days. */
export const unclearDate = (texts: readonly string[]): string | undefined =>
  ordersIn(texts).length === 1
    ? undefined
    : texts.find((text) => {
        const [, first, , second] = NUMERIC.exec(text) ?? [];
        return first !== second && Number(first) <= 12 && Number(second) <= 12;
      });

/**
 * Returns a function that reads a date of a file, whose dates `texts` show whether the day or the month is first, unless the
 * operator has answered it. A day is its noon in UTC, which is the same day in most time zones. With `isLast`, a month is its
 * last day. Undefined if it is not a date, or may be two days.
 */
export function dateReader(
  texts: readonly string[],
  { order: given, isLast = false }: { order?: DayOrder | undefined; isLast?: boolean } = {},
) {
  const [shown = given, ...others] = ordersIn(texts);
  const order = others.length > 0 ? given : shown;
  const hasNumbers = texts.every((text) => text === "" || DAY_NUMBER.test(text));
  return (text: string): number | undefined => {
    if (hasNumbers && DAY_NUMBER.test(text))
      return (Math.floor(parseFloat(text)) - DAY_NUMBER_OF_1970) * DAY_MS + DAY_MS / 2;
    for (const notation of NOTATIONS) {
      const {
        year = "",
        name = "",
        first,
        day = first,
        ...found
      } = notation.exec(text)?.groups ?? {};
      const month = found["month"] ?? months().get(name.toLowerCase())?.toString();
      if (month === undefined) continue;
      if (day !== undefined) return noon(year, month, day);
      const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
      return isLast ? noon(year, month, String(last)) : undefined;
    }
    const [, first = "", , second = "", last = ""] = NUMERIC.exec(text) ?? [];
    if (order === undefined && first !== second) return undefined;
    return order === "month first" ? noon(last, first, second) : noon(last, second, first);
  };
}

/** Whether a text may be a day, in any notation. */
export const isDay = (text: string): boolean =>
  dateReader([text], { order: "day first", isLast: true })(text) !== undefined;

const noon = (year: string, month: string, day: string) =>
  parseUtc(
    `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
    "12:00:00",
  );
