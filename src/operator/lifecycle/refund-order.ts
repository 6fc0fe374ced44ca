// Records that the payment of ended gifts of an order on invoice was refunded.
import { orderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { type OrderPreview, recordRefund } from "./queries.ts";
import { requireOrder } from "./require-order.ts";

interface OrderRefund {
  orderId: number;
  /** The bank's reference. */
  reference: string;
  /** Stored in the audit log with the reference. */
  reason: string | null;
}

interface Plan extends PlannedChange {
  orderId: number;
  reference: string;
  refundMinor: number;
  /** Such as `10.00 AUD`. */
  amount: string;
}

type Outcome = { order: string; refunded: string; reference: string };

/** Records the whole amount that is to be refunded. It moves no money. One transaction. */
export const REFUND_ORDER: Change<OrderRefund, Plan, Outcome> = {
  action: "order refund",
  plan: async ({ DB }, { orderId, reference, reason }) => {
    const preview = await requireOrder(DB, orderId);
    const { owedMinor, clientId, currency } = preview;
    const number = orderNumber(orderId);
    if (owedMinor === null || owedMinor >= 0) {
      throw new Refusal(`there is nothing to refund for ${number}: ${reasonOf(preview)}.`);
    }
    const amount = amountWithCode(-owedMinor, currency);
    return {
      orderId,
      reference,
      refundMinor: -owedMinor,
      amount,
      description: `record that ${amount} was refunded to ${clientId} for order ${number}`,
      subjects: [{ type: "order", keys: [orderId] }],
      reason: reason === null ? reference : `${reference}: ${reason}`,
    };
  },
  run: async ({ DB }, { orderId, reference, refundMinor, amount }, nowMs) => {
    const order = orderNumber(orderId);
    if (!(await recordRefund(DB, { orderId, reference, refundMinor, nowMs }))) {
      throw new Refusal(`${order} has changed since it was checked. Nothing was changed.`);
    }
    return { order, refunded: amount, reference };
  },
};

function reasonOf({ owedMinor, status }: OrderPreview): string {
  if (owedMinor === null) return "it is not an order on invoice";
  return status === "created" ? "it is not paid" : "no refund is due";
}
