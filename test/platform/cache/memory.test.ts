// The size limit of the isolate's memory cache.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryCache } from "../../../src/platform/cache/memory.ts";

const MAX_BYTES = 5_000;

const operation = fc.oneof(
  fc.record({
    kind: fc.constant("set" as const),
    key: fc.string({ maxLength: 4 }),
    sizeBytes: fc.nat({ max: 2 * MAX_BYTES }),
    forMs: fc.integer({ min: -10, max: 100 }),
  }),
  fc.record({ kind: fc.constant("get" as const), key: fc.string({ maxLength: 4 }) }),
);

const valueOf = ({ sizeBytes }: { sizeBytes: number }) => new ArrayBuffer(sizeBytes);

describe("memoryCache", () => {
  test("counts between 0 bytes and its limit after any sequence of operations", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const cache = memoryCache<ArrayBuffer>(MAX_BYTES);
        operations.forEach((op, nowMs) => {
          if (op.kind === "set") cache.set(op.key, valueOf(op), nowMs + op.forMs);
          else cache.get(op.key, nowMs);
          expect(cache.bytes()).toBeLessThanOrEqual(MAX_BYTES);
          expect(cache.bytes()).toBeGreaterThanOrEqual(0);
        });
        // The size is 0 after all entries have expired, so each was counted exactly once.
        for (const op of operations) cache.get(op.key, Infinity);
        expect(cache.bytes()).toBe(0);
      }),
    );
  });

  test("returns the last value that was set, or none", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const cache = memoryCache<ArrayBuffer>(MAX_BYTES);
        const last = new Map<string, { value: ArrayBuffer; untilMs: number }>();
        operations.forEach((op, nowMs) => {
          if (op.kind === "set") {
            const value = valueOf(op);
            cache.set(op.key, value, nowMs + op.forMs);
            last.set(op.key, { value, untilMs: nowMs + op.forMs });
          } else {
            const value = cache.get(op.key, nowMs);
            if (value === undefined) return;
            expect(value).toBe(last.get(op.key)?.value);
            expect(nowMs).toBeLessThan(last.get(op.key)?.untilMs ?? 0);
          }
        });
      }),
    );
  });

  test("limits the number of values without a size", () => {
    const cache = memoryCache<null>(MAX_BYTES);
    let held = 0;
    for (let n = 0; n < 1_000; n++) cache.set(String(n), null, Infinity);
    for (let n = 0; n < 1_000; n++) if (cache.get(String(n), 0) !== undefined) held++;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(MAX_BYTES / 100);
  });

  test("drops the least recently used values first", () => {
    const cache = memoryCache<ArrayBuffer>(MAX_BYTES);
    const value = new ArrayBuffer(1_000);
    for (const key of ["a", "b", "c"]) cache.set(key, value, 1);
    cache.get("a", 0);
    cache.set("d", value, 1);
    cache.set("e", value, 1);
    expect(["a", "b", "c", "d", "e"].filter((key) => cache.get(key, 0))).toEqual([
      "a",
      "c",
      "d",
      "e",
    ]);
  });

  test("does not keep a value larger than its limit, and drops the value under the same key", () => {
    const cache = memoryCache<ArrayBuffer>(MAX_BYTES);
    cache.set("a", new ArrayBuffer(10), 1);
    cache.set("a", new ArrayBuffer(MAX_BYTES + 1), 1);
    expect(cache.get("a", 0)).toBeUndefined();
    expect(cache.bytes()).toBe(0);
  });
});
