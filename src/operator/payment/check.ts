// Compares payments with the database before anything is changed.
import type { NamedPayment, PaymentFault, PaymentFile } from "./file.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountRule, amountText, parseAmount } from "../../core/values/money.ts";
import { findPaymentOrders, type PaymentOrder } from "./queries.ts";

/** The number of orders that a call reads. */
const READ_ORDERS = 500;

/** Payments of whole orders, each order once. */
export function namedOrders(orderIds: readonly number[]): Pick<PaymentFile, "payments" | "faults"> {
  const none = { row: null, amount: null, currency: null, reference: null };
  const payments = [...new Set(orderIds)].map((id) => ({
    ...none,
    text: orderNumber(id),
    name: { id },
  }));
  return { payments, faults: [] };
}

/** A payment whose order exists, and can be paid or is paid already. */
export type KnownPayment = NamedPayment & { order: PaymentOrder };

/** The payments with their orders, and those that cannot be paid. `reference` is that of rows without one. */
export async function checkPayments(
  DB: D1Database,
  { payments, faults }: Pick<PaymentFile, "payments" | "faults">,
  reference: string | null,
): Promise<{ known: KnownPayment[]; faults: PaymentFault[] }> {
  const known: KnownPayment[] = [];
  const all = [...faults];
  const rows = new Map<number, number | null>();
  for (const chunk of chunksOf(payments, READ_ORDERS)) {
    const orders = await findPaymentOrders(
      DB,
      chunk.map(({ name }) => name),
    );
    for (const [index, payment] of chunk.entries()) {
      const order = orders[index];
      const reason = order ? (repeated(rows, order.id) ?? faultOf(payment, order)) : NOT_FOUND;
      if (order && reason === null) {
        const text = orderNumber(order.id);
        known.push({ ...payment, text, order, reference: payment.reference ?? reference });
        rows.set(order.id, payment.row);
      } else all.push({ row: payment.row, order: payment.text, reason: reason ?? NOT_FOUND });
    }
  }
  return { known, faults: all };
}

const NOT_FOUND = "does not exist";

const repeated = (rows: Map<number, number | null>, id: number) =>
  rows.has(id) ? `is also in row ${String(rows.get(id))}` : null;

/** Why the order cannot be paid as named. Null if it can, or if it is paid already. */
function faultOf({ amount, currency }: NamedPayment, order: PaymentOrder): string | null {
  if (order.status === "failed") return "has failed";
  if (order.status === "cancieled") return "is cancelled";
  if (currency !== null && currency !== order.currency) {
    return `is in ${order.currency}, not in ${currency}`;
  }
  if (order.status === "paid" || amount === null) return null;
  const amountMinor = parseAmount(amount, order.currency);
  if (amountMinor === undefined) return `${amountRule(amount, order.currency)}: ${amount}`;
  if (amountMinor === order.owedMinor) return null;
  const owed = amountText(order.owedMinor, order.currency);
  return `owes ${owed}, not ${amountText(amountMinor, order.currency)}`;
}
