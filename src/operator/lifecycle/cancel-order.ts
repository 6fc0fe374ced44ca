// Cancels an order, or some of its gifts.
import { ApiError } from "../../core/api-error.ts";
import { orderNumber, splitSuborderId, suborderId, suborderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { cancel, type Cancelled } from "../../features/lifecycle/cancel.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { invoicePreview, type OrderPreview, refundPreview } from "./queries.ts";
import { requireOrder } from "./require-order.ts";

const ADVICE = " Redeemed gifts that are not shipped are cancelled only if you choose to.";

interface OrderCancellation {
  orderId: number;
  /** Null for the whole order. */
  suborderIds: number[] | null;
  /** Whether redeemed gifts that are not shipped are cancelled too. */
  withRedeemed: boolean;
}

type Plan = PlannedChange & OrderCancellation;

export interface OrderCancelled extends Pick<Cancelled, "order" | "ended" | "returnedMinor"> {
  /** The named gifts that stay as they are. */
  redeemed: Cancelled["gifts"];
  shipped: Cancelled["gifts"];
}

/** Cancels open gifts, and returns their stock and credit. One transaction. */
export const CANCEL_ORDER: Change<OrderCancellation, Plan, OrderCancelled> = {
  action: "order cancel",
  plan: async ({ DB }, { orderId, suborderIds, withRedeemed }) => {
    const order = await requireOrder(DB, orderId);
    refuseUnknown(order, suborderIds ?? []);
    const countOf = (gifts: number[]) =>
      gifts.filter((sequence) => suborderIds?.includes(suborderId(orderId, sequence)) ?? true)
        .length;
    const isOver = order.status === "cancieled" || order.status === "failed";
    const open = isOver ? 0 : countOf(order.openGifts);
    const redeemed = withRedeemed ? countOf(order.redeemedGifts) : 0;
    const amount = (minor: number) => amountWithCode(minor, order.currency);
    const invoiced = amount(invoicePreview(order, open + redeemed));
    return {
      orderId,
      suborderIds,
      withRedeemed,
      description:
        `cancel ${plural(open, "open gift")}` +
        (withRedeemed ? ` and ${plural(redeemed, "redeemed gift")}` : "") +
        ` of order ${orderNumber(orderId)} of ${order.clientId}, ` +
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
  },
  run: async ({ DB }, { orderId, suborderIds, withRedeemed }, nowMs) => {
    const cancelled = await cancel(DB, {
      ...operatorKey(orderId),
      suborderIds,
      withRedeemed,
      requestId: crypto.randomUUID(),
      nowMs,
    });
    if (cancelled instanceof ApiError) {
      const { redeemedGifts } = await requireOrder(DB, orderId);
      const isRedeemed = redeemedGifts.some(
        (sequence) => suborderIds?.includes(suborderId(orderId, sequence)) ?? true,
      );
      throw new Refusal(cancelled.message + (isRedeemed && !withRedeemed ? ADVICE : ""));
    }
    const { order, ended, returnedMinor, changed } = cancelled;
    if (!changed) {
      const subject = suborderIds
        ? "these gifts are cancelled or expired"
        : `${orderNumber(orderId)} is cancelled`;
      throw new Refusal(`${subject} already. Nothing was changed.`);
    }
    const named = order.gifts.filter(
      ({ sequence }) => suborderIds?.includes(suborderId(orderId, sequence)) ?? true,
    );
    return {
      order,
      ended,
      returnedMinor,
      redeemed: named.filter(({ redemptionStatus }) => redemptionStatus === "redeemed"),
      shipped: named.filter(
        ({ redemptionStatus, hasShipment }) => redemptionStatus === null && hasShipment,
      ),
    };
  },
};

/** Errors: `Refusal` for an id of a gift that the order does not have. */
function refuseUnknown({ id, qty }: OrderPreview, suborderIds: number[]): void {
  const unknown = suborderIds
    .map(splitSuborderId)
    .find(({ orderId, sequence }) => orderId !== id || sequence > qty);
  if (!unknown) return;
  const number = suborderNumber(unknown.orderId, unknown.sequence);
  throw new Refusal(`${number} must be a sub-order of ${orderNumber(id)}.`);
}
