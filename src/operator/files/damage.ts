// Finds cells that a spreadsheet has changed, in all files.
import { lazy } from "../../core/lazy.ts";

/** A number in scientific notation, such as 9.40011E21. */
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+\d+$|^\d+[.,]\d+E\d+$/i;
/** Spreadsheets keep 15 digits of a number. */
const ROUNDED = /^\d{15}0{2,}$/;
/** A long number with separators of thousands, such as 9,400,111,899,561. */
const GROUPED = /^\d{1,3}(?:[,.\s'’]\d{3}){3,}(?:[.,]\d+)?$/;
const WITH_DECIMALS = /^\d{6,}[.,]0+$/;
/** An error or an overflow, such as #REF!, #N/A or ####. */
const ERROR = /^#(?:#*|[^\p{Ll}\s][^\p{Ll}\s/!?]*[/!?].*|N[AV])$/u;

/** A day in a month, such as 02-Jan, or a month with a year. */
const DATE = /^(?:\d{1,2}[-/.] ?(\p{L}{3,})\.?|(\p{L}{3,})\.?-\d{2,4})(?:[-/ ]\d{2,4})?$/u;

/** What a date with digits only is changed into. */
const DIGITS_OF_DATE = /^(?:\d{4}-\d\d-\d\d[ T]00:00(?::00)?|\d{1,2}[/.]\d{1,2}[/.]\d{4})$/;

/** Months that are also other words, as in `6-set`. */
const OTHER_WORDS = ["set", "out", "mag"];

/** The names of months, as the spreadsheets of these languages write them, with their numbers. */
export const months = lazy(
  () =>
    new Map([
      // Excel's German abbreviation of March.
      ["mrz", 3],
      ...["en", "de", "fr", "es", "pt", "it", "nl"].flatMap((language) =>
        (["short", "long"] as const).flatMap((month) => {
          const formatter = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
          return Array.from({ length: 12 }, (_, n): [string, number] => [
            formatter.format(Date.UTC(2026, n)).toLowerCase().replace(".", ""),
            n + 1,
          ]);
        }),
      ),
    ]),
);

/** How a spreadsheet has changed an identifier or a name, as a predicate. Undefined if it has not. */
export function damageIn(text: string): string | undefined {
  const [, dayMonth, month = dayMonth] = DATE.exec(text) ?? [];
  const isMonth = months().has(month?.toLowerCase() ?? "");
  const isDate = DIGITS_OF_DATE.test(text) || (isMonth && !OTHER_WORDS.includes(month ?? ""));
  const isNumber = [SCIENTIFIC, ROUNDED, GROUPED, WITH_DECIMALS].some((each) => each.test(text));
  if (!isDate && !isNumber && !ERROR.test(text)) return undefined;
  const what = isDate ? "into a date" : isNumber ? "into a number" : "into an error";
  return `was changed ${what} by a spreadsheet: ${text}. Format the column as text and export it again`;
}
