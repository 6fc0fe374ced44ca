// An order with its gifts, and what happened to them.
import { notFound } from "../../core/api-error.ts";
import { EMAIL_FACTS } from "../../core/values/email-kinds.ts";
import { orderNumber, toGiftId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { otherTrackingUrls, trackingUrlOf } from "../../core/values/tracking.ts";
import { ORDER_METHODS } from "../../features/orders/order.ts";
import { plannedEmail } from "../../features/schedule/next-email.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { METHOD_TEXT, wordsOf } from "../words.ts";
import { addressText, recipientName } from "./address-text.ts";
import { agoText } from "../../core/values/ago.ts";
import { type OpenedGift, type OpenedOrder, openOrder } from "./open-order-queries.ts";
import { readTimeline, TIMELINE } from "./timeline.ts";

const GIFTS_PER_PAGE = 50;
const MAX_ENTRIES = 50;

/** The headline or the sentence of the page says it. */
const SAID = { isInFilesOnly: true };

/** Two round trips. The audit log records that the personal data was read. */
export const orderShow = view({
  name: "order show",
  title: "Order",
  description:
    "Shows an order, its gifts and what happened to them. The audit log records the reading.",
  permission: "view",
  input: {
    order: kinds.orderOrGift("Order", { hint: "Or the number of one of its gifts." }),
    gifts_after: kinds.optional(kinds.position("Gifts after this one of the order")),
  },
  examples: ["GO-00042", "GO-00042-3"],
  shape: {
    headings: { order: "Order", product_name: "Gift", price: "Amounts" },
    facts: {
      order: kinds.from("id", kinds.order("Order", SAID)),
      client: kinds.from("clientId", kinds.client("Client")),
      client_name: kinds.from("clientName", kinds.text("Company", SAID)),
      reference: kinds.from("orderRefId", kinds.text("Reference")),
      status: kinds.status("Status", SAID),
      method: kinds.from("giftOrderMethod", kinds.choice("Method", ORDER_METHODS, METHOD_TEXT)),
      campaign: kinds.text("Campaign"),
      placed: kinds.from("createdAtMs", kinds.time("Placed")),
      placed_with: kinds.from("credentialId", kinds.id("Placed with credential set")),
      charged_twice: kinds.many(kinds.order("Charged twice?")),
      invited_from: kinds.from("sendAtMs", kinds.time("Invited by e-mail from")),
      last_day: kinds.day("Last day"),
      redeemed: kinds.from("redeemedGifts", kinds.count("Accepted", SAID)),
      shipped: kinds.from("shippedGifts", kinds.count("Shipped", SAID)),
      cancelled: kinds.count("Cancelled", SAID),
      expired: kinds.count("Expired", SAID),
      sender: kinds.from("senderName", kinds.text("Sender")),
      message: kinds.from("linkMessage", kinds.text("Message")),
      metadata: kinds.json("Metadata"),
      product_name: kinds.from("productName", kinds.text("Product")),
      product: kinds.from("productId", kinds.product("Product number", { beside: "product_name" })),
      variation: kinds.from("variationId", kinds.id("Variation")),
      gift_of_choice: kinds.flag("Recipients may choose another gift"),
      collection_name: kinds.from("collectionName", kinds.text("Collection")),
      collection: kinds.from(
        "collectionId",
        kinds.text("Collection", { beside: "collection_name" }),
      ),
      base_location: kinds.from("baseLocation", kinds.text("Base location")),
      picture: kinds.image("Picture"),
      quantity: kinds.from("qty", kinds.count("Gifts", SAID)),
      price: kinds.money("Price of one"),
      subtotal: kinds.money("Subtotal"),
      shipping: kinds.money("Shipping"),
      fee: kinds.money("Fee"),
      total: kinds.money("Total"),
      refunded: kinds.money("Refunded"),
      to_be_paid: kinds.money("To be paid"),
      to_be_refunded: kinds.money("To be refunded"),
    },
    lists: {
      gifts: {
        title: "Gifts",
        empty: "This order has no gifts.",
        rowActions: ["order cancel"],
        columns: {
          gift: kinds.gift("Gift"),
          name: kinds.text("Recipient"),
          email: kinds.email("E-mail address", { beside: "name" }),
          phone: kinds.text("Phone number", { beside: "name" }),
          address: kinds.text("Address"),
          status: kinds.from("state", kinds.status("Status")),
          product: kinds.text("Product"),
          last_day: kinds.day("Last day"),
          carrier: kinds.text("Carrier"),
          tracking_number: kinds.from("trackingNumber", kinds.text("Tracking number")),
          tracking_url: kinds.url("Tracking", { beside: "tracking_number" }),
          other_tracking_urls: kinds.many(
            kinds.url("Links of other parcels", { beside: "tracking_number" }),
          ),
          shipped: kinds.from("shippedAtMs", kinds.time("Shipped")),
          delivered: kinds.from("deliveredAtMs", kinds.time("Delivered")),
          refunded: kinds.money("Refunded"),
          last_email: kinds.text("Last e-mail"),
          next_email: kinds.text("Next e-mail"),
          next_email_at: kinds.time("At", { beside: "next_email" }),
          changed_with: kinds.from("credentialId", kinds.id("Last changed with set")),
          external_id: kinds.from("externalId", kinds.text("External id")),
          metadata: kinds.json("Metadata"),
        },
      },
      ledger: {
        title: "Entries of the ledger",
        isFolded: true,
        columns: {
          date: kinds.from("createdAtMs", kinds.time("Date")),
          kind: kinds.text("Kind"),
          amount: kinds.money("Amount"),
          reference: kinds.text("Reference"),
        },
      },
      ...TIMELINE,
    },
  },
  read: async (context, { order: orderId, gifts_after }) => {
    const { DB, recordingDB, user, requestId, nowMs } = context;
    const [opened, timeline] = await Promise.all([
      openOrder(recordingDB, {
        actor: user.name,
        requestId,
        nowMs,
        orderId,
        sequence: null,
        afterSequence: gifts_after ?? 0,
        limit: GIFTS_PER_PAGE,
      }),
      readTimeline(DB, { orderId, sequence: null }, MAX_ENTRIES),
    ]);
    if (!opened) throw notFound(`there is no order ${orderNumber(orderId)}.`);
    const { order, gifts, hasMore, entries, sameOrders } = opened;
    const lastSequence = gifts.at(-1)?.sequence;
    const { qty, productName, clientName } = order;
    const isOver = order.status === "failed" || order.status === "cancieled";
    const left = isOver ? 0 : qty - order.cancelledGifts - order.expiredGifts;
    const openGifts = left - order.redeemedGifts;
    const toCancel = left - order.shippedGifts;
    return {
      headline: `${orderNumber(order.id)} · ${qty.toLocaleString("en")} × ${productName ?? "gift"} for ${clientName}`,
      text: stateText(order, nowMs),
      facts: { ...factsOf(order), charged_twice: sameOrders.length > 0 ? sameOrders : null },
      lists: {
        gifts: gifts.map((gift) => giftRow(gift, order, nowMs)),
        ledger: entries.map((entry) => ({
          ...entry,
          amount: { minor: entry.amountMinor, currency: entry.currency },
        })),
        ...timeline.lists,
      },
      warnings: [
        ...(sameOrders.length > 0 ? [sameText(sameOrders)] : []),
        ...(timeline.complete ? [] : [INCOMPLETE]),
      ],
      actions: [
        ...(order.status === "created" ? ["order pay", "order fail"] : []),
        ...((order.owedMinor ?? 0) < 0 ? ["order refund"] : []),
        ...(order.hasLinks && openGifts > 0 ? ["order extend"] : []),
        ...(toCancel > 0 ? ["order cancel"] : []),
        "order note",
      ],
      ...(hasMore && { next: { gifts_after: String(lastSequence) } }),
    };
  },
});

const INCOMPLETE =
  "The timeline is not complete. Earlier entries are in the audit log and in the events.";

const sameText = (ids: readonly number[]) =>
  `Charged twice? ${ids.map(orderNumber).join(", ")} of the same day ${ids.length === 1 ? "has" : "have"} the same recipients, product and amount.`;

const PLACED: Record<OpenedOrder["order"]["status"], string> = {
  created: "Not paid yet, and placed",
  paid: "Paid, and placed",
  failed: "Failed, and placed",
  cancieled: "Cancelled, and placed",
};

/** Such as `Paid, and placed 3 days ago. Of 40 gifts, 12 are accepted and 3 shipped.` */
function stateText(order: OpenedOrder["order"], nowMs: number): string {
  const counts = Object.entries({
    accepted: order.redeemedGifts,
    shipped: order.shippedGifts,
    cancelled: order.cancelledGifts,
    expired: order.expiredGifts,
  })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count.toLocaleString("en")} ${word}`);
  const gifts = `${plural(order.qty, "gift")}: ${counts.join(", ") || "none accepted or shipped yet"}`;
  return `${PLACED[order.status]} ${agoText(order.createdAtMs, nowMs)}. ${gifts}.`;
}

function factsOf(order: OpenedOrder["order"]) {
  const { owedMinor, refundedMinor, currency } = order;
  /** Null for an amount of zero. */
  const money = (minor: number) => (minor > 0 ? { minor, currency } : null);
  return {
    ...order,
    gift_of_choice: order.giftOfChoice === "Y",
    price: money(order.productPriceMinor),
    subtotal: money(order.subtotalMinor),
    shipping: money(order.shippingCostMinor),
    fee: money(order.orderFeeMinor),
    total: money(order.orderTotalMinor),
    refunded: money(refundedMinor),
    to_be_paid: money(owedMinor ?? 0),
    to_be_refunded: money(-(owedMinor ?? 0)),
    cancelled: order.cancelledGifts || null,
    expired: order.expiredGifts || null,
    last_day: redeemByOf(order.expiresAtMs),
  };
}

function giftRow(gift: OpenedGift, order: OpenedOrder["order"], nowMs: number) {
  const last = gift.emails.findLast(
    ({ kind, linkGeneration, addressChanged }) =>
      EMAIL_FACTS[kind].brings === "tracking" ||
      (linkGeneration === gift.linkGeneration && !addressChanged),
  );
  const planned = plannedEmail(gift, nowMs);
  return {
    ...gift,
    gift: toGiftId(gift.orderId, gift.sequence),
    name: recipientName(gift),
    email: (gift.deliveryEmail ?? gift.email) || null,
    phone: gift.phoneNumber || null,
    address: addressText(gift.deliveryAddress),
    product: gift.productId === order.productId ? null : gift.productName,
    last_day: redeemByOf(gift.expiresAtMs),
    tracking_url: trackingUrlOf(gift),
    other_tracking_urls: otherTrackingUrls(gift),
    refunded:
      gift.refundedMinor > 0 ? { minor: gift.refundedMinor, currency: order.currency } : null,
    last_email: last
      ? [last.kind, last.status, ...(last.reason ? [last.reason] : [])].map(wordsOf).join(", ")
      : null,
    next_email: planned && wordsOf(planned.kind),
    next_email_at: planned && planned.atMs,
  };
}
