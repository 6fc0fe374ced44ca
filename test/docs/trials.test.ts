import { describe, expect, test, vi } from "vitest";
import { TRIALS } from "../../src/docs/trials.ts";
import { SLOW_MS } from "../../src/features/sandbox/simulated-faults.ts";
import { ERROR_CODES } from "../../src/platform/http/docs.ts";
import { STATUS } from "../../src/platform/http/error-response.ts";
import { sendTrial, startDemoWorker, useDemoData } from "./demo.ts";

const worker = startDemoWorker();
useDemoData();

/** Whether the value contains the expected values. A string may match a pattern. */
function contains(value: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  if (typeof expected !== "object" || expected === null) return value === expected;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(expected) && (value as unknown[]).length !== expected.length) return false;
  return Object.entries(expected).every(([name, part]) =>
    contains((value as Record<string, unknown>)[name], part),
  );
}

/** Waits that the sandbox simulates end at once. */
function shortenSlowResponses() {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation((work: () => void, ms?: number) =>
    setTimeout(work, ms === SLOW_MS ? 0 : ms),
  );
}

describe("the table of requests for each response", () => {
  test.each(TRIALS)("has the right response for: $title", async (trial) => {
    shortenSlowResponses();
    const { response } = trial;
    const answer = await sendTrial(worker, trial);
    if (typeof response === "string") {
      expect(answer).toMatchObject({ status: STATUS[response], json: { code: response } });
    } else {
      const { status = 200, headers = {}, json = {} } = response;
      expect(answer.status, answer.text).toBe(status);
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
      if (status === 200) expect(contains(answer.json, json), answer.text).toBe(true);
    }
  });

  test("has a row for every error code", () => {
    const codes = TRIALS.flatMap(({ response }) =>
      typeof response === "string" ? [response] : [],
    );
    expect([...new Set(codes)].sort()).toEqual(ERROR_CODES.toSorted());
  });
});
