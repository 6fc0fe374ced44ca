// The results of `order pay`: for each order or row of a file, what was done.
import type { Command } from "../command.ts";
import type { NamedPayment } from "../../operator/lifecycle/payment-file.ts";
import { formatAmount } from "../../core/values/money.ts";
import { Refusal } from "../errors.ts";
import { print, printChange } from "../run.ts";
import { plural, table } from "../terminal.ts";
import type { KnownPayment } from "./check.ts";

export interface RowResult {
  row: number | null;
  order: string;
  client: string | null;
  amount: string | null;
  reference: string | null;
  result: "paid" | "unchanged" | "refused" | "invalid";
  reason: string | null;
}

const byRow = (a: RowResult, b: RowResult) => (a.row ?? 0) - (b.row ?? 0);

export const invalidRow = (
  { row, text }: Pick<NamedPayment, "row" | "text">,
  reason: string | null,
): RowResult => ({
  ...{ row, order: text, client: null, amount: null, reference: null, result: "invalid", reason },
});

export const resultOf = (
  { row, text, order, reference }: KnownPayment,
  result: RowResult["result"],
  reason: string | null = null,
): RowResult => ({
  ...{ row, order: text, client: order.clientId, reference, result, reason },
  amount: order.status === "paid" ? null : `${formatAmount(order.owedMinor)} ${order.currency}`,
});

/** Prints a table of the faults and returns the refusal, which alone names a single order of the command line. */
export function printFaults(
  command: Command,
  file: string | undefined,
  faults: RowResult[],
): Refusal {
  const rows = faults.toSorted(byRow);
  const [first] = rows;
  if (file === undefined && rows.length === 1 && first) {
    return new Refusal(`${first.order} ${first.reason ?? ""}. Nothing was changed.`);
  }
  print(command, { file, rows }, () => resultTable(rows));
  const count =
    file === undefined ? plural(rows.length, "order") : plural(rows.length, "invalid row");
  return new Refusal(
    file === undefined
      ? `${count} cannot be paid. Nothing was changed.`
      : `${file} has ${count}. Nothing was changed. Correct the file.`,
  );
}

/** Errors: `Refusal` if an order was refused. */
export function report(command: Command, file: string | undefined, results: RowResult[]): void {
  const rows = results.toSorted(byRow);
  const withResult = (result: RowResult["result"]) => rows.filter((each) => each.result === result);
  const paid = withResult("paid");
  const unchanged = withResult("unchanged");
  const refused = withResult("refused");
  const counts = { paid: paid.length, unchanged: unchanged.length, refused: refused.length };
  const [first] = rows;
  if (rows.length === 1 && first?.result === "paid") {
    const { order, amount, reference } = first;
    printChange(command, { order, status: "paid", amount, reference }, `${order} is paid.`);
    return;
  }
  printChange(command, { file, counts, rows }, () =>
    [
      resultTable(rows),
      "",
      [
        `${plural(paid.length, "order")} ${paid.length === 1 ? "is" : "are"} paid.`,
        ...(unchanged.length > 0 ? [`Paid already, unchanged: ${String(unchanged.length)}.`] : []),
      ].join(" "),
    ].join("\n"),
  );
  if (refused.length > 0) {
    throw new Refusal(
      `${plural(refused.length, "order")} changed meanwhile. Run the command again.`,
    );
  }
}

const resultTable = (rows: RowResult[]) =>
  table(
    ["ROW", "ORDER", "CLIENT", "AMOUNT", "REFERENCE", "RESULT", "REASON"],
    rows.map(({ row, order, client, amount, reference, result, reason }) => [
      ...[row, order, client, amount, reference, result, reason],
    ]),
  );
