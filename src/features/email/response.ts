// Maps e-mails to the responses that contract.ts and orders/contract.ts define.
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type { OrderResponse } from "../orders/contract.ts";
import type { SendResponse } from "./contract.ts";
import type { NextEmail, OrderEmails, SentEmail } from "./list-queries.ts";
import type { Invitation } from "./request.ts";

type EmailResponse = NonNullable<OrderResponse["recipients"][number]["emails"]>[number];

export function sendResponse(
  { orderId, sequence }: { orderId: number; sequence: number },
  { gift, sendAtMs }: { gift: Pick<Invitation["gift"], "email">; sendAtMs: number },
): SendResponse {
  return {
    status: "success",
    order_data: { order_id: orderId, order_number: orderNumber(orderId) },
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
    email: gift.email,
    send_at: new Date(sendAtMs).toISOString(),
  };
}

export const sentEmail = ({ kind, status, attemptedAtMs, reason }: SentEmail): EmailResponse => ({
  ...{ kind, status, reason },
  at: new Date(attemptedAtMs).toISOString(),
});

const nextEmail = ({ kind, atMs }: NextEmail): EmailResponse => ({
  ...{ kind, status: "scheduled", reason: null },
  at: new Date(atMs).toISOString(),
});

/** The e-mails of one gift, oldest first. The last one may be scheduled. */
export const emailsOf = (sequence: number, { sent, next }: OrderEmails): EmailResponse[] => [
  ...sent.filter((email) => email.sequence === sequence).map(sentEmail),
  ...next.filter((email) => email.sequence === sequence).map(nextEmail),
];
