// The list of unpaid orders.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
import { listUnpaid } from "./unpaid-queries.ts";

/** One round trip. */
export const paymentList = list({
  name: "payment list",
  title: "Unpaid orders",
  description: "By client, and the oldest first.",
  permission: "view",
  input: { client: kinds.optional(kinds.client("Client")) },
  columns: {
    order: kinds.order("Order"),
    client: kinds.client("Client"),
    reference: kinds.text("Reference"),
    method: kinds.text("Method"),
    placed: kinds.time("Placed"),
    quantity: kinds.count("Gifts"),
    to_be_paid: kinds.money("To be paid"),
  },
  empty: "No order is unpaid.",
  actions: ["order pay", "payment upload"],
  examples: ["--client acme", "--csv"],
  page: async ({ DB }, { client }, { after, limit }) => {
    const [clientId = client ?? "", method = "", placedMs, id] = textsOf(after, 4) ?? [];
    const found = await listUnpaid(DB, {
      clientId,
      method,
      createdAtMs: Number(placedMs) || 0,
      id: Number(id) || 0,
      lastClientId: client ?? LAST_CLIENT_ID,
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, (order) => [
      order.clientId,
      order.giftOrderMethod,
      order.createdAtMs,
      order.id,
    ]);
    return {
      rows: shown.map((order) => ({
        order: order.id,
        client: order.clientId,
        reference: order.orderRefId,
        method: order.giftOrderMethod,
        placed: order.createdAtMs,
        quantity: order.qty,
        to_be_paid: { minor: order.owedMinor, currency: order.currency },
      })),
      next,
    };
  },
});
