// `order refund`: records that a payment was refunded.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { type OrderPreview, recordRefund } from "../../operator/lifecycle/queries.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { Refusal } from "../../operator/refusal.ts";
import { orderIdOf, textOption } from "../options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { printChange, runChange } from "../run.ts";
import { MAX_REFERENCE } from "../../operator/lifecycle/payment-file.ts";
import { requireOrder } from "./order-preview.ts";

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
      const number = orderNumber(orderId);
      const reference = options.reference.trim();
      textOption("--reference", reference, MAX_REFERENCE);
      const plan = async ({ DB }: Bindings): Promise<PlannedChange & { amount: string }> => {
        const preview = await requireOrder(DB, orderId);
        const { owedMinor, clientId, currency } = preview;
        if (owedMinor === null || owedMinor >= 0) {
          throw new Refusal(`there is nothing to refund for ${number}: ${reasonOf(preview)}.`);
        }
        const amount = amountWithCode(-owedMinor, currency);
        return {
          amount,
          description: `record that ${amount} was refunded to ${clientId} for order ${number}`,
          subjects: [{ type: "order", keys: [orderId] }],
          reason: reference,
        };
      };
      await runChange(command, plan, async ({ DB }, { amount }) => {
        if (!(await recordRefund(DB, { orderId, reference, nowMs: Date.now() }))) {
          throw new Refusal(`${number} has changed since it was checked. Nothing was changed.`);
        }
        printChange(
          command,
          { order: number, refunded: amount, reference },
          `The refund of ${amount} for ${number} is recorded.`,
        );
      });
    });
}

function reasonOf({ owedMinor, status }: OrderPreview): string {
  if (owedMinor === null) return "it is not an order on invoice";
  return status === "created" ? "it is not paid" : "no refund is due";
}
