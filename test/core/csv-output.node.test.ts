// CSV output, read again with csv-parse.
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRow } from "../../src/core/csv-output.ts";
import { plainCell, readSpreadsheet } from "../../src/operator/files/table.ts";
import { runs } from "../support/runs.ts";

const read = (text: string): string[][] => parse(text);

test("quotes cells with commas, quotes and line breaks, and ends a row with CRLF", () => {
  const cells = ["a", 'say "hi"', "x, y", "two\nlines", "two\r\nlines", null, 12, -1];
  expect(csvRow(cells)).toBe('a,"say ""hi""","x, y","two\nlines","two\r\nlines",,12,-1\r\n');
});

test.each([...["x;y", "x\ty", "x|y", "x\r\ny"]])(
  "quotes a cell with a separator of another program: %j",
  (text) => {
    expect(csvRow(["x", text])).toBe(`x,"${text}"\r\n`);
  },
);

test.each([
  ...["=1+1", "+1+A1", "-1+A1", "@SUM(A1)", "＝1", "＋1", "－1", "＠A", "\tx", "\rx", "\nx"],
  ...["--1", "-", "+", "-1.", "-.5", "-1e5", "+61 2 5550 0100 ext. 3", "+1\n", "-1\n"],
  ...[" =1", '"=1"', '" " =1', "\u00a0=1"],
])("puts an apostrophe before a cell that could be a formula: %j", (text) => {
  expect(read(csvRow(["x", text, "end"]))).toEqual([["x", `'${text}`, "end"]]);
});

test.each([
  ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
  ["a; =1|-2", "a;' =1|'-2"],
  ['b\t"=1"\n@A', "b\t'\"=1\"\n'@A"],
  ["\t=1\r\n+1;=1", "'\t'=1\r\n'+1;'=1"],
])("puts an apostrophe before each formula of other separators: %j", (text, defused) => {
  expect(read(csvRow(["x", text]))).toEqual([["x", defused]]);
});

test.each([
  ...["-12.50", "-7", "0", "12.50", "+61 2 5550 0100", "+1 (212) 555-0100", "+49/30.1"],
  ...["a=b", "'quoted'", "", " 1", "Zoë"],
])("leaves numbers, phone numbers and other texts unchanged: %j", (text) => {
  expect(csvRow(["x", text])).toBe(`x,${text}\r\n`);
});

/** Characters that have a meaning in CSV or in formulas, and others. */
const CHARACTERS = [
  ...["=", "+", "-", "@", "\t", "\r", "\n", '"', ",", ";", "|", "'", " ", "0", "1", "."],
  ...["(", ")", "/", "a", "é"],
];
const TEXT = fc.oneof(
  fc.string({ unit: fc.constantFrom(...CHARACTERS) }),
  fc.string({ unit: "grapheme" }),
);
const TABLE = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(TEXT, { minLength: width, maxLength: width })));

const withoutApostrophes = (text: string) => text.replaceAll("'", "");

test("reads every table as it was written, except for apostrophes before formulas", () => {
  fc.assert(
    fc.property(TABLE, (rows) => {
      const cells = read(rows.map((row) => csvRow(row)).join("")).flat();
      expect(cells.map(withoutApostrophes)).toEqual(rows.flat().map(withoutApostrophes));
    }),
    { numRuns: runs(1_000) },
  );
});

/** The cells that a program with other separators finds. It accepts a quote that is not closed. */
function readWith(text: string, options: { delimiter: string[]; quote?: false }): string[] {
  const lenient = { ...options, relax_quotes: true, relax_column_count: true };
  try {
    return parse(text, lenient).flat();
  } catch {
    return parse(`${text}"`, lenient).flat();
  }
}

test.each([
  ...[{ delimiter: [","] }, { delimiter: [";"] }, { delimiter: ["\t"] }, { delimiter: ["|"] }],
  ...[{ delimiter: ["\t", ",", ";"] }, { delimiter: ["\t", ";", "|"], quote: false as const }],
])("a program finds no formula in any table: %j", (options) => {
  fc.assert(
    fc.property(TABLE, (rows) => {
      const cells = readWith(rows.map((row) => csvRow(row)).join(""), options);
      const formulas = cells.filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell));
      const harmful = formulas.filter((cell) => !/^(-\d+(\.\d+)?|\+[\d ().\-/]+)$/.test(cell));
      expect(harmful).toEqual([]);
    }),
    { numRuns: runs(1_000) },
  );
});

test("keeps texts that Excel would change, and can be read again", () => {
  const texts = ["007", "9400111899561230000000", "1E5", "10-12", "1/2", "1/2/26", "+61 2 5550"];
  const row = csvRow(texts, "excel");
  expect(read(row)).toEqual([texts.map((text) => `="${text}"`)]);
  const file = new TextEncoder().encode(csvRow(texts.map((_, n) => `c${String(n)}`)) + row);
  const [again] = readSpreadsheet(file).rows;
  expect(texts.map((_, n) => plainCell(again?.get(`c${String(n)}`) ?? ""))).toEqual(texts);
  const others = ["Ada", "12.50", "-7", "0.5", "2026-05-01", "1-2-a", "12", "'=1"];
  expect(csvRow(others, "excel")).toBe(csvRow(others));
});
