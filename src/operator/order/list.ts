// The list of all clients' orders.
import { campaignName } from "../../core/validation/fields.ts";
import { ORDER_METHODS, ORDER_STATUSES } from "../../features/orders/order.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { METHOD_TEXT } from "../words.ts";
import { listMatchingOrders } from "./queries.ts";

/** One round trip. */
export const orderList = list({
  name: "order list",
  title: "Orders",
  description: "Newest first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    status: kinds.optional(kinds.choice("Status", ORDER_STATUSES, { text: statusLabel })),
    method: kinds.optional(kinds.choice("Method", ORDER_METHODS, METHOD_TEXT)),
    campaign: kinds.optional(kinds.matching(kinds.text("Campaign"), campaignName)),
    since: kinds.optional(kinds.time("Placed since")),
    until: kinds.optional(kinds.time("Placed before")),
  },
  columns: {
    order: kinds.from("id", kinds.order("Order")),
    product: kinds.text("Product"),
    progress: kinds.text("Progress"),
    total: kinds.money("Total", { hasSum: true }),
    status: kinds.status("Status"),
    client: kinds.from("clientId", kinds.client("Client")),
    reference: kinds.from("orderRefId", kinds.text("Reference")),
    campaign: kinds.text("Campaign", { beside: "reference" }),
    method: kinds.from("giftOrderMethod", kinds.choice("Method", ORDER_METHODS, METHOD_TEXT)),
    placed: kinds.from("createdAtMs", kinds.time("Placed")),
    set: kinds.from("credentialId", kinds.id("Credential set", { isInFilesOnly: true })),
    quantity: kinds.from("qty", kinds.count("Gifts", { isInFilesOnly: true })),
  },
  empty: "No order matches.",
  examples: ["--status created", "--client acme --since 2026-05-01 --csv"],
  first: ({ until }) => ({ createdAtMs: until ?? Number.MAX_SAFE_INTEGER, id: 0 }),
  read: ({ DB }, filter, page) => listMatchingOrders(DB, filter, page),
  row: ({ qty, redeemedGifts, shippedGifts, ...order }) => ({
    ...order,
    qty,
    progress:
      order.giftOrderMethod === "api-purchase"
        ? `${String(shippedGifts)} of ${String(qty)} shipped`
        : `${String(redeemedGifts)} of ${String(qty)} accepted`,
    total: { minor: order.orderTotalMinor, currency: order.currency },
  }),
});
