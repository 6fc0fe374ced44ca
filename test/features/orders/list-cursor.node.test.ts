import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCursor, positionOf } from "../../../src/features/orders/list-cursor.ts";
import { MAX_CURSOR_LENGTH } from "../../../src/features/orders/contract.ts";
import { MAX_ID } from "../../../src/core/values/ids.ts";

/** Any character in Unicode. The unit "binary" of fast-check takes a second to construct. */
const anyCharacter = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ max: 0x10ffff, min: 0xe000 }))
  .map((code) => String.fromCodePoint(code));

const FIRST = { orderRefId: "", createdAtMs: 0 };
const positions = fc.record({
  orderRefId: fc.string({ unit: "grapheme", maxLength: 100 }),
  createdAtMs: fc.maxSafeInteger(),
});
const queries = fc.record(
  { campaign: fc.string(), credential_id: fc.nat(), expand: fc.string(), limit: fc.nat() },
  { requiredKeys: [] },
);

test("a cursor contains its position, in characters that a URL may contain", () => {
  fc.assert(
    fc.property(positions, queries, (position, query) => {
      const cursor = formatCursor(position, query);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(positionOf({ ...query, limit: 1, cursor }, FIRST)).toEqual(position);
      expect(() => positionOf({ ...query, cursor }, { id: 0 })).toThrow();
      expect(() => positionOf({ ...query, cursor }, { orderRefId: 0 })).toThrow();
      expect(() => positionOf({ ...query, cursor }, { createdAtMs: "" })).toThrow();
    }),
  );
});

test("a cursor belongs to the filters of its list", () => {
  fc.assert(
    fc.property(positions, queries, fc.string(), (position, query, campaign) => {
      fc.pre(query.campaign !== campaign);
      const cursor = formatCursor(position, query);
      expect(() => positionOf({ ...query, campaign, cursor }, FIRST)).toThrow();
    }),
  );
});

test("a cursor is not longer than its parameter for every reference", () => {
  for (const character of ["a", "\\", '"', "\u0001", "é", "が", "\u{10ffff}"]) {
    const orderRefId = character.repeat(100 / character.length);
    const query = { order_ref_id_prefix: orderRefId };
    const cursor = formatCursor({ orderRefId, id: MAX_ID }, query);
    expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
    expect(positionOf({ ...query, cursor }, { orderRefId: "" })).toMatchObject({ orderRefId });
  }
});

test("a cursor that is any other text is refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      for (const cursor of [text, btoa(encodeURIComponent(text))])
        expect(() => positionOf({ cursor }, FIRST)).toThrow();
    }),
  );
});
