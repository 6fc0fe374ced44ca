// Records payments of orders on invoice.
import { chunksOf } from "../../core/values/chunks.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { payOrders } from "../../features/lifecycle/payment-queries.ts";
import type { Auditing, Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { inOrder, type InTransactions } from "../transactions.ts";
import { checkPayments, type KnownPayment, type PaymentRow } from "./check-payments.ts";
import type { PaymentFile } from "./payment-file.ts";

/** The number of orders that a transaction pays. It has three statements for each, and the free plan permits 50. */
const PAID_ORDERS = 10;

export interface PaymentsInput extends PaymentFile {
  /** The bank's reference of payments without their own, for the statement and the audit log. */
  reference: string | null;
}

export interface PaymentsPlan extends PlannedChange {
  payable: KnownPayment[];
  /** The payments whose orders are paid already. */
  paid: KnownPayment[];
}

export type PaymentsChange = Change<PaymentsInput, PaymentsPlan, PaymentRow[]>;

/** Orders that cannot be paid as named. */
export class RefusedPayments extends Refusal {
  readonly rows: readonly PaymentRow[];

  constructor(rows: readonly PaymentRow[]) {
    const reasons = rows.map(({ order, reason }) => `${order} ${reason ?? ""}`);
    super(`${reasons.join("; ")}. Nothing was changed.`);
    this.rows = rows;
  }
}

/** Pays all orders or, if one cannot be paid, none. Errors: `RefusedPayments`, `Refusal`. */
export const paymentsChange = (inTransactions: InTransactions = inOrder): PaymentsChange => ({
  action: "order pay",
  plan: async ({ DB }, { reference, ...named }) => {
    const { known, faults } = await checkPayments(DB, named, reference);
    if (faults.length > 0) throw new RefusedPayments(faults);
    const payable = known.filter(({ order }) => order.status === "created");
    const paid = known.filter(({ order }) => order.status === "paid");
    if (payable.length === 0) {
      const [only] = paid;
      const subject = paid.length === 1 && only ? `${only.text} is` : "all orders are";
      throw new Refusal(`${subject} paid already. Nothing was changed.`);
    }
    const keys = payable.map(({ order }) => order.id);
    return { description: describe(payable), subjects: [{ type: "order", keys }], payable, paid };
  },
  run: async (_env, { payable, paid }, nowMs, auditing) => {
    const changed = await carryOut(payable, nowMs, { inTransactions, auditing });
    return [
      ...payable.map((each) =>
        changed.has(each) ? resultOf(each, "paid") : resultOf(each, "refused", CHANGED),
      ),
      ...paid.map((each) => resultOf(each, "unchanged", "is paid already")),
    ];
  },
});

const CHANGED = "has changed since it was checked";

/** The row of a payment. A planned one has the result that it is going to have. */
export function resultOf(
  { row, text, order, reference }: KnownPayment,
  result: PaymentRow["result"],
  reason: string | null = null,
): PaymentRow {
  const owed = amountWithCode(order.owedMinor, order.currency);
  const amount = order.status === "paid" ? null : owed;
  return { row, order: text, client: order.clientId, amount, reference, result, reason };
}

/**
 * Pays the orders, and returns those that were changed. The orders of a transaction have the same reference, which is the
 * reason in their entries of the audit log.
 */
async function carryOut(
  payments: readonly KnownPayment[],
  nowMs: number,
  { inTransactions, auditing }: { inTransactions: InTransactions; auditing: Auditing },
): Promise<Set<KnownPayment>> {
  const changed = new Set<KnownPayment>();
  const groups = Map.groupBy(payments, ({ reference }) => reference).values();
  const chunks = [...groups].flatMap((same) => [...chunksOf(same, PAID_ORDERS)]);
  const payment = { chunks, noun: "order", verb: "pay", done: "paid" };
  await inTransactions(payment, async (chunk) => {
    const reference = chunk[0]?.reference ?? null;
    const keys = chunk.map(({ order }) => order.id);
    const outcomes = await payOrders(
      auditing([{ type: "order", keys }], reference),
      chunk.map(({ order: { id, owedMinor } }) => ({
        ...operatorKey(id),
        reference,
        owedMinor,
        nowMs,
      })),
    );
    for (const [n, payment] of chunk.entries()) if (outcomes[n]) changed.add(payment);
  });
  return changed;
}

/** Such as `2,081.00 AUD and 10.00 USD`. */
function totalOf(payments: readonly KnownPayment[]): string {
  const byCurrency = Map.groupBy(payments, ({ order }) => order.currency);
  return [...byCurrency]
    .map(([currency, same]) => {
      const minor = same.reduce((sum, { order }) => sum + order.owedMinor, 0);
      return amountWithCode(minor, currency);
    })
    .join(" and ");
}

function describe(payments: readonly KnownPayment[]): string {
  const [first] = payments;
  const total = totalOf(payments);
  if (payments.length === 1 && first) {
    const { clientId, qty } = first.order;
    return `mark order ${first.text} of ${clientId} as paid: ${plural(qty, "gift")} for ${total}`;
  }
  const clients = [...new Set(payments.map(({ order }) => order.clientId))];
  const of = clients.length === 1 ? clients.join() : plural(clients.length, "client");
  return `mark ${plural(payments.length, "order")} of ${of} as paid: ${total}`;
}
