// The documented columns of the pick list and of files with tracking.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { csvHeader } from "../../../src/operator/declaration/show.ts";
import { PICK_LIST_COLUMNS } from "../../../src/operator/shipment/picklist.ts";
import { TRACKING_FIELDS } from "../../../src/operator/shipment/tracking-file.ts";

const COLUMNS = csvHeader(PICK_LIST_COLUMNS);

/** The code spans in a column of the table of docs/shipments.md that has this head. */
function codeIn(head: RegExp, column: number): string[][] {
  const lines = readFileSync(path.join(PROJECT_ROOT, "docs/shipments.md"), "utf8").split("\n");
  const start = lines.findIndex((line) => head.test(line));
  expect(start).toBeGreaterThan(-1);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines
    .slice(start + 2, end)
    .map((line) =>
      [...(line.split("|")[column] ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
    );
}

test("docs/shipments.md lists the columns of the pick list in their order", () => {
  expect(codeIn(/^\| column +\| content/, 1).flat()).toEqual(COLUMNS);
});

test("docs/shipments.md lists the names of the columns of files", () => {
  const names = Object.values(TRACKING_FIELDS).map((field) => field.names.split(", "));
  expect(codeIn(/^\| value +\| names of the column/, 2)).toEqual(names);
});

test("the first column and the last three of the pick list are read from files", () => {
  const { gift, carrier, tracking_number, tracking_url } = TRACKING_FIELDS;
  const names = [gift, carrier, tracking_number, tracking_url].map((each) =>
    each.names.replace(/,.*/, ""),
  );
  const read = [COLUMNS[0], ...COLUMNS.slice(-3)].map((each) => each?.replaceAll("_", " "));
  expect(read).toEqual(names);
});
