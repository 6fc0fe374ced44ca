// Questions and progress.
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirm, progress } from "../../../src/cli/operations/io.ts";

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each([
  ["y\r", true],
  ["Yes\r", true],
  ["\r", false],
  ["\u0003", false],
  ["\u0004", false],
])("the answer %j to a question means %s", async (answer, meaning) => {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    const input = new PassThrough();
    const confirmed = confirm("Continue?", input);
    input.write(answer);
    expect(await confirmed).toBe(meaning);
  } finally {
    process.stderr.isTTY = isTTY;
  }
});

test("progress is a line at the beginning, and then every five seconds", () => {
  vi.useFakeTimers();
  const write = vi.spyOn(console, "error");
  const show = progress(10_000);
  for (const done of [1_000, 2_000, 3_000, 4_000, 5_000, 10_000]) {
    vi.advanceTimersByTime(2_000);
    show(done);
  }
  expect(write.mock.calls).toEqual([
    ["Done: 1,000 of 10,000, 2.0 s"],
    ["Done: 4,000 of 10,000, 8.0 s"],
  ]);
});

test("the end of the input means no", async () => {
  expect(await confirm("Continue?", new PassThrough().end())).toBe(false);
});
