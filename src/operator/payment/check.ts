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
    names: [{ id }],
  }));
  return { payments, faults: [] };
}

/** An order that exists, and can be paid or is paid already. */
export interface KnownPayment extends Pick<NamedPayment, "row" | "text" | "reference"> {
  order: PaymentOrder;
  /** What exceeds the amount to be paid, and becomes credit. */
  overpaidMinor: number;
}

interface CheckOptions {
  /** That of rows without one. */
  reference: string | null;
  /** Whether more than what is owed may be paid for a single order. */
  mayOverpay?: boolean | undefined;
}

/** The orders of the payments, and the payments that cannot be recorded. */
export async function checkPayments(
  DB: D1Database,
  { payments, faults }: Pick<PaymentFile, "payments" | "faults">,
  { reference: otherwise, mayOverpay = false }: CheckOptions,
): Promise<{ known: KnownPayment[]; faults: PaymentFault[] }> {
  const known: KnownPayment[] = [];
  const all = [...faults];
  const rows = new Map<number, number | null>();
  for (const chunk of chunksOf(payments, READ_ORDERS)) {
    const named = chunk.flatMap(({ names, reference }) =>
      names.map((name) => ({ ...name, reference: reference ?? otherwise })),
    );
    const found = await findPaymentOrders(DB, named);
    for (const { names, ...payment } of chunk) {
      const result = checkPayment(payment, found.splice(0, names.length), rows, mayOverpay);
      if (typeof result === "string") {
        all.push({ ...payment, order: payment.text, reason: result });
        continue;
      }
      for (const order of result.orders) {
        const { row, reference } = payment;
        const text = orderNumber(order.id);
        rows.set(order.id, row);
        known.push({ ...result, row, text, order, reference: reference ?? otherwise });
      }
    }
  }
  return { known, faults: all };
}

/** The orders of a payment, or why it cannot be recorded. */
function checkPayment(
  payment: Pick<NamedPayment, "amount" | "currency">,
  found: readonly (PaymentOrder | undefined)[],
  rows: ReadonlyMap<number, number | null>,
  mayOverpay: boolean,
): { orders: PaymentOrder[]; overpaidMinor: number } | string {
  const orders = found.filter((order) => order !== undefined);
  const [first] = orders;
  if (!first || orders.length < found.length) return "does not exist";
  const { currency } = first;
  const isOne = orders.length === 1;
  for (const { id, ...order } of orders) {
    const reason = faultOf(payment.currency ?? currency, order, id, rows);
    if (reason !== null) return isOne ? reason : `${orderNumber(id)} ${reason}`;
  }
  const { amount } = payment;
  if (amount === null || orders.every(({ status }) => status === "paid")) {
    return { orders, overpaidMinor: 0 };
  }
  const amountMinor = parseAmount(amount, currency);
  if (amountMinor === undefined) return `${amountRule(amount, currency)}: ${amount}`;
  const owedMinor = orders.reduce((sum, order) => sum + order.owedMinor + order.paidMinor, 0);
  const overpaidMinor = amountMinor - owedMinor;
  if (overpaidMinor === 0 || (overpaidMinor > 0 && mayOverpay && isOne)) {
    return { orders, overpaidMinor };
  }
  const owed = amountText(owedMinor, currency);
  return `${isOne ? "owes" : "together owe"} ${owed}, not ${amountText(amountMinor, currency)}`;
}

/** Why the order cannot be paid in the currency. Null if it can, or if it is paid already. */
function faultOf(
  currency: string,
  order: Pick<PaymentOrder, "status" | "currency">,
  id: number,
  rows: ReadonlyMap<number, number | null>,
): string | null {
  if (rows.has(id)) return `is also in row ${String(rows.get(id))}`;
  if (order.status === "failed") return "has failed";
  if (order.status === "cancieled") return "is cancelled";
  return currency === order.currency ? null : `is in ${order.currency}, not in ${currency}`;
}
