// A gift with its recipient, its shipment and its e-mails, and what happened to it.
import { notFound } from "../../core/api-error.ts";
import { addressDoubts } from "../../core/address/check.ts";
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { countsAsShipped } from "../../core/values/shipment-states.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { otherTrackingUrls, trackingUrlOf } from "../../core/values/tracking.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { previewUrls } from "../../features/orders/gift-link.ts";
import { OBSTACLES } from "../../features/fulfilment/obstacles.ts";
import { plannedEmail } from "../../features/schedule/next-email.ts";
import { readSentEmails } from "../../features/schedule/queries.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { type Sending, readSending } from "../email/sending.ts";
import { ADDRESS_RULES } from "../address-rules.ts";
import { addressText, recipientName } from "../order/address-text.ts";
import { actionsOf, headlineOf, stateText, warningsOf } from "./state.ts";
import { type OpenedGift, openOrder } from "../order/open-order-queries.ts";
import { readTimeline, TIMELINE } from "../order/timeline.ts";

const MAX_ENTRIES = 50;

/** The sentence of the page says it. */
const SAID = { isInFilesOnly: true };

/** Four round trips, of which three are simultaneous. The audit log records that the personal data was read. */
export const giftShow = view({
  name: "gift show",
  title: "Gift",
  description:
    "Shows a gift, its shipment, its e-mails and what happened to it. The page that the recipient sees and the e-mails can be opened for an hour. They show the present data without the recipient's link. The audit log records the reading.",
  permission: "view",
  input: { gift: kinds.gift("Gift") },
  examples: ["GO-00042-3"],
  within: "order",
  shape: {
    headings: { name: "Recipient", shipment: "Shipment", gift: "Gift", order: "Order" },
    facts: {
      name: kinds.text("Name"),
      email: kinds.email("E-mail address"),
      delivery_email: kinds.from("deliveryEmail", kinds.email("E-mail address for the delivery")),
      phone: kinds.text("Phone number"),
      address: kinds.text("Address"),
      notes: kinds.lines("Notes for the delivery"),
      language: kinds.text("Language"),
      external_id: kinds.from("externalId", kinds.text("External id")),
      metadata: kinds.json("Metadata"),
      thank_you: kinds.from("thankYou", kinds.lines("Thank-you note")),
      shipment: kinds.status("Shipment", SAID),
      not_shipped_because: kinds.text("Not to be shipped because it", SAID),
      carrier: kinds.text("Carrier"),
      tracking_number: kinds.from("trackingNumber", kinds.text("Tracking number")),
      tracking_url: kinds.from("trackingUrl", kinds.url("Tracking", { beside: "tracking_number" })),
      other_tracking_urls: kinds.many(
        kinds.url("Links of other parcels", { beside: "tracking_number" }),
      ),
      shipped: kinds.from("shippedAtMs", kinds.time("Shipped")),
      delivered: kinds.from("deliveredAtMs", kinds.time("Delivered")),
      gift: kinds.gift("Number"),
      page: kinds.url("What the recipient sees", { linkText: "Open the page" }),
      product_name: kinds.from("productName", kinds.text("Product")),
      product: kinds.from("productId", kinds.product("Product number", { beside: "product_name" })),
      variation: kinds.from("variationId", kinds.id("Variation")),
      status: kinds.from("state", kinds.status("Status", SAID)),
      last_day: kinds.day("Last day", SAID),
      opened: kinds.from("openedAtMs", kinds.time("Opened")),
      redeemed: kinds.from("redeemedAtMs", kinds.time("Accepted")),
      delivery: kinds.text("Delivery"),
      message: kinds.lines("Message"),
      next_email: kinds.choice("Next e-mail", EMAIL_KINDS),
      next_email_at: kinds.time("Next e-mail at", { beside: "next_email" }),
      no_emails_because: kinds.text("No e-mails because"),
      picture: kinds.image("Picture"),
      order: kinds.from("orderId", kinds.order("Order")),
      client_name: kinds.from("clientName", kinds.text("Company")),
      client: kinds.from("clientId", kinds.client("Client", { beside: "client_name" })),
      reference: kinds.from("orderRefId", kinds.text("Reference")),
      swapped_to: kinds.from("swappedTo", kinds.gift("Swapped for")),
      swapped_from: kinds.from("swappedFrom", kinds.gift("In place of")),
    },
    lists: {
      timeline: TIMELINE.timeline,
      emails: {
        title: "E-mails",
        isFolded: true,
        columns: {
          attempted: kinds.from("attemptedAtMs", kinds.time("Attempted")),
          kind: kinds.choice("E-mail", EMAIL_KINDS),
          status: kinds.status("Status"),
          reason: kinds.status("Reason"),
          attempts: kinds.count("Attempts"),
          next_attempt: kinds.from("nextAttemptAtMs", kinds.time("Next attempt")),
          message: kinds.from("messageId", kinds.text("Message id")),
        },
      },
      attempts: TIMELINE.attempts,
      readings: TIMELINE.readings,
    },
  },
  read: async (context, { gift: giftId }) => {
    const { DB, recordingDB, user, requestId, nowMs } = context;
    const key = splitGiftId(giftId);
    const previews = await previewUrls(context, { shown: giftId, nowMs });
    const reader = { actor: user.name, requestId, nowMs };
    const [opened, timeline, sent] = await Promise.all([
      openOrder(recordingDB, { ...reader, ...key, afterSequence: 0, limit: 1 }),
      readTimeline(DB, key, MAX_ENTRIES, previews),
      readSentEmails(DB, key),
    ]);
    const [gift] = opened?.gifts ?? [];
    if (!opened || !gift) throw notFound(`there is no gift ${giftNumber(giftId)}.`);
    const { order } = opened;
    const planned = plannedEmail(gift, nowMs);
    const hasLink = gift.linkNonce !== null;
    const sending = hasLink ? await readSending(context, gift, gift.nextEmailMs ?? nowMs) : null;
    const noEmails = sending && noEmailsBecause(sending);
    const state = {
      gift,
      sent,
      sending,
      noEmails: gift.inviteAtMs === null ? null : noEmails,
      nowMs,
    };
    return {
      headline: headlineOf(gift),
      text: stateText(state),
      warnings: [...warningsOf(state), ...addressDoubts(gift.deliveryAddress, ADDRESS_RULES)],
      facts: {
        ...giftFacts(gift),
        gift: giftId,
        page: hasLink && previews ? previews.page : null,
        clientId: order.clientId,
        clientName: order.clientName,
        orderRefId: order.orderRefId,
        next_email: planned?.kind ?? null,
        next_email_at: planned?.atMs ?? null,
        no_emails_because: noEmails,
      },
      lists: { ...timeline.lists, emails: sent },
      actions: actionsOf(state),
    };
  },
});

const giftFacts = (gift: OpenedGift) => ({
  ...gift,
  ...shipmentFacts(gift),
  name: recipientName(gift),
  email: gift.email || null,
  phone: gift.phoneNumber || null,
  address: addressText(gift.deliveryAddress),
  notes: gift.deliveryNotes || null,
  last_day: redeemByOf(gift.expiresAtMs),
  message: gift.emailMessage || null,
});

function shipmentFacts(gift: OpenedGift) {
  const { shipmentStatus, deliveryObstacle } = gift;
  const isOpen = !countsAsShipped(shipmentStatus);
  const obstacle = isOpen ? deliveryObstacle : null;
  return {
    trackingUrl: trackingUrlOf(gift),
    other_tracking_urls: otherTrackingUrls(gift),
    shipment: obstacle ? null : isOpen ? "to ship" : shipmentStatus,
    not_shipped_because: obstacle && OBSTACLES[obstacle],
  };
}

/** Why no e-mails about the gift are sent at present, apart from its status. Null if there is no such reason. */
function noEmailsBecause({ gift, obstacle, nowMs }: Sending): string | null {
  const { clientStatus, pausedUntilMs } = gift;
  if (obstacle !== null) return obstacle;
  if (gift.inviteAtMs === null) return "the client sends the link";
  if (clientStatus === "suspended") return "the client is suspended";
  if (pausedUntilMs === null || pausedUntilMs <= nowMs) return null;
  return `${String(gift.pauseCode)} of the e-mail service: nothing is sent until ${formatDateTime(pausedUntilMs)}`;
}
