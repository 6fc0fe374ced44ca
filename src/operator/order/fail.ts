// Fails orders.
import { refusal } from "../../core/api-error.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { endGifts } from "../../features/lifecycle/end.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireOrder } from "./queries.ts";

/** One transaction. */
export const orderFail = change({
  name: "order fail",
  title: "Mark as failed",
  description:
    "Only unpaid orders can fail. Their stock is returned, and their gifts are cancelled.",
  permission: "money",
  isFinal: true,
  input: { order: kinds.order("Order") },
  examples: ['GO-00042 --reason "No transfer in 60 days"'],
  plan: async ({ DB }, { order: orderId }) => {
    const { clientId, orderTotalMinor, currency, gifts, status } = await requireOrder(DB, orderId);
    if (status !== "created") throw notUnpaid(orderId, status);
    const amount = amountText(orderTotalMinor, currency);
    return {
      orderId,
      will:
        `mark order ${orderNumber(orderId)} of ${clientId} (${amount}) as failed, ` +
        `and cancel ${plural(gifts.filter(({ obstacle }) => obstacle === null).length, "open gift")}`,
      subjects: [{ type: "order", keys: [orderId] }],
    };
  },
  run: async ({ DB, nowMs }, { orderId }) => {
    const failure = { kind: "fail", requestId: crypto.randomUUID(), giftIds: null } as const;
    const outcome = await endGifts(DB, { ...operatorKey(orderId), ...failure, nowMs });
    if (!outcome.changed) throw notUnpaid(orderId, outcome.order.status);
    return { text: `${orderNumber(orderId)} has failed.` };
  },
});

const notUnpaid = (orderId: number, status: string) =>
  refusal(
    `${orderNumber(orderId)} is ${statusLabel(status)}. Only unpaid orders can be marked as failed.`,
  );
