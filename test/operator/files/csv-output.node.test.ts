// CSV output, read again with csv-parse.
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRow } from "../../../src/operator/files/csv-output.ts";
import { runs } from "../../support/runs.ts";

const read = (text: string): string[][] => parse(text);

test("quotes cells with commas, quotes and line breaks, and ends a row with CRLF", () => {
  const cells = ["a", 'say "hi"', "x, y", "two\nlines", "two\r\nlines", null, 12, -1];
  expect(csvRow(cells)).toBe('a,"say ""hi""","x, y","two\nlines","two\r\nlines",,12,-1\r\n');
});

test.each([
  ...["=1+1", "+1+A1", "-1+A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A"],
  ...["--1", "-", "+", "-1.", "-.5", "-1e5", "+61 2 5550 0100 ext. 3", "+1;=1", "+1\n", "-1\n"],
])("puts an apostrophe before a cell that could be a formula: %j", (text) => {
  expect(read(csvRow([text, "end"]))).toEqual([[`'${text}`, "end"]]);
});

test.each([
  ...["-12.50", "-7", "0", "12.50", "+61 2 5550 0100", "+1 (212) 555-0100", "+49/30.1"],
  ...["a=b", "'quoted'", "", " =1", "Zoë"],
])("leaves numbers, phone numbers and other texts unchanged: %j", (text) => {
  expect(csvRow(["x", text])).toBe(`x,${text}\r\n`);
});

/** Characters that have a meaning in CSV or in formulas, and others. */
const CHARACTERS = [
  ...["=", "+", "-", "@", "\t", "\r", "\n", '"', ",", ";", "'", " ", "0", "1", "."],
  ...["(", ")", "/", "a", "é"],
];
const TEXT = fc.oneof(
  fc.string({ unit: fc.constantFrom(...CHARACTERS) }),
  fc.string({ unit: "grapheme" }),
);
const TABLE = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(TEXT, { minLength: width, maxLength: width })));

test("reads every table as it was written, except for apostrophes before formulas", () => {
  fc.assert(
    fc.property(TABLE, (rows) => {
      const cells = read(rows.map(csvRow).join("")).flat();
      const texts = rows.flat();
      expect(cells).toHaveLength(texts.length);
      for (const [index, cell] of cells.entries()) {
        expect([texts[index], `'${texts[index] ?? ""}`]).toContain(cell);
        if (/^[=+\-@\t\r\n]/.test(cell)) expect(cell).toMatch(/^(-\d+(\.\d+)?|\+[\d ().\-/]+)$/);
      }
    }),
    { numRuns: runs(1_000) },
  );
});
