// Compares payments with the database before anything is changed.
import type { NamedPayment, PaymentFault, PaymentFile } from "./file.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { sha256Hex } from "../../core/values/digest.ts";
import { fold } from "../../core/values/fold.ts";
import { decimalsOf } from "../../core/values/iso.ts";
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
    text: "",
    order: orderNumber(id),
    names: [{ id }],
  }));
  return { payments, faults: [] };
}

/** A payment of an order that can be paid or is paid already. */
export interface KnownPayment extends Omit<NamedPayment, "order" | "names"> {
  order: PaymentOrder;
  /** Identifies the row also in another file. Empty without a file. */
  line: string;
  /** What exceeds the amount to be paid, and becomes credit. */
  overpaidMinor: number;
}

/** Whether another payment pays or has paid the order, so that the whole payment becomes credit. */
export const isFurther = ({ order, overpaidMinor }: KnownPayment) =>
  order.status === "paid" && overpaidMinor > 0;

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
  const rows: FileRows = new Map();
  const named = payments.map(async (each) => ({
    ...each,
    line: await lineOf(each),
    reference: each.reference ?? reference,
    valueAtMs: each.valueAtMs ?? valueAtMs,
  }));
  const read: FoundPayment[] = [];
  for (const chunk of chunksOf(await Promise.all(named), READ_ORDERS)) {
    const found = await findPaymentOrders(DB, chunk);
    read.push(...chunk.map((each) => ({ ...each, found: found.splice(0, each.names.length) })));
  }
  const check = (payment: FoundPayment) =>
    formatDay(payment.valueAtMs ?? 0) > today
      ? "has a value date in the future"
      : checkPayment(payment, rows, mayOverpay);
  // The first row that can pay an order pays it. The others, also those before it, are further payments.
  for (const payment of read) {
    const result = check(payment);
    if (typeof result === "string" || !result.isExact) continue;
    for (const { id } of result.orders) rows.set(id, payment.row);
  }
  for (const payment of read) {
    const result = check(payment);
    if (typeof result === "string") all.push({ ...payment, reason: result });
    else {
      if (payment.line !== "") rows.set(payment.line, payment.row);
      for (const order of result.orders) known.push({ ...payment, ...result, order });
    }
  }
  return { known, faults: all };
}

type FoundPayment = NamedPayment &
  Pick<KnownPayment, "line"> & { found: (PaymentOrder | undefined)[] };

/** The digest of what the bank says about the payment, and the day if it is clear. They do not depend on the file. */
async function lineOf({ amount, currency, valueAtMs, reference, text, names }: NamedPayment) {
  if (amount === null) return "";
  // Another file may show that `12.839` is 12839.
  const number = Number(amount.replace(/^([1-9]\d{0,2})\.(\d{3})$/, "$1$2"));
  const said = [number, currency, reference ?? fold(text), names];
  const digest = (await sha256Hex(JSON.stringify(said))).slice(0, 16);
  return valueAtMs === null ? digest : `${digest} ${formatDay(valueAtMs)}`;
}

/** The rows of the file by the id of the order that they pay, and by their `line`. */
type FileRows = Map<number | string, number | null>;

const REFUSED = { failed: "has failed", cancieled: "is cancelled", created: null, paid: null };

/**
 * The orders of a payment, or why it cannot be recorded. It is not exact if its orders are paid, but by another row: a file
 * that is read again must find each order in the same row.
 */
function checkPayment(
  { amount: whole, inThousandths = null, currency: given, line, row, found }: FoundPayment,
  rows: FileRows,
  mayOverpay: boolean,
): { orders: PaymentOrder[]; overpaidMinor: number; isExact: boolean } | string {
  const orders = found.filter((order) => order !== undefined);
  const [first] = orders;
  if (!first || orders.length < found.length) return "does not exist";
  if (rows.has(line)) return `is also in row ${String(rows.get(line))}`;
  const amount = decimalsOf(first.currency) === 3 ? (inThousandths ?? whole) : whole;
  const isOne = orders.length === 1;
  const isTaken = ({ id, status, paidMinor }: PaymentOrder) =>
    amount !== null && ((rows.get(id) ?? row) !== row || (status === "paid" && paidMinor === 0));
  for (const order of orders) {
    const { id, status, currency } = order;
    const expected = given ?? first.currency;
    const otherCurrency = currency === expected ? null : `is in ${currency}, not in ${expected}`;
    const taken = isTaken(order) && !isOne ? "is paid by another payment" : null;
    const reason = REFUSED[status] ?? otherCurrency ?? taken;
    if (reason !== null) return isOne ? reason : `${orderNumber(id)} ${reason}`;
  }
  if (amount === null) return { orders, overpaidMinor: 0, isExact: true };
  const { currency } = first;
  const amountMinor = parseAmount(amount, currency);
  if (isTaken(first) && amountMinor !== undefined) {
    const order = { ...first, status: "paid" as const, owedMinor: 0 };
    return { orders: [order], overpaidMinor: first.isBooked ? 0 : amountMinor, isExact: false };
  }
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
