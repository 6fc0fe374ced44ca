// Tables, control characters in displayed text, and questions.
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirm, fields, progressBar, table } from "../../src/cli/terminal.ts";

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("text is printed on one line without control characters", () => {
  const forged = "PO-1\nGO-00001  paid\u001b[2J\u009b31m";
  const rows = table(["ORDER", "REFERENCE"], [["GO-00042", forged]]).split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toBe("GO-00042  PO-1\ufffdGO-00001  paid\ufffd[2J\ufffd31m");
  expect(fields({ reference: forged, note: null })).toMatch(
    /^reference {2}PO-1\ufffd.*\nnote {7}-$/,
  );
});

test("text of other directions and line separators does not change the look of a line", () => {
  const forged = "a\u202eb\u2066c\u2028d";
  expect(table(["NAME"], [[forged]])).toBe("NAME\na\ufffdb\ufffdc\ufffdd");
});

test("columns are aligned by the width of their characters in a terminal", () => {
  const rows = [
    ["GO-00001-1", "山田 太郎", 3, "東京"],
    ["GO-00001-2", "José Ñandú", 12, "Lima"],
    ["GO-00001-3", "ｶﾅ e\u0301 👩‍👧", 1, "Oslo"],
  ];
  const lines = table(["SUB-ORDER", "NAME", "QTY", "CITY"], rows).split("\n");
  expect(lines).toEqual([
    "SUB-ORDER   NAME        QTY  CITY",
    "GO-00001-1  山田 太郎     3  東京",
    "GO-00001-2  José Ñandú   12  Lima",
    "GO-00001-3  ｶﾅ e\u0301 👩‍👧       1  Oslo",
  ]);
});

test("a table may have hundreds of thousands of rows", () => {
  const rows = Array.from({ length: 200_000 }, () => ["x"]);
  expect(table(["A"], rows)).toHaveLength(1 + 2 * rows.length);
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

test("progress without a terminal is a line at the beginning, and then every five seconds", () => {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, "write");
  const show = progressBar(10_000, "published");
  for (const done of [1_000, 2_000, 3_000, 4_000, 5_000, 10_000]) {
    vi.advanceTimersByTime(2_000);
    show(done);
  }
  expect(write.mock.calls).toEqual([
    ["published 1,000 of 10,000, 2.0 s\n"],
    ["published 4,000 of 10,000, 8.0 s\n"],
  ]);
});

test("the end of the input means no", async () => {
  expect(await confirm("Continue?", new PassThrough().end())).toBe(false);
});
