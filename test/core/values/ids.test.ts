import { describe, expect, test } from "vitest";
import {
  orderNumber,
  parseNumber,
  parseOrderNumber,
  parseSuborderNumber,
  splitSuborderId,
  suborderId,
  suborderNumber,
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

describe("a sub-order", () => {
  test("has a number of its order's number and its sequence", () => {
    expect(suborderId(42, 3)).toBe(42_003);
    expect(suborderNumber(42, 3)).toBe("GO-00042-3");
    expect(parseSuborderNumber("GO-00042-3")).toBe(42_003);
    expect(parseSuborderNumber("GO-100000-999")).toBe(100_000_999);
  });

  test.each(["", "GO-00042", "GO-00042-", "GO-00042-0", "GO-00042-03", "GO-00042-1000", "GO-42-1"])(
    "is not parsed from %j",
    (text) => {
      expect(parseSuborderNumber(text)).toBeUndefined();
    },
  );

  test.each([
    [1, 1],
    [42, 500],
    [42, 999],
    [9_007_199_254_740, 990],
  ])("of order %d with sequence %d has an id that is parsed to both", (orderId, sequence) => {
    expect(splitSuborderId(suborderId(orderId, sequence))).toEqual({ orderId, sequence });
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
  ])("%j names an order or its gift", (text, orderId, sequence) => {
    expect(parseNumber(text)).toEqual({ orderId, sequence });
  });

  test.each([
    ...["", "42", "GO-", "GO-0", "GO-00000", "GO-42-", "GO-42-0", "GO-42-03", "GO-42-1000"],
    ...["GO-42-3-1", "GO--42", "GO-1e5", "XX-42", "GO 42", "GO-9007199254740992"],
    ...["GO-9007199254740993", "GO-9007199254740-1"],
  ])("is not %j", (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});
