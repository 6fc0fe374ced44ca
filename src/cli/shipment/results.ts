// The results of `shipment ship`, `deliver`, `correct` and `reopen`: for each gift or row of a file, what was done.
import type { Command } from "../command.ts";
import { Refusal } from "../../operator/refusal.ts";
import {
  countsOf,
  countsText,
  isRefused,
  type ShipmentRow,
} from "../../operator/fulfilment/requested-shipments.ts";
import { printChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { tableOf } from "../terminal.ts";

/**
 * Prints the results. `file` is undefined if the gift was named on the command line. `repeated` is the number of rows that
 * repeat another row. Errors: `Refusal` if rows of the file were refused or invalid.
 */
export function reportResults(
  command: Command,
  { file, dryRun, repeated }: { file: string | undefined; dryRun: boolean; repeated: number },
  rows: ShipmentRow[],
): void {
  const refused = rows.filter(isRefused);
  const [first] = rows;
  if (file === undefined && first) {
    const would = dryRun && first.result !== "unchanged" ? "would be " : "";
    printChange(command, { dryRun, ...first }, `${first.suborder}: ${would}${first.result}.`);
    return;
  }
  const counts = countsOf(rows, repeated);
  printChange(command, { file, dryRun, counts, rows }, () => {
    const summary = countsText(counts);
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

export const resultTable = (rows: ShipmentRow[]) =>
  tableOf(rows, {
    ROW: (each) => each.row,
    "SUB-ORDER": (each) => each.suborder,
    RESULT: (each) => each.result,
    REASON: (each) => each.reason,
  });
