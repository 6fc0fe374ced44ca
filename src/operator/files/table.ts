// Reads the tables that banks, suppliers, carriers and people with spreadsheets export as text.
import {
  type CsvTable,
  decodeUtf8,
  readTable,
  type TableLayout,
  type TableOptions,
} from "./csv.ts";
import { fold } from "../../core/values/fold.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { withoutApostrophes } from "../../core/csv-output.ts";
import { repairText } from "./repair-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

interface Options extends Pick<TableOptions, "maxRows"> {
  /** How many of these texts are usual names of columns. The line with the most is the header. */
  namesIn?: (fields: readonly string[]) => number;
}

/** Longer texts are cut. The fields that are read are far shorter, but the notes of a carrier may be longer. */
const repair = (text: string) => repairText(text.slice(0, 10_000));

/** Reads all rows. Errors: `UnreadableFile` if it is not a table or has more than `maxRows` rows. */
export const readSpreadsheet = (
  bytes: Uint8Array,
  { maxRows, namesIn = () => 0 }: Options = {},
): CsvTable =>
  readTable(contentOf(bytes), { maxRows, repair, layoutOf: (start) => layoutOf(start, namesIn) });

const DELIMITERS = [",", ";", "\t", "|"];

/** The records in which the header is searched for, and that show how many columns there are. */
const FIRST_RECORDS = 50;

/** The fields of the first records, without empty ones at the end. */
const firstRecords = (start: string, delimiter: string): string[][] =>
  start
    .replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(/["\r\n,;\t|]/g, " "))
    .split(/\r\n|\n|\r/, FIRST_RECORDS)
    .map((line) => {
      const fields = line.split(delimiter).map((field) => plainCell(repair(field)));
      return fields.slice(0, fields.findLastIndex((field) => field !== "") + 1);
    });

/**
 * The delimiter is the one that divides most lines into as many fields. The header is the line with most usual names, or
 * the first one that is as wide as those after it and has no values.
 */
function layoutOf(start: string, namesIn: (fields: readonly string[]) => number): TableLayout {
  const layouts = DELIMITERS.map((delimiter) => {
    const records = firstRecords(start, delimiter);
    const named = records.map(namesIn);
    const most = Math.max(0, ...named);
    const widths = [...Map.groupBy(records, ({ length }) => length)].filter(([each]) => each > 1);
    const [width = 1, equal = []] = widths.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
    const header = most > 0 ? named.indexOf(most) : undefined;
    return { delimiter, records, header, most, width, equal: equal.length };
  });
  const [best] = layouts.sort((a, b) => b.most - a.most || b.equal - a.equal || b.width - a.width);
  const { delimiter, records, header: known, width } = best as (typeof layouts)[number];
  const wide = records.flatMap(({ length }, n) => {
    const later = records.slice(n + 1).filter((each) => each.length > 0);
    const isWide = later.filter((each) => each.length <= length).length * 2 >= later.length;
    return length >= Math.min(width, 2) && isWide && (later.length > 0 || n === 0) ? n : [];
  });
  const withoutValues = wide.find((n) => width > 1 && records[n]?.some(isValue) === false);
  const first = known ?? withoutValues ?? wide[0] ?? 0;
  const [header = [], ...rows] = records.slice(first);
  const isRow = known === undefined && (width > 1 ? header.some(isValue) : !isName(header, rows));
  const columns = Math.max(1, ...records.slice(first).map(({ length }) => length));
  const folded = (fields: readonly string[]) => fields.map(foldedColumn).join("|");
  return {
    delimiter,
    first: first + 1,
    ...(isRow && { names: Array.from({ length: columns }, () => "") }),
    isOther: (fields) => {
      const filled = fields.map(plainCell).filter((field) => field !== "");
      const [text = ""] = filled;
      return (
        TOTAL.test(text) ||
        /^#+\s/.test(text) ||
        (text.startsWith("#") && filled.length === 1 && header.length > 1) ||
        (!isRow && folded(filled) === folded(header.filter((field) => field !== "")))
      );
    },
  };
}

const TOTAL = /^(?:(?:grand |sub-?)?totals?|sum|summe|gesamt)\s*:?$/i;

/** Whether a text is a number, a date, an address or a code, as names of columns are not. */
const isValue = (text: string) =>
  (/\d/.test(text) && !/\p{L}/u.test(text)) ||
  /^https?:/i.test(text) ||
  (/^[^\p{Ll}\s]{4,}$|^[^\s_]{8,}$/u.test(text) && /\d.*\d/.test(text));

/** Whether the only text of the first line differs from all others as a name does from values. */
const isName = ([name = ""]: readonly string[], rows: readonly string[][]) =>
  [/\d/, /^[^\p{Ll}\s]+$/u].some(
    (pattern) => !pattern.test(name) && rows.every(([text = ""]) => !text || pattern.test(text)),
  );

/** Formats that are no tables by the beginnings of their files, with what to export instead. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^PK\p{Cc}\p{Cc}|^\xd0\xcf\p{Cc}/u, "an Excel workbook or a zip file. Save its sheet as CSV"],
  [/^%PDF/, "a PDF file. Export a CSV file"],
  [/^\s*(?:\{1:|:20:)/, "MT940. Export camt.053 or CSV"],
  [/^\s*(?:OFXHEADER|<\?OFX|<OFX)/i, "OFX. Export camt.053 or CSV"],
  [/^\s*!(?:Type|Account|Option):/i, "QIF. Export camt.053 or CSV"],
  [/^01,[^\r\n]*\/\r?\n02,/, "BAI2. Export camt.053 or CSV"],
  [/^\s*<(?:html|!doctype|table)/i, "a web page. Export a CSV file"],
  [/^\s*(?:<\?xml|\{")/i, "XML or JSON. Export a CSV file"],
];

/** Its mark may be missing. The second bytes of most characters are zero. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const start = [...bytes.subarray(0, 1_000)];
  const zerosAt = (place: number) =>
    start.filter((byte, n) => byte === 0 && n % 2 === place).length > start.length / 3;
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || zerosAt(1)) return "utf-16le";
  return (bytes[0] === 0xfe && bytes[1] === 0xff) || zerosAt(0) ? "utf-16be" : undefined;
}

/**
 * Excel exports UTF-8, the code page of its country, or UTF-16, depending on the chosen format. Errors: `UnreadableFile`,
 * also for a format that is no table.
 */
function contentOf(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  const text = utf16 && new TextDecoder(utf16).decode(bytes);
  const start =
    text ?? String.fromCharCode(...bytes.subarray(0, 1_000)).replace(/^\xef\xbb\xbf/, "");
  const format = FORMATS.find(([pattern]) => pattern.test(start))?.[1];
  if (format !== undefined) throw new UnreadableFile(`is ${format} instead`);
  try {
    return plainText(text ?? decodeUtf8(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableFile) || bytes.includes(0)) throw error;
    // Numbers and amounts are ASCII, so only names may be affected.
    return plainText(new TextDecoder("windows-1252").decode(bytes));
  }
}

/**
 * A quoted text, or a formula such as `="001"` that is not part of one. A field with doubled quotes is several quoted
 * texts, because a repeated group would overflow the stack at a field of some megabytes.
 */
const QUOTED_OR_FORMULA = /"[^"]*"|="([^"\r\n]*)"/g;

/** Up to a thousand quoted texts and what is before them. The replacement of a whole file would need ten times its size. */
const PARTS = /(?:[^"]*"[^"]*"){1,1000}|[^]+/g;

/**
 * The text without Excel's line `sep=;`, and with formulas such as `="001"` as quoted fields. Programs write them so that
 * Excel keeps the zeros.
 */
const plainText = (text: string) =>
  text
    .replace(/^(\ufeff?)sep=.(?=[\r\n])/i, "$1")
    .replaceAll(PARTS, (part) =>
      part.replaceAll(QUOTED_OR_FORMULA, (quoted, content?: string) =>
        content === undefined ? quoted : `"${content}"`,
      ),
    );

/** The same text for `Tracking_Number`, `tracking-number` and `TrackingNumber`, and for `Betrag` and `Betrag (EUR)`. */
export const foldedColumn = (name: string) =>
  fold(name.replace(/\([^()]*\)$/, "")).replaceAll(/[\s_.'’#:-]+/g, "");

/** The cell without characters that cannot be seen and the apostrophes of CSV output, or the text of a formula such as `="001"`. */
export function plainCell(text: string): string {
  const [, content] = /^="([^"]*)"$/.exec(text) ?? [];
  return withoutInvisible(content ?? withoutApostrophes(text));
}
