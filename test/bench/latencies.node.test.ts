// The simulation of waiting times: how long a caller waits for calls that follow each other.
import { expect, test } from "vitest";
import { CALLER_MS, KV_HIT_MS, waitingMs } from "../../bench/latencies.ts";
import { KV_PATIENCE_MS } from "../../src/platform/cache/tiered.ts";

test("the times of calls add up", () => {
  // 83 ms are the round trip between London and enam in the published table, and 12 ms the one to weur.
  const near = waitingMs(["KV hit", "nearest", "primary"], "London", "enam", true);
  expect(near).toBe(CALLER_MS + KV_HIT_MS + 12 + 83);
  const primary = waitingMs(["nearest", "primary"], "London", "enam", false);
  expect(primary).toBe(CALLER_MS + 83 + 83);
});

test("a miss in KV is waited for at most as long as the Worker waits", () => {
  // From Tokyo, KV's nearest store takes 166 ms, and from New York 10 ms.
  expect(waitingMs(["KV miss"], "Tokyo", "apac", true)).toBe(CALLER_MS + KV_PATIENCE_MS);
  expect(waitingMs(["KV miss"], "New York", "apac", true)).toBe(CALLER_MS + 10);
});
