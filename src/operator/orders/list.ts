// The list of all clients' orders.
import { ORDER_METHODS, ORDER_STATUSES } from "../../features/orders/order.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { positionOf, pageOf } from "../declaration/pages.ts";
import { listOrders } from "./queries.ts";

/** One round trip. */
export const orderList = list({
  name: "order list",
  title: "Orders",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    status: kinds.optional(kinds.choice("Status", ORDER_STATUSES, { text: statusLabel })),
    method: kinds.optional(kinds.choice("Method", ORDER_METHODS)),
    since: kinds.optional(kinds.time("Placed since (UTC)")),
    until: kinds.optional(kinds.time("Placed before (UTC)")),
  },
  columns: {
    order: kinds.order("Order"),
    placed: kinds.time("Placed"),
    client: kinds.client("Client"),
    reference: kinds.text("Reference"),
    method: kinds.text("Method"),
    status: kinds.status("Status"),
    quantity: kinds.count("Gifts"),
    total: kinds.money("Total"),
  },
  empty: "No order matches.",
  examples: ["--status created", "--client acme --since 2026-05-01 --csv"],
  page: async ({ DB }, { client, status, method, since, until }, { after, limit }) => {
    const position = positionOf(after);
    const found = await listOrders(DB, {
      clientId: client,
      status,
      method,
      sinceMs: since,
      untilMs: until,
      after: position && { createdAtMs: position[0], id: position[1] },
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, ({ createdAtMs, id }) => [createdAtMs, id]);
    return {
      rows: shown.map((order) => ({
        order: order.id,
        placed: order.createdAtMs,
        client: order.clientId,
        reference: order.orderRefId,
        method: order.giftOrderMethod,
        status: order.status,
        quantity: order.qty,
        total: { minor: order.orderTotalMinor, currency: order.currency },
      })),
      next,
    };
  },
});
