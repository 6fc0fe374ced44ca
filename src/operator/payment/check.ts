// Compares payments with the database before anything is changed.
import type { NamedPayment, PaymentFault, PaymentFile } from "./file.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountRule, amountText, parseAmount } from "../../core/values/money.ts";
import { formatDay } from "../../core/values/time.ts";
import { findPaymentOrders, type PaymentOrder } from "./queries.ts";

/** The number of orders that a call reads. */
const READ_ORDERS = 500;

/** Payments of whole orders, each order once. */
export function namedOrders(orderIds: readonly number[]): Pick<PaymentFile, "payments" | "faults"> {
  const none = { row: null, amount: null, currency: null, reference: null, valueAtMs: null };
  const payments = [...new Set(orderIds)].map((id) => ({
    ...none,
    text: orderNumber(id),
    names: [{ id }],
  }));
  return { payments, faults: [] };
}

/** An order that exists, and can be paid or is paid already. */
export interface KnownPayment extends Pick<
  NamedPayment,
  "row" | "text" | "reference" | "valueAtMs"
> {
  order: PaymentOrder;
  /** What exceeds the amount to be paid, and becomes credit. */
  overpaidMinor: number;
}

interface CheckOptions {
  reference: string | null;
  valueAtMs: number | null;
  today: string;
  mayOverpay?: boolean | undefined;
}

/**
 * The orders of the payments, and the payments that cannot be recorded. `reference` and `valueAtMs` are those of rows
 * without them. A row must not have a later value date than `today`. With
 * `mayOverpay`, more than what is owed may be paid for a single order.
 */
export async function checkPayments(
  DB: D1Database,
  { payments, faults }: Pick<PaymentFile, "payments" | "faults">,
  { reference, valueAtMs, today, mayOverpay = false }: CheckOptions,
): Promise<{ known: KnownPayment[]; faults: PaymentFault[] }> {
  const known: KnownPayment[] = [];
  const all = [...faults];
  const rows = new Map<number, number | null>();
  const named = payments.map((each) => ({
    ...each,
    reference: each.reference ?? reference,
    valueAtMs: each.valueAtMs ?? valueAtMs,
  }));
  for (const chunk of chunksOf(named, READ_ORDERS)) {
    const found = await findPaymentOrders(DB, chunk);
    for (const payment of chunk) {
      const orders = found.splice(0, payment.names.length);
      const isFuture = formatDay(payment.valueAtMs ?? 0) > today;
      const result = isFuture
        ? "has a value date in the future"
        : checkPayment(payment, orders, rows, mayOverpay);
      if (typeof result === "string") {
        all.push({ ...payment, order: payment.text, reason: result });
      } else {
        for (const order of result.orders) {
          if (result.isExact) rows.set(order.id, payment.row);
          known.push({ ...payment, ...result, order, text: orderNumber(order.id) });
        }
      }
    }
  }
  return { known, faults: all };
}

const REFUSED = { failed: "has failed", cancieled: "is cancelled", created: null, paid: null };

/**
 * The orders of a payment, or why it cannot be recorded. It is not exact if its orders are paid, but by another row: a file
 * that is read again must find each order in the same row.
 */
function checkPayment(
  { amount, currency: given }: NamedPayment,
  found: readonly (PaymentOrder | undefined)[],
  rows: ReadonlyMap<number, number | null>,
  mayOverpay: boolean,
): { orders: PaymentOrder[]; overpaidMinor: number; isExact: boolean } | string {
  const orders = found.filter((order) => order !== undefined);
  const [first] = orders;
  if (!first || orders.length < found.length) return "does not exist";
  const isOne = orders.length === 1;
  for (const { id, status, currency } of orders) {
    const expected = given ?? first.currency;
    const otherCurrency = currency === expected ? null : `is in ${currency}, not in ${expected}`;
    const reason = rows.has(id)
      ? `is also in row ${String(rows.get(id))}`
      : (REFUSED[status] ?? otherCurrency);
    if (reason !== null) return isOne ? reason : `${orderNumber(id)} ${reason}`;
  }
  if (amount === null) return { orders, overpaidMinor: 0, isExact: true };
  const { currency } = first;
  const amountMinor = parseAmount(amount, currency);
  const owedMinor = orders.reduce((sum, order) => sum + order.owedMinor + order.paidMinor, 0);
  const overpaidMinor = (amountMinor ?? 0) - owedMinor;
  const isExact = overpaidMinor === 0 || (overpaidMinor > 0 && mayOverpay && isOne);
  const isPaid = orders.every(({ status }) => status === "paid");
  if (isPaid) return { orders, overpaidMinor: 0, isExact: isExact && owedMinor > 0 };
  if (amountMinor === undefined) return `${amountRule(amount, currency)}: ${amount}`;
  if (isExact) return { orders, overpaidMinor, isExact };
  const owed = amountText(owedMinor, currency);
  return `${isOne ? "owes" : "together owe"} ${owed}, not ${amountText(amountMinor, currency)}`;
}
