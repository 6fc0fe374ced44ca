// Control characters in displayed text.
import { expect, test } from "vitest";
import { fields, table } from "../../src/cli/terminal.ts";

test("text is printed on one line without control characters", () => {
  const forged = "PO-1\nGO-00001  paid\u001b[2J\u009b31m";
  const rows = table(["ORDER", "REFERENCE"], [["GO-00042", forged]]).split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toBe("GO-00042  PO-1\ufffdGO-00001  paid\ufffd[2J\ufffd31m");
  expect(fields({ reference: forged, note: null })).toMatch(
    /^reference {2}PO-1\ufffd.*\nnote {7}-$/,
  );
});
