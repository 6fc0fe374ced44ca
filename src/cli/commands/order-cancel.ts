// `order cancel`: cancels an order, or some of its gifts.
import type { Command } from "commander";
import { ApiError } from "../../api-error.ts";
import type { Bindings } from "../../env.ts";
import { refundPreview } from "../../lifecycle/admin.ts";
import { operatorKey } from "../../lifecycle/order-key.ts";
import { cancel, type Cancelled, numbersOf } from "../../lifecycle/cancel.ts";
import { orderNumber, splitSuborderId, suborderId, suborderNumber } from "../../values/ids.ts";
import { formatAmount } from "../../values/money.ts";
import { Refusal } from "../errors.ts";
import { orderIdOf, suborderIdOf } from "../options.ts";
import { type Change, printChange, runChange } from "../run.ts";
import { plural } from "../terminal.ts";
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
      (gift: string, gifts: string[] | undefined) => [...(gifts ?? []), gift],
    )
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- order cancel GO-00042
  npm run ops -- order cancel GO-00042 --gift GO-00042-1 --gift GO-00042-3`,
    )
    .action(runCancel);
}

async function runCancel(
  order: string,
  { gift: gifts }: { gift?: string[] },
  command: Command,
): Promise<void> {
  const orderId = orderIdOf(order);
  const number = orderNumber(orderId);
  const suborderIds = gifts
    ? [...new Set(gifts.map((gift) => suborderIdOf(gift, "--gift")))]
    : null;
  const plan = async ({ DB }: Bindings): Promise<Change> => {
    const order = await requireOrder(DB, orderId);
    const { clientId, openGifts, currency } = order;
    const named = openGifts.filter((sequence) =>
      suborderIds?.includes(suborderId(orderId, sequence)),
    );
    const count = suborderIds ? named.length : openGifts.length;
    const refund = `${formatAmount(refundPreview(order, count))} ${currency}`;
    return {
      description:
        `cancel ${plural(count, "open gift")} of order ${number} of ${clientId}, ` +
        `and return ${refund} of credit`,
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
  };
  const amount = (minor: number) => `${formatAmount(minor)} ${order.currency}`;
  const lines = [
    ...(ended.length > 0 ? [`Cancelled: ${numbersOf(order, ended)}.`] : []),
    ...(order.refundedMinor > 0
      ? [`Returned credit: ${amount(returnedMinor)}, in total ${amount(order.refundedMinor)}.`]
      : []),
    ...(redeemed.length > 0 ? [`Redeemed, unchanged: ${numbersOf(order, redeemed)}.`] : []),
    ...(shipped.length > 0 ? [`Shipped, unchanged: ${numbersOf(order, shipped)}.`] : []),
    ...(order.status === "cancieled" ? [`${number} is cancelled.`] : []),
  ];
  printChange(command, outcome, lines.join("\n"));
}

/** The refusal with the names of the command line instead of those of the API. */
function toRefusal({ message }: ApiError, suborderIds: number[]): Refusal {
  return new Refusal(
    message.replaceAll(/suborder_ids\[(\d+)\]/g, (_, index: string) => {
      const { orderId, sequence } = splitSuborderId(suborderIds[Number(index)] ?? 0);
      return `--gift ${suborderNumber(orderId, sequence)}`;
    }),
  );
}
