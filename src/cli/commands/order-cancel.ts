// `order cancel`: cancels an order, or some of its gifts.
import type { Command } from "../command.ts";
import { numbersOf } from "../../features/lifecycle/cancel.ts";
import { orderNumber, suborderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { CANCEL_ORDER, type OrderCancelled } from "../../operator/lifecycle/cancel-order.ts";
import { orderIdOf, repeated, suborderIdOf } from "../options.ts";
import { printChange, runOperation } from "../run.ts";

export function cancelCommand(order: Command): void {
  order
    .command("cancel <order>")
    .description(
      "cancel a created or paid order, or some of its gifts; stock and credit of gifts that are neither redeemed nor shipped are returned",
    )
    .option(
      "--gift <sub-order>",
      "cancel only this gift, such as GO-00042-3; may be repeated",
      repeated,
    )
    .option("--redeemed", "also cancel redeemed gifts that are not shipped yet")
    .details(
      `
A redeemed gift is cancelled only with --redeemed, for example because it cannot be delivered. Its page then shows that
it was cancelled, and its thank-you note is deleted. To correct its address instead, use "recipient correct".

Examples:
  npm run ops -- order cancel GO-00042
  npm run ops -- order cancel GO-00042 --gift GO-00042-1 --gift GO-00042-3
  npm run ops -- order cancel GO-00042 --gift GO-00042-2 --redeemed`,
    )
    .action(async (order, { gift: gifts, redeemed: withRedeemed = false }, command) => {
      const orderId = orderIdOf(order);
      const suborderIds = gifts
        ? [...new Set(gifts.map((gift) => suborderIdOf(gift, "--gift")))]
        : null;
      const cancellation = { orderId, suborderIds, withRedeemed };
      await runOperation(command, CANCEL_ORDER, cancellation, (outcome) => {
        printCancelled(command, outcome);
      });
    });
}

function printCancelled(
  command: Command,
  { order, ended, returnedMinor, redeemed, shipped }: OrderCancelled,
): void {
  const number = orderNumber(order.id);
  const numbers = (gifts: OrderCancelled["ended"]) =>
    gifts.map(({ sequence }) => suborderNumber(order.id, sequence));
  const outcome = {
    order: number,
    status: order.status,
    cancelled: numbers(ended),
    redeemed: numbers(redeemed),
    shipped: numbers(shipped),
    currency: order.currency,
    returnedMinor,
    returnedInTotalMinor: order.refundedMinor,
    ...(order.owedMinor !== null && { owedMinor: order.owedMinor }),
  };
  const amount = (minor: number) => amountWithCode(minor, order.currency);
  const lines = [
    ...(ended.length > 0 ? [`Cancelled: ${numbersOf(order, ended)}.`] : []),
    ...(order.refundedMinor > 0
      ? [`Returned credit: ${amount(returnedMinor)}, in total ${amount(order.refundedMinor)}.`]
      : []),
    ...(order.owedMinor !== null && order.owedMinor < 0
      ? [`To be refunded: ${amount(-order.owedMinor)}. Record it with "order refund".`]
      : []),
    ...(redeemed.length > 0 ? [`Redeemed, unchanged: ${numbersOf(order, redeemed)}.`] : []),
    ...(shipped.length > 0 ? [`Shipped, unchanged: ${numbersOf(order, shipped)}.`] : []),
    ...(order.status === "cancieled" ? [`${number} is cancelled.`] : []),
  ];
  printChange(command, outcome, lines);
}
