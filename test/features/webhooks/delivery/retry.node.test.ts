// When a failing endpoint is disabled.
import { expect, test } from "vitest";
import { DAY_MS } from "../../../../src/core/values/time.ts";
import { hasFailedForDays } from "../../../../src/features/webhooks/delivery/retry.ts";

test.each([
  [10, 0, 5 * DAY_MS, true],
  [10, 0, 5 * DAY_MS - 1, false],
  [9, 0, 5 * DAY_MS, false],
  [10, null, 5 * DAY_MS, false],
])("%d failures since %d have disabled an endpoint at %d: %s", (failures, sinceMs, nowMs, is) => {
  expect(hasFailedForDays({ failures, failingSinceMs: sinceMs }, nowMs)).toBe(is);
});
