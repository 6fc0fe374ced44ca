// The list of unpaid orders.
import { ORDER_METHODS } from "../../features/orders/order.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listUnpaid } from "./unpaid-queries.ts";

/** One round trip. */
export const paymentList = list({
  name: "payment list",
  title: "Unpaid orders",
  description: "By client, and the oldest first.",
  permission: "view",
  input: { client: kinds.optional(kinds.client("Client")) },
  columns: {
    order: kinds.from("id", kinds.order("Order")),
    client: kinds.from("clientId", kinds.client("Client")),
    reference: kinds.from("orderRefId", kinds.text("Reference")),
    method: kinds.from("giftOrderMethod", kinds.choice("Method", ORDER_METHODS)),
    placed: kinds.from("createdAtMs", kinds.time("Placed")),
    quantity: kinds.from("qty", kinds.count("Gifts")),
    to_be_paid: kinds.money("To be paid"),
  },
  empty: "No order is unpaid.",
  actions: ["order pay", "payment upload"],
  examples: ["--client acme", "--csv"],
  order: { clientId: String, giftOrderMethod: String, createdAtMs: Number, id: Number },
  read: ({ DB }, { client }, page) => listUnpaid(DB, { ...page, clientId: client ?? null }),
  row: (order) => ({
    ...order,
    to_be_paid: { minor: order.owedMinor, currency: order.currency },
  }),
});
