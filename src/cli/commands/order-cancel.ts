// `order cancel`: cancels an order, or some of its gifts.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import type { Bindings } from "../../platform/env.ts";
import { invoicePreview, refundPreview } from "../../operator/lifecycle/queries.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { cancel, type Cancelled, numbersOf } from "../../features/lifecycle/cancel.ts";
import { orderNumber, splitSuborderId, suborderId, suborderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { Refusal } from "../../operator/refusal.ts";
import { orderIdOf, repeated, suborderIdOf } from "../options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { printChange, runChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { requireOrder } from "./order-preview.ts";

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
      const number = orderNumber(orderId);
      const suborderIds = gifts
        ? [...new Set(gifts.map((gift) => suborderIdOf(gift, "--gift")))]
        : null;
      const plan = async ({ DB }: Bindings): Promise<PlannedChange> => {
        const order = await requireOrder(DB, orderId);
        const { clientId, currency } = order;
        const countOf = (gifts: number[]) =>
          gifts.filter((sequence) => suborderIds?.includes(suborderId(orderId, sequence)) ?? true)
            .length;
        const isOver = order.status === "cancieled" || order.status === "failed";
        const open = isOver ? 0 : countOf(order.openGifts);
        const redeemed = withRedeemed ? countOf(order.redeemedGifts) : 0;
        const amount = (minor: number) => amountWithCode(minor, currency);
        const invoiced = amount(invoicePreview(order, open + redeemed));
        return {
          description:
            `cancel ${plural(open, "open gift")}` +
            (withRedeemed ? ` and ${plural(redeemed, "redeemed gift")}` : "") +
            ` of order ${number} of ${clientId}, ` +
            (order.owedMinor === null
              ? `and return ${amount(refundPreview(order, open + redeemed))} of credit`
              : order.status === "created"
                ? `and reduce the unpaid amount by ${invoiced}`
                : `after which ${invoiced} must be refunded`),
          subjects: [
            { type: "order", keys: [orderId] },
            { type: "gift", keys: suborderIds ?? [] },
          ],
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        const cancelled = await cancel(DB, {
          ...operatorKey(orderId),
          suborderIds,
          withRedeemed,
          requestId: crypto.randomUUID(),
          nowMs: Date.now(),
        });
        if (cancelled instanceof ApiError) throw toRefusal(cancelled, suborderIds ?? []);
        if (!cancelled.changed) {
          const subject = gifts ? "these gifts are cancelled or expired" : `${number} is cancelled`;
          throw new Refusal(`${subject} already. Nothing was changed.`);
        }
        printCancelled(command, cancelled, suborderIds);
      });
    });
}

function printCancelled(
  command: Command,
  { order, ended, returnedMinor }: Pick<Cancelled, "order" | "ended" | "returnedMinor">,
  suborderIds: readonly number[] | null,
): void {
  const number = orderNumber(order.id);
  const named = order.gifts.filter(
    ({ sequence }) => suborderIds?.includes(suborderId(order.id, sequence)) ?? true,
  );
  const redeemed = named.filter(({ redemptionStatus }) => redemptionStatus === "redeemed");
  const shipped = named.filter(
    ({ redemptionStatus, hasShipment }) => redemptionStatus === null && hasShipment,
  );
  const numbers = (gifts: Cancelled["gifts"]) =>
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

/** The refusal with the names of the command line instead of those of the API. */
function toRefusal({ message }: ApiError, suborderIds: number[]): Refusal {
  const advice = /redeemed\b/.test(message)
    ? " Redeemed gifts that are not shipped are cancelled with --redeemed."
    : "";
  return new Refusal(
    message.replaceAll(/suborder_ids\[(\d+)\]/g, (_, index: string) => {
      const { orderId, sequence } = splitSuborderId(suborderIds[Number(index)] ?? 0);
      return `--gift ${suborderNumber(orderId, sequence)}`;
    }) + advice,
  );
}
