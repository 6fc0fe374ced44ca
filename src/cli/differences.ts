// Runs all checks of the invariants for a command, and shows the differences that they have found.
import { checkAll, type Difference } from "../features/health/check.ts";
import { plural } from "../core/values/plural.ts";
import { showStatus, tableOf } from "./terminal.ts";

/** All differences. In a terminal, shows the progress. */
export async function findDifferences(d1: D1Database): Promise<Difference[]> {
  const found: Difference[] = [];
  let rows = 0;
  try {
    for await (const { differences, rowsRead } of checkAll(d1)) {
      // Not `push(...differences)`, whose arguments would overflow the stack at a hundred thousand differences.
      for (const difference of differences) found.push(difference);
      rows += rowsRead;
      showStatus(`${plural(rows, "row")} read, ${plural(found.length, "difference")}`);
    }
  } finally {
    showStatus("");
  }
  return found;
}

/** The differences that the table shows. --json has all of them. */
const MAX_SHOWN = 20;

export const differenceTable = (differences: Difference[]): string =>
  tableOf(differences.slice(0, MAX_SHOWN), {
    CHECK: (each) => each.check,
    OBJECT: (each) => each.object,
    CLIENT: (each) => each.clientId,
    FIELD: (each) => each.field,
    EXPECTED: (each) => JSON.stringify(each.expected),
    FOUND: (each) => JSON.stringify(each.found),
  });
