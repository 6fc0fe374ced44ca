import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatCursor,
  parseReferenceCursor,
  parseTimeCursor,
  type ReferencePosition,
  type TimePosition,
} from "../../src/orders/list-cursor.ts";
import { MAX_ID } from "../../src/values/ids.ts";

const ids = fc.integer({ min: 1, max: MAX_ID });
const timePositions = fc.tuple(fc.maxSafeInteger(), ids) as fc.Arbitrary<TimePosition>;
const references = fc.string({ unit: "grapheme", maxLength: 100 });
const referencePositions = fc.tuple(references, ids) as fc.Arbitrary<ReferencePosition>;

describe("a cursor", () => {
  test("contains its position, in characters that a URL may contain", () => {
    fc.assert(
      fc.property(timePositions, referencePositions, (byTime, byReference) => {
        expect(parseTimeCursor(formatCursor(byTime))).toEqual(byTime);
        expect(parseReferenceCursor(formatCursor(byReference))).toEqual(byReference);
        expect(formatCursor(byTime) + formatCursor(byReference)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  test("belongs to one ordering", () => {
    fc.assert(
      fc.property(timePositions, referencePositions, (byTime, byReference) => {
        expect(parseReferenceCursor(formatCursor(byTime))).toBeNull();
        expect(parseTimeCursor(formatCursor(byReference))).toBeNull();
      }),
    );
  });

  test("is shorter than the limit of the parameter for every reference", () => {
    for (const character of ["a", "\\", '"', "\n", "é", "が", "\u{10ffff}"]) {
      const reference = character.repeat(100 / character.length);
      const cursor = formatCursor([reference, MAX_ID]);
      expect(cursor.length).toBeLessThan(1_000);
      expect(parseReferenceCursor(cursor)).toEqual([reference, MAX_ID]);
    }
  });

  test("that is any other text is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseTimeCursor(text)).toBeNull();
        expect(parseReferenceCursor(text)).toBeNull();
        expect(parseTimeCursor(btoa(encodeURIComponent(text)))).toBeNull();
      }),
    );
  });
});
