// `order extend`: changes the last day of an order's gifts.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { extend } from "../../operator/lifecycle/extend.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { redeemByRange } from "../../core/values/redeem-by.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { dayOption, orderIdOf } from "../options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { printChange, runChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { requireOrder, unknownOrder } from "./order-preview.ts";

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
      const number = orderNumber(orderId);
      if (options.expiry === (options.redeemBy === undefined)) {
        throw new UsageError("give either --redeem-by or --no-expiry.");
      }
      const redeemBy = options.redeemBy === undefined ? null : lastDayOption(options.redeemBy);
      const plan = async ({ DB }: Bindings): Promise<PlannedChange> => {
        const { clientId, openGifts } = await requireOrder(DB, orderId);
        const gifts = `${plural(openGifts.length, "open gift")} of order ${number} of ${clientId}`;
        return {
          description:
            redeemBy === null
              ? `remove the last day of ${gifts}`
              : `set the last day of ${gifts} to ${redeemBy}`,
          subjects: [{ type: "order", keys: [orderId] }],
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        const outcome = await extend(DB, orderId, redeemBy, Date.now());
        if (!outcome) throw unknownOrder(orderId);
        const { result, openGifts, expiredGifts } = outcome;
        const lastDay = redeemBy === null ? "do not expire" : `can be accepted until ${redeemBy}`;
        switch (result) {
          case "not a gift-link order":
            throw new Refusal(`${number} has no gift links, so its gifts do not expire.`);
          case "expired":
            throw new Refusal(`the gifts of ${number} have expired. Expired gifts stay expired.`);
          case "no open gift":
            throw new Refusal(`${number} has no open gift.`);
          case "unchanged":
            throw new Refusal(`the gifts of ${number} ${lastDay} already.`);
          case "extended": {
            const sentences = [
              `The gifts of ${number} ${lastDay}. Open gifts: ${String(openGifts)}.`,
              ...(expiredGifts > 0 ? [`Expired gifts, unchanged: ${String(expiredGifts)}.`] : []),
            ];
            printChange(
              command,
              { order: number, redeemBy, openGifts, expiredGifts },
              sentences.join(" "),
            );
          }
        }
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
