// The limit of the isolate's memory cache.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryCache } from "../../../src/platform/cache/memory.ts";

const MAX = 50;

const operation = fc.oneof(
  fc.record({
    key: fc.string({ maxLength: 2 }),
    size: fc.nat({ max: 2 * MAX }),
    forMs: fc.integer({ min: -10, max: 100 }),
  }),
  fc.record({ key: fc.string({ maxLength: 2 }) }),
);

const sizedCache = () => memoryCache<{ size: number }>(MAX, ({ size }) => size);

describe("memoryCache", () => {
  test("returns the last value that was set or none, and keeps at most its limit", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const cache = sizedCache();
        const last = new Map<string, { value: { size: number }; untilMs: number }>();
        operations.forEach((op, nowMs) => {
          if ("size" in op) {
            const set = { value: { size: op.size }, untilMs: nowMs + op.forMs };
            cache.set(op.key, set.value, set.untilMs);
            last.set(op.key, set);
            return;
          }
          const value = cache.get(op.key, nowMs);
          if (value === undefined) return;
          expect(value).toBe(last.get(op.key)?.value);
          expect(nowMs).toBeLessThan(last.get(op.key)?.untilMs ?? 0);
        });
        const kept = [...last.keys()].map((key) => cache.get(key, 0)?.size ?? 0);
        expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX);
        // Each value was counted once: the empty cache has room for one of the maximum size.
        for (const key of last.keys()) cache.get(key, Infinity);
        cache.set("whole", { size: MAX }, 1);
        expect(cache.get("whole", 0)).toEqual({ size: MAX });
      }),
    );
  });

  test("drops the least recently used values first", () => {
    const cache = memoryCache<number>(4);
    for (const key of ["a", "b", "c"]) cache.set(key, 1, 1);
    cache.get("a", 0);
    for (const key of ["d", "e"]) cache.set(key, 1, 1);
    const kept = ["a", "b", "c", "d", "e"].filter((key) => cache.get(key, 0) !== undefined);
    expect(kept).toEqual(["a", "c", "d", "e"]);
  });

  test("does not keep a value larger than its limit, and drops the value under the same key", () => {
    const cache = sizedCache();
    cache.set("a", { size: 1 }, 1);
    cache.set("a", { size: MAX + 1 }, 1);
    expect(cache.get("a", 0)).toBeUndefined();
  });
});
