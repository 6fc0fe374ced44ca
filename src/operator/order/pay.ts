// Marks orders on invoice as paid.
import { refusal, validationError } from "../../core/api-error.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { formatDay } from "../../core/values/time.ts";
import { VALUE_DATE, valueAtOf } from "../credit/account-input.ts";
import { checkPayments, namedOrders } from "../payment/check.ts";
import { REFERENCE, PAYMENTS, planPayments, recordPayments } from "../payment/record.ts";

const MAX_ORDERS = 500;

/** Pays all orders or, if one cannot be paid, none. Several transactions. */
export const orderPay = change({
  name: "order pay",
  title: "Mark as paid",
  description:
    "Marks unpaid orders as paid. If one of them cannot be paid, nothing is changed. Orders that are paid already stay unchanged.",
  permission: "money",
  isGradual: true,
  input: { order: kinds.many(kinds.order("Orders")), reference: REFERENCE, value_date: VALUE_DATE },
  examples: ["GO-00042", 'GO-00042 GO-00051 --reference "Transfer 4711"'],
  preview: { lists: { payments: PAYMENTS } },
  result: { lists: { payments: PAYMENTS } },
  plan: async ({ DB, nowMs }, { order, reference = null, value_date: day }) => {
    if (order.length > MAX_ORDERS) {
      const message = `must be at most ${String(MAX_ORDERS)} orders`;
      throw validationError([{ field: "order", message }]);
    }
    const { known, faults } = await checkPayments(DB, namedOrders(order), {
      reference,
      valueAtMs: valueAtOf(day, nowMs),
      today: formatDay(nowMs),
    });
    if (faults.length > 0) {
      const reasons = faults.map((each) => `${each.order} ${each.reason}`);
      throw refusal(`${reasons.join("; ")}. Nothing was changed.`);
    }
    return planPayments(known);
  },
  run: (context, plan) => recordPayments(context, plan),
});
