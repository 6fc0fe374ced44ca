// The simulation of waiting times: which calls follow each other, and how long a caller waits for them.
import { expect, test } from "vitest";
import { CALLER_MS, type City, KV_HIT_MS } from "../../bench/latencies.ts";
import { Trace, type TracedCall } from "../../bench/trace.ts";
import { KV_PATIENCE_MS } from "../../src/platform/cache/tiered.ts";
import { inWords, waitingMs } from "../../bench/waits.ts";

const NEVER = new Promise<never>(() => undefined);

test("a call follows the calls that have ended when it begins", async () => {
  const trace = new Trace();
  await trace.record("KV hit", () => Promise.resolve({ value: "a page" }));
  void trace.record("nearest", () => NEVER);
  await trace.record("primary", () => Promise.resolve([]));
  void trace.record("primary", () => NEVER);
  expect(trace.calls).toEqual([
    { store: "KV hit", after: [], during: [] },
    { store: "nearest", after: [0], during: [] },
    { store: "primary", after: [0], during: [] },
    { store: "primary", after: [0, 2], during: [] },
  ]);
  expect(() => inWords(trace.calls)).toThrow();
});

test("a miss in KV is not waited for", async () => {
  const trace = new Trace();
  void trace.record("KV hit", () => Promise.resolve({ value: null }), NEVER);
  await Promise.resolve();
  await trace.record("primary", () => Promise.resolve([]));
  await trace.record("nearest", () => Promise.resolve([]));
  expect(inWords(trace.calls)).toBe("KV miss + primary → nearest");
  const waitMs = (city: City) => waitingMs(trace.calls, city, "apac", "replicas");
  // From Tokyo, KV's nearest store takes 166 ms. From New York it takes 10 ms, less than the Worker waits for KV.
  expect(waitMs("Tokyo")).toBe(CALLER_MS + KV_PATIENCE_MS + 2 * 73);
  expect(waitMs("New York")).toBe(CALLER_MS + 10 + 222 + 10);
});

test("serial calls add up, and of parallel calls the longest counts", () => {
  const serial: TracedCall[] = [
    { store: "KV hit", after: [], during: [] },
    { store: "primary", after: [0], during: [] },
    { store: "primary", after: [0, 1], during: [] },
  ];
  const parallel: TracedCall[] = [
    { store: "KV hit", after: [], during: [] },
    { store: "primary", after: [0], during: [] },
    { store: "nearest", after: [0], during: [] },
  ];
  // 83 ms are the round trip between London and enam in the published table, and 12 ms the one to weur.
  expect(waitingMs(serial, "London", "enam", "primary")).toBe(CALLER_MS + KV_HIT_MS + 2 * 83);
  expect(waitingMs(parallel, "London", "enam", "replicas")).toBe(CALLER_MS + KV_HIT_MS + 83);
  const nearest: TracedCall[] = [{ store: "nearest", after: [], during: [] }];
  expect(waitingMs(nearest, "London", "enam", "replicas")).toBe(CALLER_MS + 12);
  expect(waitingMs(serial, "London", "enam", "smart")).toBe(CALLER_MS + 83 + KV_HIT_MS + 2 + 2);
});
