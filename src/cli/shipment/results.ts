// The results of `shipment ship`, `deliver`, `correct` and `reopen`: for each gift or row of a file, what was done.
import type { Command } from "../command.ts";
import type { ShipmentOutcome } from "../../features/fulfilment/change.ts";
import { Refusal } from "../../operator/refusal.ts";
import { printChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { tableOf } from "../terminal.ts";

export interface RowResult {
  /** Null if the gift was named on the command line. */
  row: number | null;
  suborder: string;
  /** `invalid` and `untracked` rows were left out because of their content. */
  result: ShipmentOutcome["result"] | "untracked" | "invalid";
  reason: string | null;
}

/**
 * Prints the results. `file` is undefined if the gift was named on the command line. `repeated` is the number of rows that
 * repeat another row. Errors: `Refusal` if a gift was refused or a row was invalid.
 */
export function reportResults(
  command: Command,
  { file, dryRun, repeated }: { file: string | undefined; dryRun: boolean; repeated: number },
  results: RowResult[],
): void {
  const rows = results.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0));
  const refused = rows.filter(({ result }) => result === "refused" || result === "invalid");
  const [first] = rows;
  if (file === undefined && first) {
    if (refused.length > 0) throw new Refusal(`${first.suborder} ${first.reason ?? ""}.`);
    const would = dryRun && first.result !== "unchanged" ? "would be " : "";
    printChange(command, { dryRun, ...first }, `${first.suborder}: ${would}${first.result}.`);
    return;
  }
  const counts = { ...countsOf(rows), ...(repeated > 0 && { repeated }) };
  printChange(command, { file, dryRun, counts, rows }, () => {
    const summary = Object.entries(counts)
      .map(([result, count]) => `${result} ${count.toLocaleString("en")}`)
      .join(", ");
    const explained = rows.filter(({ reason }) => reason !== null);
    return [
      ...(explained.length > 0 ? [resultTable(explained), ""] : []),
      `${dryRun ? "Nothing was changed. A run without --dry-run would have the results" : "Results"}: ${summary}.`,
    ].join("\n");
  });
  if (refused.length > 0) {
    const were = refused.length === 1 ? "was" : "were";
    throw new Refusal(
      `${String(refused.length)} of ${plural(rows.length, "row")} ${were} refused. The reasons are listed.`,
    );
  }
}

/** The number of rows with each result, in the order of their first occurrence. */
function countsOf(results: RowResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

export const resultTable = (rows: RowResult[]) =>
  tableOf(rows, {
    ROW: (each) => each.row,
    "SUB-ORDER": (each) => each.suborder,
    RESULT: (each) => each.result,
    REASON: (each) => each.reason,
  });
