// The results of `order pay`: for each order or row of a file, what was done.
import type { Command } from "../command.ts";
import type { PaymentRow } from "../../operator/lifecycle/check-payments.ts";
import { Refusal } from "../../operator/refusal.ts";
import { print, printChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { tableOf } from "../terminal.ts";

const byRow = (a: PaymentRow, b: PaymentRow) => (a.row ?? 0) - (b.row ?? 0);

/** Prints a table of the faults and returns the refusal, which alone names a single order of the command line. */
export function printFaults(
  command: Command,
  file: string | undefined,
  faults: readonly PaymentRow[],
): Refusal {
  const rows = faults.toSorted(byRow);
  const [first] = rows;
  if (file === undefined && rows.length === 1 && first) {
    return new Refusal(`${first.order} ${first.reason ?? ""}. Nothing was changed.`);
  }
  print(command, { file, rows }, () => resultTable(rows));
  if (file === undefined) {
    return new Refusal(`${plural(rows.length, "order")} cannot be paid. Nothing was changed.`);
  }
  const count = plural(rows.length, "invalid row");
  return new Refusal(`${file} has ${count}. Nothing was changed. Correct the file.`);
}

/** Errors: `Refusal` if an order was refused. */
export function report(command: Command, file: string | undefined, results: PaymentRow[]): void {
  const rows = results.toSorted(byRow);
  const countOf = (result: PaymentRow["result"]) =>
    rows.filter((each) => each.result === result).length;
  const counts = {
    paid: countOf("paid"),
    unchanged: countOf("unchanged"),
    refused: countOf("refused"),
  };
  const [first] = rows;
  if (rows.length === 1 && first?.result === "paid") {
    const { order, amount, reference } = first;
    printChange(command, { order, status: "paid", amount, reference }, `${order} is paid.`);
    return;
  }
  const paid = `${plural(counts.paid, "order")} ${counts.paid === 1 ? "is" : "are"} paid.`;
  const unchanged = counts.unchanged && ` Paid already, unchanged: ${String(counts.unchanged)}.`;
  printChange(
    command,
    { file, counts, rows },
    () => `${resultTable(rows)}\n\n${paid}${unchanged || ""}`,
  );
  if (counts.refused > 0) {
    const changed = plural(counts.refused, "order");
    throw new Refusal(`${changed} changed meanwhile. Run the command again.`);
  }
}

const resultTable = (rows: PaymentRow[]) =>
  tableOf(rows, {
    ROW: (each) => each.row,
    ORDER: (each) => each.order,
    CLIENT: (each) => each.client,
    AMOUNT: (each) => each.amount,
    REFERENCE: (each) => each.reference,
    RESULT: (each) => each.result,
    REASON: (each) => each.reason,
  });
