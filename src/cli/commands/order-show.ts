// `order show`: an order, its gifts, and what happened to them.
import { addressText } from "../../operator/orders/address-text.ts";
import type { Command } from "../command.ts";
import { eventResponse } from "../../features/events/response.ts";
import { type OrderView, readOrderView } from "../../operator/fulfilment/order-view.ts";
import { INCLUDES } from "../../features/orders/contract.ts";
import { orderResponse } from "../../features/orders/response.ts";
import { readTimeline, type TimelineEntry } from "../../operator/orders/timeline.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { limitOption, orderOrGiftOf } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { fields, table, tableOf } from "../terminal.ts";
import { timelineText } from "../../operator/orders/timeline-text.ts";
import { unknownOrder } from "../../operator/lifecycle/require-order.ts";

export function showCommand(order: Command): void {
  order
    .command("show <order>")
    .description("show an order, its gifts and shipments, and what happened to them")
    .option("--limit <number>", "maximum number of entries of the timeline, the latest ones", "100")
    .details(
      `
<order> is a number such as GO-00042, a number of one of its gifts, or an id. Gift links are not shown.

The timeline lists the events of the order and its gifts, the changes by operators, the e-mails, and the last attempt to
send each event to each endpoint. The time of a delivery is that of the last attempt, or of the first one if none was
made yet.

Examples:
  npm run ops -- order show GO-00042
  npm run ops -- order show go-42-3`,
    )
    .action(async (text, options, command) => {
      const { orderId } = orderOrGiftOf(text);
      const limit = limitOption(options.limit);
      await runCommand(command, async ({ DB }) => {
        const view = await readOrderView(DB, orderId, Date.now());
        if (!view) throw unknownOrder(orderId);
        const timeline = await readTimeline(DB, { orderId, sequence: null }, limit);
        print(command, toJson(view, timeline), () => [
          orderText(view),
          "",
          giftTable(view),
          "",
          "Timeline:",
          table(
            ["DATE", "WHAT", "OBJECT", "BY", "DETAILS"],
            timeline.entries.map((each) => toRow(each, orderId)),
          ),
          ...(timeline.complete ? [] : ["", "There are earlier entries. Use --limit."]),
        ]);
      });
    });
}

type Timeline = Awaited<ReturnType<typeof readTimeline>>;

/** The order as its client sees it, without gift links, and what only operators see. */
function toJson(view: OrderView, timeline: Timeline): object {
  const shown = orderResponse(view.order, view.subOrders, [], INCLUDES, view.emails);
  return {
    client_id: view.clientId,
    order_ref_id: view.order.orderRefId,
    redeem_by: redeemByOf(view.expiresAtMs),
    ...shown,
    product_name: view.offeredName,
    recipients: shown.recipients.map((recipient, index) => {
      const gift = view.gifts[index];
      return {
        ...recipient,
        gift_status: gift?.state ?? null,
        product_name: gift?.productName ?? null,
        shipment: gift?.shipmentStatus
          ? {
              shipment_status: gift.shipmentStatus,
              carrier: gift.carrier,
              tracking_number: gift.trackingNumber,
              tracking_url: gift.trackingUrl,
              shipped_date: optionalDateTime(gift.shippedAtMs),
              delivered_date: optionalDateTime(gift.deliveredAtMs),
            }
          : null,
      };
    }),
    timeline: timeline.entries.map(toJsonEntry),
    timeline_complete: timeline.complete,
  };
}

function toJsonEntry({ atMs, ...entry }: TimelineEntry): object {
  const at = new Date(atMs).toISOString();
  return { at, ...entry, ...(entry.kind === "event" && { event: eventResponse(entry.event) }) };
}

function orderText({ order, subOrders, ...view }: OrderView): string {
  const shown = orderResponse(order, subOrders, [], INCLUDES);
  return fields({
    order: shown.order_number,
    client: view.clientId,
    reference: order.orderRefId,
    date: shown.order_date,
    status: statusLabel(shown.order_status),
    method: shown.gift_order_method,
    product: productText(shown.product_offered.product_id, view.offeredName),
    variation: shown.product_offered.variation_id,
    qty: shown.order_totals.qty,
    total: `${shown.order_totals.order_total} ${shown.order_totals.currency}`,
    "redeem by": redeemByOf(view.expiresAtMs),
    metadata: formatMetadata(shown.metadata),
  });
}

const productText = (id: string, name: string | null) => (name === null ? id : `${id} ${name}`);

function giftTable({ subOrders, gifts, emails: { sent, next } }: OrderView): string {
  const hasMetadata = subOrders.some(({ externalId, metadata }) => externalId ?? metadata);
  const rows = subOrders.map((subOrder, index) => ({ ...subOrder, gift: gifts[index] }));
  return tableOf(rows, {
    "SUB-ORDER": (each) => suborderNumber(each.orderId, each.sequence),
    NAME: (each) => `${each.firstName} ${each.lastName}`,
    EMAIL: (each) => each.deliveryEmail ?? each.email,
    "GIFT STATUS": ({ gift }) => gift?.state ?? null,
    PRODUCT: ({ gift, productId }) => productText(String(productId), gift?.productName ?? null),
    ADDRESS: (each) => addressText(each.deliveryAddress),
    PHONE: (each) => each.phoneNumber,
    TRACKING: ({ gift }) => [gift?.carrier, gift?.trackingNumber].filter(Boolean).join(" ") || null,
    ...(sent.length + next.length > 0 && {
      "LAST E-MAIL": ({ sequence }) => {
        const last = sent.findLast((email) => email.sequence === sequence);
        if (last) return `${last.kind} ${last.status}`;
        const planned = next.find((email) => email.sequence === sequence);
        return planned ? `${planned.kind} at ${formatDateTime(planned.atMs)}` : null;
      },
    }),
    ...(hasMetadata && {
      "EXTERNAL ID": ({ externalId }) => externalId,
      METADATA: (each) => formatMetadata(each.metadata),
    }),
  });
}

/** Null if there is no metadata. */
function formatMetadata(metadata: Record<string, string> | null = {}): string | null {
  return metadata === null || Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

function toRow(entry: TimelineEntry, orderId: number) {
  const { what, object, by, details } = timelineText(entry, orderId);
  return [formatDateTime(entry.atMs), what, object, by, details];
}
