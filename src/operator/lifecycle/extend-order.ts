// Changes the last day of an order's gifts.
import { orderNumber, suborderId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { extend } from "../../features/lifecycle/extend.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { requireOrder, unknownOrder } from "./require-order.ts";

interface OrderExtension {
  orderId: number;
  /** A day that `redeemByRange` contains. Null for gifts that do not expire. */
  redeemBy: string | null;
}

type Plan = PlannedChange & OrderExtension;

interface Extended {
  order: string;
  redeemBy: string | null;
  openGifts: number;
  expiredGifts: number;
}

/** Sets the last day of all open gifts. Expired gifts stay expired. One transaction. */
export const EXTEND_ORDER: Change<OrderExtension, Plan, Extended> = {
  action: "order extend",
  plan: async ({ DB }, { orderId, redeemBy }) => {
    const { clientId, openGifts } = await requireOrder(DB, orderId);
    const gifts = `${plural(openGifts.length, "open gift")} of order ${orderNumber(orderId)} of ${clientId}`;
    return {
      orderId,
      redeemBy,
      description:
        redeemBy === null
          ? `remove the last day of ${gifts}`
          : `set the last day of ${gifts} to ${redeemBy}`,
      // A gift may have a last day of its own, which the order's replaces.
      subjects: [
        { type: "order", keys: [orderId] },
        { type: "gift", keys: openGifts.map((sequence) => suborderId(orderId, sequence)) },
      ],
    };
  },
  run: async ({ DB }, { orderId, redeemBy }, nowMs) => {
    const order = orderNumber(orderId);
    const outcome = await extend(DB, orderId, redeemBy, nowMs);
    if (!outcome) throw unknownOrder(orderId);
    const { result, openGifts, expiredGifts } = outcome;
    switch (result) {
      case "not a gift-link order":
        throw new Refusal(`${order} has no gift links, so its gifts do not expire.`);
      case "expired":
        throw new Refusal(`the gifts of ${order} have expired. Expired gifts stay expired.`);
      case "no open gift":
        throw new Refusal(`${order} has no open gift.`);
      case "unchanged":
        throw new Refusal(`the gifts of ${order} ${lastDayText(redeemBy)} already.`);
      case "extended":
        return { order, redeemBy, openGifts, expiredGifts };
    }
  },
};

const lastDayText = (redeemBy: string | null) =>
  redeemBy === null ? "do not expire" : `can be accepted until ${redeemBy}`;

/** What has happened, in sentences. */
export const extendedText = ({ order, redeemBy, openGifts, expiredGifts }: Extended): string =>
  [
    `The gifts of ${order} ${lastDayText(redeemBy)}. Open gifts: ${String(openGifts)}.`,
    ...(expiredGifts > 0 ? [`Expired gifts, unchanged: ${String(expiredGifts)}.`] : []),
  ].join(" ");
