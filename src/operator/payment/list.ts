// The lists of unpaid orders, and of orders that are to be refunded.
import { amountText } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { ORDER_METHODS } from "../../features/orders/order.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { METHOD_TEXT } from "../words.ts";
import { firstUnpaid, listUnpaid, readTotals } from "./unpaid-queries.ts";

/** The orders whose amounts are added. */
const MAX_COUNTED = 1_000;

/** Two round trips at the same time. */
export const paymentList = list({
  name: "payment list",
  title: "Unpaid orders",
  description: "By client and method, and of each the oldest first.",
  permission: "view",
  input: {
    show: kinds.withDefault(
      kinds.choice("Show", ["unpaid", "refund"], {
        text: (state) => (state === "refund" ? "to-be-refunded" : state),
        isTabs: true,
      }),
      "unpaid",
    ),
    client: kinds.optional(kinds.client("Client")),
  },
  columns: {
    order: kinds.from("id", kinds.order("Order")),
    client: kinds.from("clientId", kinds.client("Client")),
    to_be_paid: kinds.money("To be paid", { hasSum: true }),
    to_be_refunded: kinds.money("To be refunded", { hasSum: true }),
    reference: kinds.from("orderRefId", kinds.text("Reference")),
    placed: kinds.from("createdAtMs", kinds.time("Placed")),
    method: kinds.from("giftOrderMethod", kinds.choice("Method", ORDER_METHODS, METHOD_TEXT)),
    quantity: kinds.from("qty", kinds.count("Gifts")),
  },
  empty: "There is no such order.",
  actions: ["payment upload"],
  rowActions: ["order pay", "order refund"],
  examples: ["--client acme", "--show to-be-refunded --csv"],
  first: firstUnpaid,
  read: ({ DB }, { show, client }, page) => listUnpaid(DB, show, { ...page, client }),
  offered: ({ show }) => (show === "unpaid" ? ["payment upload", "order pay"] : ["order refund"]),
  text: async ({ DB }, { show, client }) => {
    const selection = { clientId: client ?? null, limit: MAX_COUNTED + 1 };
    const totals = await readTotals(DB, show, selection);
    const count = totals.reduce((sum, { orders }) => sum + orders, 0);
    const state = show === "unpaid" ? "unpaid" : "to be refunded";
    if (count === 0) return null;
    if (count > MAX_COUNTED) return `More than ${plural(MAX_COUNTED, "order")} are ${state}.`;
    const amounts = totals.map(({ owedMinor, currency }) =>
      amountText(Math.abs(owedMinor), currency),
    );
    return `${plural(count, "order")} ${count === 1 ? "is" : "are"} ${state}: ${amounts.join(" and ")}.`;
  },
  row: ({ owedMinor, currency, ...order }) => ({
    ...order,
    to_be_paid: owedMinor < 0 ? null : { minor: owedMinor, currency },
    to_be_refunded: owedMinor < 0 ? { minor: -owedMinor, currency } : null,
  }),
});
