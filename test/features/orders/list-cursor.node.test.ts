import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatCursor,
  parseReferenceCursor,
  parseTimeCursor,
  type ReferencePosition,
  type TimePosition,
} from "../../../src/features/orders/list-cursor.ts";
import { filtersOf } from "../../../src/features/orders/list.ts";
import { MAX_ID } from "../../../src/core/values/ids.ts";

/** Any character in Unicode. The unit "binary" of fast-check takes a second to construct. */
const anyCharacter = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ max: 0x10ffff, min: 0xe000 }))
  .map((code) => String.fromCodePoint(code));

const ids = fc.integer({ min: 1, max: MAX_ID });
const timePositions = fc.tuple(fc.maxSafeInteger(), ids) as fc.Arbitrary<TimePosition>;
const references = fc.string({ unit: "grapheme", maxLength: 100 });
const referencePositions = fc.tuple(references, ids) as fc.Arbitrary<ReferencePosition>;

const LONGEST_FILTERS = filtersOf({
  order_status: "cancieled",
  gift_order_method: "api-purchase",
  created_from: -8_640_000_000_000_000,
  created_until: -8_640_000_000_000_000,
  redemption_status: "unredeemed",
  order_ref_id_prefix: "x".repeat(100),
  limit: 500,
});

test("a cursor contains its position, in characters that a URL may contain", () => {
  fc.assert(
    fc.property(timePositions, referencePositions, fc.string(), (byTime, byReference, filters) => {
      expect(parseTimeCursor(formatCursor(byTime, filters), filters)).toEqual(byTime);
      expect(parseReferenceCursor(formatCursor(byReference, filters), filters)).toEqual(
        byReference,
      );
      expect(formatCursor(byTime, filters) + formatCursor(byReference, filters)).toMatch(
        /^[\w-]+$/,
      );
    }),
  );
});

test("a cursor belongs to one ordering", () => {
  fc.assert(
    fc.property(timePositions, referencePositions, (byTime, byReference) => {
      expect(parseReferenceCursor(formatCursor(byTime, ""), "")).toBeNull();
      expect(parseTimeCursor(formatCursor(byReference, ""), "")).toBeNull();
    }),
  );
});

test("a cursor belongs to the filters of its list", () => {
  fc.assert(
    fc.property(timePositions, fc.string(), fc.string(), (position, filters, others) => {
      fc.pre(filters !== others);
      expect(parseTimeCursor(formatCursor(position, filters), others)).toBeNull();
    }),
  );
});

test("a cursor is shorter than the limit of the parameter for every reference", () => {
  for (const character of ["a", "\\", '"', "\n", "é", "が", "\u{10ffff}"]) {
    const reference = character.repeat(100 / character.length);
    const cursor = formatCursor([reference, MAX_ID], LONGEST_FILTERS);
    expect(cursor.length).toBeLessThan(1_000);
    expect(parseReferenceCursor(cursor, LONGEST_FILTERS)).toEqual([reference, MAX_ID]);
  }
});

test("a cursor that is any other text is refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(parseTimeCursor(text, "")).toBeNull();
      expect(parseReferenceCursor(text, "")).toBeNull();
      expect(parseTimeCursor(btoa(encodeURIComponent(text)), "")).toBeNull();
    }),
  );
});
