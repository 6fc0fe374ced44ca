// Records that the payment of ended gifts of an order on invoice was refunded.
import { refusal } from "../../core/api-error.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import type { OrderState } from "../../features/lifecycle/queries.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { MAX_REFERENCE } from "../payment/file.ts";
import { recordRefund } from "./refund-queries.ts";
import { requireOrder } from "./queries.ts";

/** Records the whole amount that is to be refunded. One transaction. */
export const orderRefund = change({
  name: "order refund",
  title: "Record a refund",
  description: "Records the whole amount that is to be refunded. It moves no money.",
  permission: "money",
  isFinal: true,
  input: {
    order: kinds.order("Order"),
    reference: kinds.text("Bank reference", {
      max: MAX_REFERENCE,
      hint: "Or the invoice from which the amount was taken off.",
    }),
  },
  examples: ['GO-00042 --reference "Transfer 4712" --reason "Ticket 7"'],
  present: async ({ DB }, { order = 0 }) => {
    await requireRefund(DB, order);
    return {};
  },
  plan: async ({ DB }, { order: orderId, reference }) => {
    const { refundMinor, clientId, currency } = await requireRefund(DB, orderId);
    const number = orderNumber(orderId);
    return {
      orderId,
      reference,
      refundMinor,
      currency,
      will: `record that ${amountText(refundMinor, currency)} was refunded to ${clientId} for order ${number}`,
      subjects: [{ type: "order", keys: [orderId] }],
    };
  },
  run: async ({ auditing, nowMs }, { orderId, reference, refundMinor, currency, subjects }) => {
    const order = orderNumber(orderId);
    const db = auditing(subjects, reference);
    if (!(await recordRefund(db, { orderId, reference, refundMinor, nowMs }))) {
      throw refusal(`${order} has changed since it was checked. Nothing was changed.`);
    }
    return {
      text: `The refund of ${amountText(refundMinor, currency)} for ${order} is recorded.`,
    };
  },
});

/** Errors: `not_found`; `not_allowed_in_state` if nothing is to be refunded. */
async function requireRefund(db: D1Database, orderId: number) {
  const preview = await requireOrder(db, orderId);
  const { owedMinor } = preview;
  if (owedMinor !== null && owedMinor < 0) return { ...preview, refundMinor: -owedMinor };
  const number = orderNumber(orderId);
  throw refusal(`there is nothing to refund for ${number}: ${reasonOf(preview)}.`);
}

function reasonOf({ owedMinor, status }: OrderState): string {
  if (owedMinor === null) return "it is not an order on invoice";
  return status === "created" ? "it is not paid" : "no refund is due";
}
