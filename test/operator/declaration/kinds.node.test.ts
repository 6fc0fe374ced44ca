// How the kinds of values are parsed and written.
import { describe, expect, test } from "vitest";
import { change } from "../../../src/operator/declaration/declare.ts";
import { parseInput } from "../../../src/operator/declaration/input.ts";
import * as kinds from "../../../src/operator/declaration/kinds.ts";
import { csvCells, csvHeader, textOf } from "../../../src/operator/declaration/show.ts";

const HOUR_MS = 3_600_000;

/** Texts of a form or a command, their values, and the values as JSON and as text. */
const VALID: Record<
  string,
  [kinds.Kind, given: unknown, value: unknown, json: unknown, text: string]
> = {
  order: [kinds.order("Order"), "go-42", 42, "GO-00042", "GO-00042"],
  "order by its id": [kinds.order("Order"), " 42 ", 42, "GO-00042", "GO-00042"],
  gift: [kinds.gift("Gift"), "GO-00042-3", 42_003, "GO-00042-3", "GO-00042-3"],
  "gift by its id": [kinds.gift("Gift"), 42_003, 42_003, "GO-00042-3", "GO-00042-3"],
  product: [kinds.product("Product"), "12", 12, 12, "12"],
  flag: [kinds.flag("Flag"), "on", true, true, "yes"],
  "flag of JSON": [kinds.flag("Flag"), false, false, false, "no"],
  count: [kinds.count("Count"), "12", 12, 12, "12"],
  percent: [kinds.percent("Fee"), "2.75", 275, "2.75", "2.75 %"],
  amount: [kinds.amount("Amount"), "-110.5", "-110.5", "-110.5", "-110.5"],
  time: [
    kinds.time("Time"),
    "2026-05-01",
    Date.UTC(2026, 4, 1),
    "2026-05-01T00:00:00.000Z",
    "2026-05-01 00:00",
  ],
  "time with an offset": [
    kinds.time("Time"),
    "2026-05-01T12:00:00+10:00",
    Date.UTC(2026, 4, 1, 2),
    "2026-05-01T02:00:00.000Z",
    "2026-05-01 02:00",
  ],
  month: [kinds.month("Month"), "2026-05", "2026-05", "2026-05", "2026-05"],
  age: [kinds.age("Age"), "2d", 48 * HOUR_MS, "48h", "48h"],
  choice: [
    kinds.choice("Status", ["paid", "cancieled"], { text: (value) => value.toUpperCase() }),
    "CANCIELED",
    "cancieled",
    "CANCIELED",
    "CANCIELED",
  ],
};

const inputOf = (field: kinds.Kind, given: Record<string, unknown>) =>
  parseInput(
    change({
      name: "try it",
      title: "Try it",
      permission: "view",
      input: { field },
      plan: () => Promise.resolve({ will: null, subjects: [] }),
      run: () => Promise.resolve({ text: "" }),
    }),
    given,
  );

test.each(Object.entries(VALID))("%s", (_, [field, given, value, json, text]) => {
  expect(inputOf(field, { field: given })).toEqual({ field: value });
  const written = field.toJson(value);
  expect(written).toEqual(json);
  expect(textOf(field.type, written)).toBe(text);
  // What is shown can be entered again.
  if (field.type !== "percent")
    expect(inputOf(field, { field: written })).toEqual({ field: value });
});

test.each<[string, kinds.Kind, unknown[]]>([
  ["an order", kinds.order("Order"), ["GO-00042-3", "GO-0", "abc", "-1", "1e3", true, {}]],
  ["a gift", kinds.gift("Gift"), ["GO-00042", "42", "3", "GO-00042-0", null]],
  ["a count", kinds.count("Count", { min: 1, max: 5 }), ["0", "6", "1.5", "1e1", "", "０"]],
  ["a flag", kinds.flag("Flag"), ["maybe", 1]],
  ["a percentage", kinds.percent("Fee"), ["100.01", "1.234", "-1", "1,5"]],
  ["an amount", kinds.amount("Amount"), ["1,000.00", "1e3", "$5", "."]],
  ["a time", kinds.time("Time"), ["2026-02-30", "tomorrow", "2026-05-01T12:00:00"]],
  ["a day", kinds.day("Day"), ["2026-02-30", "01/05/2026"]],
  ["a month", kinds.month("Month"), ["2026-13", "2026-5"]],
  ["an age", kinds.age("Age"), ["2", "0d", "2w"]],
  ["a text", kinds.text("Text", { max: 3 }), ["abcd", "a\nb", "\u0000"]],
  ["a choice", kinds.choice("Choice", ["a", "b"]), ["c", "A"]],
  ["a currency", kinds.currency("Currency"), ["XXX", "dollars"]],
])("%s refuses other texts", (_, field, texts) => {
  for (const text of texts) {
    expect(() => inputOf(field, { field: text }), String(text)).toThrow(/^field /);
  }
});

describe("an input", () => {
  const text = kinds.text("Text");
  test("is required, may be left out, or may be removed", () => {
    expect(() => inputOf(text, {})).toThrow("field is required");
    expect(() => inputOf(text, { field: " " })).toThrow("field is required");
    expect(inputOf(kinds.optional(text), { field: "" })).toEqual({});
    expect(inputOf(kinds.nullable(text), {})).toEqual({});
    for (const removed of ["", "none", null]) {
      expect(inputOf(kinds.nullable(text), { field: removed })).toEqual({ field: null });
    }
    expect(inputOf(kinds.withDefault(text, "preset"), {})).toEqual({ field: "preset" });
  });

  test("has several values, as a list or as lines", () => {
    const several = kinds.many(kinds.order("Orders"));
    for (const given of [["GO-1", "2"], "GO-1\n2", "1, 2"]) {
      expect(inputOf(several, { field: given })).toEqual({ field: [1, 2] });
    }
    for (const none of ["", null, [], " , "]) {
      expect(() => inputOf(kinds.optional(several), { field: none }), String(none)).toThrow(
        /^field /,
      );
    }
    expect(() => inputOf(several, { field: ["1", "x"] })).toThrow(/^field\[1\] /);
  });

  test("must not have more bytes than its file may have", () => {
    const file = kinds.file("File", { maxBytes: 2 });
    const bytes = new Uint8Array([1, 2]);
    expect(inputOf(file, { field: { name: "a", bytes } })).toEqual({ field: { name: "a", bytes } });
    const large = { name: "a", bytes: new Uint8Array(3) };
    expect(() => inputOf(file, { field: large })).toThrow(/^field /);
    expect(() => inputOf(file, { field: "text" })).toThrow("field must be a file");
  });
});

test("an amount and its currency have a column each in CSV", () => {
  const columns = { total: kinds.money("Total"), order: kinds.order("Order") };
  expect(csvHeader(columns)).toEqual(["total", "total_currency", "order"]);
  const total = columns.total.toJson({ minor: -185_630, currency: "AUD" });
  expect(csvCells(columns, { total, order: "GO-00001" })).toEqual(["-1856.30", "AUD", "GO-00001"]);
  expect(csvCells(columns, { total: null, order: null })).toEqual(["", "", ""]);
  expect(textOf("money", total)).toBe("-1,856.30 AUD");
});
