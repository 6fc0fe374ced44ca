// The tables that other programs and people export: each layout and encoding has the same rows.
import { describe, expect, test } from "vitest";
import { readSpreadsheet } from "../../../src/operator/files/table.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, order: "le" | "be", mark: string) =>
  new Uint8Array(
    Array.from(mark + text).flatMap((letter) => {
      const code = letter.charCodeAt(0);
      const pair = [code & 0xff, code >> 8];
      return order === "le" ? pair : pair.reverse();
    }),
  );
const rowsOf = (bytes: Uint8Array) =>
  readSpreadsheet(bytes).rows.map((row) => row.columns.map((column) => row.get(column)));

const ROWS = [
  ["1002", "AB-1"],
  ["1003", "CD-2"],
];
const PLAIN = "product,code\n1002,AB-1\n1003,CD-2\n";

test.each([
  ["commas", utf8(PLAIN)],
  ["pipes", utf8(PLAIN.replaceAll(",", "|"))],
  ["tabs", utf8(PLAIN.replaceAll(",", "\t"))],
  ["titles before", utf8(`Acme Ltd\nDelivery 17 of 3 May 2026\n\n${PLAIN}`)],
  ["totals after", utf8(`${PLAIN}Total,2\n`)],
  ["a comment", utf8(PLAIN.replace("1003", "# the second part\n1003"))],
  ["a repeated header", utf8(PLAIN.replace("1003", "Product,CODE,\n1003"))],
  ["separators at the ends of rows", utf8(PLAIN.replaceAll(/(-\d)\n/g, "$1,\n"))],
  ["UTF-16 BE with a mark", utf16(PLAIN, "be", "\ufeff")],
  ["UTF-16 BE", utf16(PLAIN, "be", "")],
  ["UTF-16 LE with a mark", utf16(PLAIN, "le", "\ufeff")],
  ["UTF-16 LE", utf16(PLAIN, "le", "")],
  ["no header", utf8(PLAIN.replace("product,code\n", ""))],
])("a table with %s", (_, bytes) => {
  expect(rowsOf(bytes)).toEqual(ROWS);
});

test.each([
  ["code\nA-1\nB-2\n", ["code"]],
  ["Gutscheincode\nA-1\nB-2\n", ["Gutscheincode"]],
  ["Gutscheincode\nABCD\nEFGH\n", ["Gutscheincode"]],
  ["A-1\nB-2\n", ["Column 1"]],
  ["mug,ab12-cd34-ef\ncap,ab12-cd34-eg\n", ["Column 1", "Column 2"]],
  ["code,code,,pin,\nA,B,C,D,\n", ["code", "code (2)", "Column 3", "pin", "Column 5"]],
  ["Betrag;Text\n1,00;a,b\n2,50;c,d\n", ["Betrag", "Text"]],
])("the columns of %j", (text, columns) => {
  expect(readSpreadsheet(utf8(text)).columns).toEqual(columns);
});

test("a row may begin with the number of an order", () => {
  const text = "Name,Gift,Number,Note\n#1001,GO-00042-1,A-1,\n#1002,GO-00042-2,A-2,x\n#end,,,\n";
  const { rows, skipped } = readSpreadsheet(utf8(text));
  expect([rows.map(({ number }) => number), skipped]).toEqual([[2, 3], [4]]);
});

describe("a file that is no table names its format", () => {
  test.each([
    ["MT940", utf8(":20:STARTUMS\n:25:1\n")],
    ["OFX", utf8("OFXHEADER:100\n")],
    ["QIF", utf8("!Type:Bank\n")],
    ["BAI2", utf8("01,122099999,123456789,040621,0200,1,65/\n02,03\n")],
    ["zip", utf8("PK\u0003\u0004abc")],
    ["XML", utf16('<?xml version="1.0"?><Document/>', "le", "\ufeff")],
  ])("%s", (name, bytes) => {
    expect(() => readSpreadsheet(bytes)).toThrow(name);
  });
});
