// Tables, and control characters in displayed text.
import { expect, test } from "vitest";
import { fields, textTable } from "../../../src/cli/operations/table.ts";

test("text is printed on one line without control characters", () => {
  const forged = "PO-1\nGO-00001  paid\u001b[2J\u009b31m";
  const rows = textTable(["ORDER", "REFERENCE"], [["GO-00042", forged]]).split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toBe("GO-00042  PO-1\ufffdGO-00001  paid\ufffd[2J\ufffd31m");
  expect(fields({ reference: forged, note: null })).toMatch(
    /^reference {2}PO-1\ufffd.*\nnote {7}-$/,
  );
});

test("text of other directions and line separators does not change the look of a line", () => {
  const forged = "a\u202eb\u2066c\u2028d";
  expect(textTable(["NAME"], [[forged]])).toBe("NAME\na\ufffdb\ufffdc\ufffdd");
});

test("columns are aligned by the width of their characters in a terminal", () => {
  const rows = [
    ["GO-00001-1", "山田 太郎", 3, "東京"],
    ["GO-00001-2", "José Ñandú", 12, "Lima"],
    ["GO-00001-3", "ｶﾅ e\u0301 👩‍👧", 1, "Oslo"],
  ];
  const lines = textTable(["SUB-ORDER", "NAME", "QTY", "CITY"], rows).split("\n");
  expect(lines).toEqual([
    "SUB-ORDER   NAME        QTY  CITY",
    "GO-00001-1  山田 太郎     3  東京",
    "GO-00001-2  José Ñandú   12  Lima",
    "GO-00001-3  ｶﾅ e\u0301 👩‍👧       1  Oslo",
  ]);
});

test("a table may have hundreds of thousands of rows", () => {
  const rows = Array.from({ length: 200_000 }, () => ["x"]);
  expect(textTable(["A"], rows)).toHaveLength(1 + 2 * rows.length);
});
