// The gifts to ship of all clients, or the shipments that were recorded, without addresses.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pickListRow } from "./pick-list.ts";
import { readWorkList, WORK_LIST_INPUT, WORK_LIST_ORDER } from "./work-list.ts";

export const shipmentList = list({
  name: "shipment list",
  title: "Gifts to ship",
  description:
    "A gift is listed as open from its redemption, or in an order of POST /api/order from the payment, until it is shipped or sent.",
  permission: "view",
  input: WORK_LIST_INPUT,
  columns: {
    gift: kinds.gift("Gift"),
    ready: kinds.time("Ready since"),
    client: kinds.client("Client"),
    reference: kinds.text("Reference"),
    product: kinds.text("Product"),
    sku: kinds.text("SKU"),
    vendor: kinds.text("Vendor"),
    delivery: kinds.text("Delivery"),
    country: kinds.text("Country"),
    shipped: kinds.time("Shipped"),
    delivered: kinds.time("Delivered"),
    carrier: kinds.text("Carrier"),
  },
  empty: "No gifts match.",
  actions: ["shipment ship", "shipment picklist", "shipment upload"],
  examples: ['--vendor "Hop Lane" --older-than 2d', "--status shipped --since 2026-11-01"],
  order: WORK_LIST_ORDER,
  read: readWorkList,
  row: (gift) => {
    const row = pickListRow(gift);
    return {
      gift: row.suborder_number,
      ready: row.ready_date,
      client: row.client_id,
      reference: row.order_ref_id,
      product: row.variation ? `${row.product ?? ""} (${row.variation})` : row.product,
      sku: row.sku,
      vendor: row.vendor,
      delivery: row.delivery,
      country: row.country,
      shipped: row.shipped_date,
      delivered: row.delivered_date,
      carrier: row.carrier,
    };
  },
});
