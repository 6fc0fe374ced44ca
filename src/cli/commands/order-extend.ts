// `order extend`: changes the last day of an order's gifts.
import type { Command } from "../command.ts";
import { EXTEND_ORDER, extendedText } from "../../operator/lifecycle/extend-order.ts";
import { redeemByRange } from "../../core/values/redeem-by.ts";
import { UsageError } from "../errors.ts";
import { dayOption, orderIdOf } from "../options.ts";
import { printChange, runOperation } from "../run.ts";

export function extendCommand(order: Command): void {
  order
    .command("extend <order>")
    .description(
      "change the last day of all open gifts of a gift-link order; expired gifts stay expired",
    )
    .option("--redeem-by <date>", "the last day on which the gifts can be accepted")
    .option("--no-expiry", "the gifts do not expire")
    .examples("order extend GO-00042 --redeem-by 2027-03-31", "order extend GO-00042 --no-expiry")
    .action(async (order, options, command) => {
      const orderId = orderIdOf(order);
      if (options.expiry === (options.redeemBy === undefined)) {
        throw new UsageError("give either --redeem-by or --no-expiry.");
      }
      const redeemBy = options.redeemBy === undefined ? null : lastDayOption(options.redeemBy);
      await runOperation(command, EXTEND_ORDER, { orderId, redeemBy }, (outcome) => {
        printChange(command, outcome, extendedText(outcome));
      });
    });
}

/** A last day that gifts may have. Errors: `UsageError`. */
export function lastDayOption(redeemBy: string): string {
  dayOption("--redeem-by", redeemBy);
  const { first, last } = redeemByRange(Date.now());
  if (redeemBy >= first && redeemBy <= last) return redeemBy;
  throw new UsageError(`--redeem-by must be a day from ${first} to ${last}: ${redeemBy}`);
}
