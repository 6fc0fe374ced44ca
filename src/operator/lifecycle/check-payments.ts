// Compares payments with the database before anything is changed.
import { findPaymentOrders, type PaymentOrder } from "./queries.ts";
import type { NamedPayment, PaymentFile } from "./payment-file.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountRule, amountWithCode, formatAmount, parseAmount } from "../../core/values/money.ts";

/** The number of orders that a call reads. */
const READ_ORDERS = 500;

export interface PaymentRow {
  row: number | null;
  order: string;
  client: string | null;
  amount: string | null;
  reference: string | null;
  result: "paid" | "unchanged" | "refused" | "invalid";
  reason: string | null;
}

/** A row that names no order, or one that cannot be paid as named. */
function invalidRow(
  { row, text }: Pick<NamedPayment, "row" | "text">,
  reason: string | null,
): PaymentRow {
  const none = { client: null, amount: null, reference: null };
  return { row, order: text, ...none, result: "invalid", reason };
}

/** Payments of whole orders, each order once. */
export function namedOrders(orderIds: readonly number[]): PaymentFile {
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

/** The payments with their orders, and the rows that cannot be paid. `reference` is that of rows without one. */
export async function checkPayments(
  DB: D1Database,
  { payments, faults }: PaymentFile,
  reference: string | null,
) {
  const known: KnownPayment[] = [];
  const invalid = faults.map(({ row, text, reason }) => invalidRow({ row, text }, reason));
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
      } else invalid.push(invalidRow(payment, reason));
    }
  }
  return { known, faults: invalid };
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
  const owed = formatAmount(order.owedMinor, order.currency);
  return `owes ${owed}, not ${amountWithCode(amountMinor, order.currency)}`;
}
