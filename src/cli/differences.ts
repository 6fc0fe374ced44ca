// The differences that the checks of the invariants have found, as a table.
import type { Difference } from "../health/check.ts";
import { table } from "./terminal.ts";

/** The differences that the table shows. --json has all of them. */
const MAX_SHOWN = 20;

export const differenceTable = (differences: Difference[]): string =>
  table(
    ["CHECK", "OBJECT", "CLIENT", "FIELD", "EXPECTED", "FOUND"],
    differences
      .slice(0, MAX_SHOWN)
      .map((each) => [
        ...[each.check, each.object, each.clientId, each.field],
        ...[JSON.stringify(each.expected), JSON.stringify(each.found)],
      ]),
  );
