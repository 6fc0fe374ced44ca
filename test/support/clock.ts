// A clock that several isolates share and that only the test advances.
import type { Bindings } from "../../src/platform/env.ts";
import { startWorker, type TestWorker } from "./worker.ts";

export interface TestClock {
  /** Starts an isolate on this clock. */
  start: (bindings?: Partial<Bindings>) => TestWorker;
  advance: (ms: number) => void;
  nowMs: () => number;
}

export function createClock(): TestClock {
  let nowMs = Date.now();
  return {
    nowMs: () => nowMs,
    start: (bindings = {}) => startWorker({ now: () => nowMs, env: bindings }),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
