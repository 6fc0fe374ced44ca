// `gift extend`: changes the last day of a single gift.
import type { Command } from "../command.ts";
import { EXTEND_GIFT } from "../../operator/lifecycle/extend-gift.ts";
import { suborderIdOf } from "../options.ts";
import { printChange, runOperation } from "../run.ts";
import { lastDayOption } from "./order-extend.ts";

export function extendGiftCommand(gift: Command): void {
  gift
    .command("extend <sub-order>")
    .description("change the last day of a single open gift; an expired gift stays expired")
    .requiredOption("--redeem-by <date>", "the last day on which the gift can be accepted")
    .details(
      `
The other gifts of the order keep their last day. "order extend" changes it for all gifts of an order, also for this one.

Example:
  npm run ops -- gift extend GO-00042-3 --redeem-by 2027-03-31`,
    )
    .action(async (suborder, options, command) => {
      const giftId = suborderIdOf(suborder, "<sub-order>");
      const redeemBy = lastDayOption(options.redeemBy);
      await runOperation(command, EXTEND_GIFT, { giftId, redeemBy }, (outcome) => {
        printChange(
          command,
          outcome,
          `${outcome.suborder} can be accepted until ${outcome.redeemBy}.`,
        );
      });
    });
}
