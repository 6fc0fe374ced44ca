import { describe, expect, test } from "vitest";
import {
  numbersIn,
  orderNumber,
  parseGift,
  parseNumber,
  parseOrderNumber,
  splitGiftId,
  toGiftId,
  toGiftNumber,
} from "../../../src/core/values/ids.ts";

describe("an order number", () => {
  test.each([
    [1, "GO-00001"],
    [42, "GO-00042"],
    [99_999, "GO-99999"],
    [100_000, "GO-100000"],
    [Number.MAX_SAFE_INTEGER, "GO-9007199254740991"],
  ])("of %d is %s, and is parsed to the same id", (id, number) => {
    expect(orderNumber(id)).toBe(number);
    expect(parseOrderNumber(number)).toBe(id);
  });

  test.each([
    ...["", "GO-", "GO-0", "GO-00000", "GO-1", "GO-0001", "GO-000001", "GO--0001", "GO-1e5"],
    ...["GO-00042.0", "GO-00042 ", "GO-00042-1", "go-00042", "XX-00042", "GO-9007199254740992"],
  ])("is not %j", (text) => {
    expect(parseOrderNumber(text)).toBeUndefined();
  });
});

describe("a gift", () => {
  test("has a number of its order's number and its sequence", () => {
    expect(toGiftId(42, 3)).toBe(42_003);
    expect(toGiftNumber(42, 3)).toBe("GO-00042-3");
    expect(parseGift("GO-00042-3")).toBe(42_003);
    expect(parseGift("GO-100000-999")).toBe(100_000_999);
    expect(parseGift("42003")).toBe(42_003);
  });

  test.each(["", "3", "GO-00042", "GO-00042-", "GO-00042-0", "GO-00042-03", "GO-00042-1000"])(
    "is not parsed from %j",
    (text) => {
      expect(parseGift(text)).toBeUndefined();
    },
  );

  test.each([
    [1, 1],
    [42, 500],
    [42, 999],
    [9_007_199_254_740, 990],
  ])("of order %d with sequence %d has an id that is parsed to both", (orderId, sequence) => {
    expect(splitGiftId(toGiftId(orderId, sequence))).toEqual({ orderId, sequence });
  });
});

describe("a number that an operator enters", () => {
  test.each([
    ["GO-00042", 42, null],
    ["go-42", 42, null],
    ["Go-000042", 42, null],
    ["GO-100000", 100_000, null],
    ["GO-9007199254740991", 9_007_199_254_740_991, null],
    ["GO-00042-3", 42, 3],
    ["go-42-500", 42, 500],
    ["GO-9007199254739-999", 9_007_199_254_739, 999],
    ["GO-O004O", 40, null],
  ])("%j names an order or its gift", (text, orderId, sequence) => {
    expect(parseNumber(text)).toEqual({ orderId, sequence });
  });

  test.each([
    ...["GO 00042 3", "GO00042/3", "go–0042–3", "GO−42 - 3", "G0-OO042.3", "\u200bGO:00042–3"],
    ...["ＧＯ－０００４２－３", " #go_42_3 ", "GO--42-3"],
  ])("%j is the third gift of order 42", (text) => {
    expect(parseNumber(text)).toEqual({ orderId: 42, sequence: 3 });
    expect(parseNumber(text.replace(/ ?\D ?[3３] *$/u, ""))?.orderId).toBe(42);
  });

  test.each([
    ...["", "42", "GO-", "GO-0", "GO-00000", "GO-42-", "GO-42-0", "GO-42-03", "GO-42-1000"],
    ...["GO-42-3-1", "GO-1e5", "XX-42", "GO 0 42", "GOOD", "GO-9007199254740992"],
    ...["GO-9007199254740993", "GO-9007199254740-1"],
  ])("is not %j", (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

test.each([
  ["Rechnung GO 00042, danke", ["42"]],
  ["REF.go00042", ["42"]],
  ["Invoice Go.00042 thanks", ["42"]],
  ["inv go–0042 / GO-OO043", ["42", "43"]],
  ["GO-00042OK SVWZ+G0-00043", ["42", "43"]],
  ["Geschenk GO-00042-3 von 5", ["42-3"]],
  ["GO-00042 - 3 pieces", ["42"]],
  ["let's go 2 the GO 24 gym, CARGO-00042, GOOD, Go 2026, GO-00000", []],
])("%j contains %j", (text, numbers) => {
  const found = numbersIn(text).map(({ orderId, sequence }) =>
    sequence === null ? String(orderId) : `${String(orderId)}-${String(sequence)}`,
  );
  expect(found).toEqual(numbers);
});
