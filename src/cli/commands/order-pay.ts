// `order pay`: records payments of orders on invoice, from the command line or from a file.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import {
  MAX_REFERENCE,
  PAYMENT_COLUMNS,
  type PaymentFile,
  readPaymentFile,
} from "../../operator/lifecycle/payment-file.ts";
import { payOrders } from "../../features/lifecycle/payment-queries.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { checkPayments, type KnownPayment } from "../payment/check.ts";
import { printFaults, report, resultOf } from "../payment/results.ts";
import { Refusal } from "../../operator/refusal.ts";
import { readInput } from "../input-file.ts";
import { orderIdOf, requireOne, textOption } from "../options.ts";
import type { Auditing } from "../../operator/change.ts";
import { inTransactions, runChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";

/** The number of orders that a transaction pays. It has three statements for each, and the free plan permits 50. */
const PAID_ORDERS = 10;

export function payCommand(order: Command): void {
  order
    .command("pay [order...]")
    .description("mark created orders as paid")
    .option("--reference <text>", "the bank's reference, for the statement and the audit log")
    .option("--file <csv>", "the orders of a CSV file")
    .details(
      `
--file reads CSV in UTF-8, UTF-16 or Excel's code page, with commas, semicolons or tabs. A row names an order with
${PAYMENT_COLUMNS.order.join(" or ")}, or with ${PAYMENT_COLUMNS.client[0]} and ${PAYMENT_COLUMNS.orderRefId[0]}. If it has a currency, it must be
the order's. If it has an amount and the order is unpaid, it must be the amount that the client owes. Its reference
replaces --reference. Other columns are ignored.

All orders are checked first. If one cannot be paid, nothing is changed. Orders that are paid already stay unchanged
and are listed, so that the command can be repeated after an interruption. A payment belongs to the month in which it
is recorded.

Examples:
  npm run ops -- order pay GO-00042
  npm run ops -- order pay GO-00042 GO-00051 --reference "Transfer 4711"
  npm run ops -- order pay --file payments.csv --env production`,
    )
    .action(async (orders, { file, ...options }, command) => {
      requireOne("orders or --file", orders[0], file);
      const reference = options.reference?.trim() ?? null;
      if (reference !== null) textOption("--reference", reference, MAX_REFERENCE);
      const named =
        file === undefined
          ? namedBy(orders)
          : await readInput(file, "a file of payments", readPaymentFile);
      const plan = async ({ DB }: Bindings) => {
        const { known, faults } = await checkPayments(DB, named, reference);
        if (faults.length > 0) throw printFaults(command, file, faults);
        if (known.length === 0) throw new Refusal(`${file ?? ""} contains no payments.`);
        const payable = known.filter(({ order }) => order.status === "created");
        const paid = known.filter(({ order }) => order.status === "paid");
        if (payable.length === 0) {
          const [only] = paid;
          const subject = paid.length === 1 && only ? `${only.text} is` : "all orders are";
          throw new Refusal(`${subject} paid already. Nothing was changed.`);
        }
        return { description: describe(payable), subjects: [], payable, paid };
      };
      await runChange(command, plan, async (_env, { payable, paid }, auditing) => {
        const changed = await carryOut(command, auditing, payable);
        report(command, file, [
          ...payable.map((each, index) =>
            changed[index] ? resultOf(each, "paid") : resultOf(each, "refused", CHANGED),
          ),
          ...paid.map((each) => resultOf(each, "unchanged", "is paid already")),
        ]);
      });
    });
}

const CHANGED = "has changed since it was checked";

function namedBy(orders: string[]): PaymentFile {
  const ids = [...new Set(orders.map((order) => orderIdOf(order)))];
  const none = { row: null, amount: null, currency: null, reference: null };
  return {
    payments: ids.map((id) => ({ ...none, text: orderNumber(id), name: { id } })),
    faults: [],
  };
}

/**
 * Pays the orders, and returns for each whether it was changed. The orders of a transaction have the same reference, which
 * is the reason in their entries of the audit log.
 */
async function carryOut(
  command: Command,
  auditing: Auditing,
  payments: readonly KnownPayment[],
): Promise<boolean[]> {
  const changed = new Map<KnownPayment, boolean>();
  const groups = Map.groupBy(payments, ({ reference }) => reference).values();
  const chunks = [...groups].flatMap((same) => [...chunksOf(same, PAID_ORDERS)]);
  const payment = { chunks, noun: "order", verb: "pay", done: "paid" };
  await inTransactions(command, payment, async (chunk) => {
    const reference = chunk[0]?.reference ?? null;
    const keys = chunk.map(({ order }) => order.id);
    const nowMs = Date.now();
    const outcomes = await payOrders(
      auditing([{ type: "order", keys }], reference),
      keys.map((id) => ({ ...operatorKey(id), reference, nowMs })),
    );
    for (const [n, payment] of chunk.entries()) changed.set(payment, outcomes[n] === true);
  });
  return payments.map((payment) => changed.get(payment) === true);
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
