// `order pay`: records payments of orders on invoice, from the command line or from a file.
import type { Command } from "../command.ts";
import {
  MAX_REFERENCE,
  PAYMENT_COLUMNS,
  readPaymentFile,
} from "../../operator/lifecycle/payment-file.ts";
import { paymentsChange, RefusedPayments } from "../../operator/lifecycle/pay-orders.ts";
import { namedOrders } from "../../operator/lifecycle/check-payments.ts";
import { printFaults, report } from "../payment/results.ts";
import { Refusal } from "../../operator/refusal.ts";
import { readInput } from "../input-file.ts";
import { orderIdOf, requireOne, textOption } from "../options.ts";
import { inTransactions, runOperation } from "../run.ts";

export function payCommand(order: Command): void {
  order
    .command("pay [order...]")
    .description("mark created orders as paid")
    .option("--reference <text>", "the bank's reference, for the statement and the audit log")
    .option("--file <csv>", "the orders of a CSV file")
    .details(
      `
--file reads CSV in UTF-8, UTF-16 or Excel's code page, with commas, semicolons or tabs. A row names an order with
${PAYMENT_COLUMNS.order.join(" or ")}, or with ${PAYMENT_COLUMNS.client[0]} and ${PAYMENT_COLUMNS.orderRefId[0]}. If it has a currency, it must be
the order's. If it has an amount and the order is unpaid, it must be the amount that the client owes. Its reference
replaces --reference. Other columns are ignored.

All orders are checked first. If one cannot be paid, nothing is changed. Orders that are paid already stay unchanged
and are listed, so that the command can be repeated after an interruption. A payment belongs to the month in which it
is recorded.

Examples:
  npm run ops -- order pay GO-00042
  npm run ops -- order pay GO-00042 GO-00051 --reference "Transfer 4711"
  npm run ops -- order pay --file payments.csv --env production`,
    )
    .action(async (orders, { file, ...options }, command) => {
      requireOne("orders or --file", orders[0], file);
      const reference = options.reference?.trim() ?? null;
      if (reference !== null) textOption("--reference", reference, MAX_REFERENCE);
      const named =
        file === undefined
          ? namedOrders(orders.map((order) => orderIdOf(order)))
          : await readInput(file, "a file of payments", readPaymentFile);
      if (named.payments.length + named.faults.length === 0) {
        throw new Refusal(`${file ?? ""} contains no payments.`);
      }
      const change = paymentsChange((transactions, work) =>
        inTransactions(command, transactions, work),
      );
      await runOperation(command, change, { ...named, reference }, (rows) => {
        report(command, file, rows);
      }).catch((error: unknown) => {
        throw error instanceof RefusedPayments ? printFaults(command, file, error.rows) : error;
      });
    });
}
