// Records payments, which a file or an operator names.
import { chunksOf } from "../../core/values/chunks.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import { formatDay } from "../../core/values/time.ts";
import { plural } from "../../core/values/plural.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { type Payment, payOrders } from "../../features/lifecycle/payment-queries.ts";
import type { Subjects } from "../audit/subjects.ts";
import type { RunContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { isFurther, type KnownPayment } from "./check.ts";
import { MAX_REFERENCE } from "./file.ts";
import { furtherReference } from "./queries.ts";

/** The number of orders that a transaction pays. It has 10 statements for each, and 13 if the order is overpaid. */
const PAID_ORDERS = 10;

export const REFERENCE = kinds.optional(
  kinds.text("Bank reference", {
    max: MAX_REFERENCE,
    hint: "The statement and the audit log show it.",
  }),
);

export const PAYMENTS = {
  title: "Orders",
  columns: {
    row: kinds.count("Row"),
    order: kinds.order("Order"),
    client: kinds.client("Client"),
    amount: kinds.money("To be paid", { hasSum: true }),
    overpaid: kinds.money("Booked as credit", { hasSum: true }),
    reference: kinds.text("Bank reference"),
    value_date: kinds.day("Value date"),
    result: kinds.text("Result"),
    reason: kinds.text("Reason"),
  },
} as const;

/** The plan of payments that can be recorded, or are recorded already. */
export function planPayments(known: readonly KnownPayment[]) {
  const isBooked = (each: KnownPayment) => each.order.status === "created" || isFurther(each);
  const booked = known.filter(isBooked);
  const paid = known.filter((each) => !isBooked(each));
  const unchanged = paid.map((each) => rowOf(each, "unchanged", "is paid already"));
  return {
    booked,
    unchanged,
    will: booked.length === 0 ? null : describe(booked),
    subjects: subjectsOf(booked),
    preview: {
      ...(booked.length === 0 && {
        text: unchanged.length > 0 ? "All orders are paid already." : "No row pays an order.",
      }),
      lists: {
        payments: [...booked.map((each) => rowOf(each, `to be ${resultOf(each)}`)), ...unchanged],
      },
    },
  };
}

/**
 * The orders of a transaction have the same reference, which is part of their entries in the audit log, before the note.
 * Orders that have changed since they were checked are not paid.
 */
export async function recordPayments(
  context: RunContext,
  { booked, unchanged }: Pick<ReturnType<typeof planPayments>, "booked" | "unchanged">,
  note: string | null = null,
) {
  const changed = new Set<KnownPayment>();
  const payable = booked.filter((each) => !isFurther(each));
  const groups = [payable, booked.filter(isFurther)].flatMap((same) => [
    ...Map.groupBy(same, ({ reference }) => reference).values(),
  ]);
  let done = 0;
  for (const chunk of groups.flatMap((same) => [...chunksOf(same, PAID_ORDERS)])) {
    const reference = chunk[0]?.reference ?? null;
    const outcomes = await payOrders(
      context.auditing(subjectsOf(chunk), [reference, note].filter(Boolean).join("; ") || null),
      chunk.map((each) => paymentOf(each, context.nowMs)),
    );
    for (const [n, payment] of chunk.entries()) if (outcomes[n]) changed.add(payment);
    done += chunk.length;
    await context.progress(done, booked.length);
  }
  const payments = [
    ...booked.map((each) =>
      changed.has(each) ? rowOf(each, resultOf(each)) : rowOf(each, "refused", CHANGED),
    ),
    ...unchanged,
  ];
  const count = payable.filter((each) => changed.has(each)).length;
  const credit = creditOf([...changed]);
  return {
    text: [
      changed.size === 0
        ? "Nothing was changed."
        : `${plural(count, "order")} ${count === 1 ? "is" : "are"} paid.`,
      ...(credit ? [`Booked as credit: ${credit}.`] : []),
      ...(unchanged.length > 0 ? [`Paid already, unchanged: ${String(unchanged.length)}.`] : []),
    ].join(" "),
    lists: { payments },
    hasProblems: changed.size < booked.length,
  };
}

/** Each order is overpaid once, so its number is the reference. A further payment is known by its row. */
function paymentOf(payment: KnownPayment, nowMs: number): Payment {
  const { order, overpaidMinor: amountMinor, valueAtMs, reference, line } = payment;
  const number = orderNumber(order.id);
  const further = isFurther(payment);
  const credit = further
    ? {
        reference: furtherReference(line),
        note: [`${number} was paid already`, reference].filter(Boolean).join(": "),
      }
    : { reference: `Overpayment of ${number}`, note: reference };
  return {
    ...operatorKey(order.id),
    reference,
    owedMinor: order.owedMinor,
    nowMs,
    valueAtMs: valueAtMs && Math.min(valueAtMs, nowMs),
    overpaid: amountMinor === 0 ? undefined : { ...order, ...credit, amountMinor },
    bankLine: line || null,
    isFurther: further,
  };
}

const CHANGED = "has changed since it was checked";

const overpaidOf = (payments: readonly KnownPayment[]) =>
  payments.filter(({ overpaidMinor }) => overpaidMinor > 0);

/** The orders, and the accounts of clients who have paid too much. */
function subjectsOf(payments: readonly KnownPayment[]): Subjects[] {
  const clients = new Set(overpaidOf(payments).map(({ order }) => order.clientId));
  return [
    { type: "order", keys: payments.map(({ order }) => order.id) },
    { type: "account", keys: [...clients] },
  ];
}

const resultOf = (payment: KnownPayment) => (isFurther(payment) ? "booked as credit" : "paid");

/** The row of a payment. */
function rowOf(
  { row, order, reference, overpaidMinor, valueAtMs }: KnownPayment,
  result: string,
  reason: string | null = null,
) {
  const { id, clientId, status, currency, owedMinor } = order;
  const amount = status === "paid" ? null : { minor: owedMinor, currency };
  const overpaid = overpaidMinor === 0 ? null : { minor: overpaidMinor, currency };
  const day = valueAtMs === null ? null : formatDay(valueAtMs);
  // That of the statement.
  const value_date = valueAtMs === null ? null : formatDay(Math.max(valueAtMs, order.openFromMs));
  const moved =
    value_date === day ? null : `${String(day)} is in a closed month or before the order`;
  const money = { amount, overpaid, reference, value_date };
  return { row, order: id, client: clientId, ...money, result, reason: reason ?? moved };
}

/** Such as `2,081.00 AUD and 10.00 USD`. */
function totalOf(
  payments: readonly KnownPayment[],
  minorOf = ({ order }: KnownPayment) => order.owedMinor,
): string {
  const byCurrency = Map.groupBy(payments, ({ order }) => order.currency);
  return [...byCurrency]
    .map(([currency, same]) => {
      const minor = same.reduce((sum, payment) => sum + minorOf(payment), 0);
      return amountText(minor, currency);
    })
    .join(" and ");
}

const creditOf = (payments: readonly KnownPayment[]) =>
  totalOf(overpaidOf(payments), ({ overpaidMinor }) => overpaidMinor);

function describe(all: readonly KnownPayment[]): string {
  const payments = all.filter((each) => !isFurther(each));
  const [first] = payments;
  const credit = creditOf(all);
  const clients = [...new Set(all.map(({ order }) => order.clientId))];
  const of = clients.length === 1 ? clients.join() : plural(clients.length, "client");
  if (!first) return `book ${credit} as credit of ${of}, whose orders are paid already`;
  const total = totalOf(payments) + (credit && `, and book ${credit} as credit`);
  if (payments.length === 1) {
    const { id, clientId, qty } = first.order;
    return `mark order ${orderNumber(id)} of ${clientId} as paid: ${plural(qty, "gift")} for ${total}`;
  }
  return `mark ${plural(payments.length, "order")} of ${of} as paid: ${total}`;
}
