// `order refund`: records that a payment was refunded.
import type { Command } from "../command.ts";
import { REFUND_ORDER } from "../../operator/lifecycle/refund-order.ts";
import { orderIdOf, textOption } from "../options.ts";
import { printChange, runOperation } from "../run.ts";
import { MAX_REFERENCE } from "../../operator/lifecycle/payment-file.ts";

export function refundCommand(order: Command): void {
  order
    .command("refund <order>")
    .description(
      "record that the payment of cancelled or expired gifts of an order on invoice was refunded",
    )
    .requiredOption(
      "--reference <text>",
      "the bank's reference, or the invoice from which the amount was taken off",
    )
    .details(
      `
Records the whole amount that is to be refunded for the order, which the statement shows. The command moves no money.

Examples:
  npm run ops -- order refund GO-00042 --reference "Transfer 4712"
  npm run ops -- order refund GO-00042 --reference "Taken off GO-00051"`,
    )
    .action(async (order, options, command) => {
      const orderId = orderIdOf(order);
      const reference = options.reference.trim();
      textOption("--reference", reference, MAX_REFERENCE);
      const input = { orderId, reference, reason: null };
      await runOperation(command, REFUND_ORDER, input, (outcome) => {
        printChange(
          command,
          outcome,
          `The refund of ${outcome.refunded} for ${outcome.order} is recorded.`,
        );
      });
    });
}
