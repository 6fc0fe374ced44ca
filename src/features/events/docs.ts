// Describes the endpoint of the event feed, and events, which webhooks send too.
import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../../core/values/time.ts";
import { toJson } from "../../platform/db/columns.ts";
import type { Metadata } from "../../platform/db/schema.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { EventResponse, listEvents } from "./contract.ts";
import type { ClientEvent } from "./queries.ts";
import { EVENT_TYPES } from "./event.ts";
import { eventListResponse, eventResponse } from "./response.ts";

/** The gift-link order of all examples. The examples of features above this one are about the same order. */
export const SAMPLE_ORDER = {
  id: 42,
  orderRefId: "spring-2026-0002",
  currency: "AUD" as const,
  qty: 2,
  orderTotalMinor: 152_88,
  productId: 1007,
  metadata: { cost_centre: "4711" },
  campaign: "anniversaries-2026",
  externalIds: ["employee-1041", "employee-1042"] as const,
  createdAtMs: Date.parse("2026-09-17T01:05:00Z"),
  redeemedAtMs: Date.parse("2026-09-18T22:41:37Z"),
  shippedAtMs: Date.parse("2026-09-21T04:12:09.480Z"),
};

export const SAMPLE_TRACKING = {
  carrier: "Australia Post",
  tracking_number: "33ABC0012345",
  tracking_url: "https://carrier.example/track/33ABC0012345",
};

function orderEvent(
  event: Pick<ClientEvent, "sequence" | "type" | "createdAtMs"> & Partial<ClientEvent>,
): ClientEvent {
  const { id, metadata, ...order } = SAMPLE_ORDER;
  return {
    orderId: id,
    orderRefId: order.orderRefId,
    currency: order.currency,
    qty: order.qty,
    orderTotalMinor: order.orderTotalMinor,
    giftSequence: null,
    campaign: order.campaign,
    metadata: toJson<Metadata>(metadata),
    externalId: null,
    recipientMetadata: null,
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    problem: null,
    data: {},
    ...event,
  };
}

const FIRST_GIFT = { giftSequence: 1, externalId: SAMPLE_ORDER.externalIds[0] as string };
const NO_ORDER = { orderId: null, orderRefId: null, campaign: null, metadata: null };
const SHIPPED = {
  createdAtMs: SAMPLE_ORDER.shippedAtMs,
  carrier: SAMPLE_TRACKING.carrier,
  trackingNumber: SAMPLE_TRACKING.tracking_number,
  trackingUrl: SAMPLE_TRACKING.tracking_url,
};

export const PAID_EVENT = orderEvent({
  sequence: 917,
  type: "order.paid",
  createdAtMs: SAMPLE_ORDER.createdAtMs,
});

interface EventDocs {
  meaning: string;
  /** Who or what causes the event. */
  cause: string;
  /** How partners cause it in the sandbox. */
  sandbox: string;
  /** The values of the example. Absent for `webhook.test`, whose example is that of the test. */
  example?: Partial<ClientEvent>;
}

const REFUND = { currency: "AUD" as const, data: { refundMinor: 76_44 } };
const LAST_DAY = { data: { expiresAtMs: Date.parse("2027-01-01T12:00:00Z") } };
const PRODUCT = { ...NO_ORDER, data: { productId: SAMPLE_ORDER.productId } };
const EMAIL = { data: { emailKind: "invitation" as const } };

/** All types of events, as the table of the guide shows them. */
export const EVENT_DOCS: Record<EventResponse["type"], EventDocs> = {
  "order.created": {
    meaning: "an order was placed and is not paid yet.",
    cause: "You, if you pay by invoice.",
    sandbox: "Place an order, as a client that pays by invoice.",
    example: {},
  },
  "order.paid": {
    meaning: "an order was placed and paid with your credit, or a created order was paid.",
    cause: "You, or your payment of an invoice.",
    sandbox: "Place an order, or use `POST /api/sandbox/event` if you pay by invoice.",
    example: {},
  },
  "order.failed": {
    meaning: "the payment failed.",
    cause: "An invoice that was not paid.",
    sandbox: "`POST /api/sandbox/event`, as a client that pays by invoice.",
    example: { data: { cancelledGifts: 2, cancelledSequences: [1, 2] } },
  },
  "order.cancelled": {
    meaning: "the order was cancelled, or its last gift ended without being accepted.",
    cause: "You, us, or time: the last gifts were declined, or their last day has passed.",
    sandbox: "`POST /api/order/cancel`, or `POST /api/sandbox/event`.",
    example: { data: { cancelledGifts: 2, cancelledSequences: [1, 2], refundMinor: 152_88 } },
  },
  "order.extended": {
    meaning: "the last day to accept the gifts of the order changed.",
    cause: "Us, at your request.",
    sandbox: "`POST /api/sandbox/event` with `redeem_by`.",
    example: LAST_DAY,
  },
  "gift.opened": {
    meaning:
      "a recipient opened a gift for the first time: unwrapped the present, or first sent a form of its page.",
    cause: "The recipient, unless the browser asks not to be tracked.",
    sandbox: "`POST /api/sandbox/event`, or open the present on its page.",
    example: FIRST_GIFT,
  },
  "gift.redeemed": {
    meaning: "a recipient accepted a gift.",
    cause: "The recipient.",
    sandbox: "`POST /api/sandbox/event`, or accept the gift on its page.",
    example: {
      ...FIRST_GIFT,
      createdAtMs: SAMPLE_ORDER.redeemedAtMs,
      data: { productId: SAMPLE_ORDER.productId, variationId: null },
    },
  },
  "gift.thanked": {
    meaning:
      "a recipient sent a thank-you note, which GET /api/order returns with `include=thank_you`.",
    cause: "The recipient.",
    sandbox: "`POST /api/sandbox/event` for a redeemed gift.",
    example: FIRST_GIFT,
  },
  "gift.declined": {
    meaning:
      "a recipient declined a gift. It can be taken back until `final_at`, and is then cancelled.",
    cause: "The recipient.",
    sandbox: "`POST /api/sandbox/event`.",
    example: {
      ...FIRST_GIFT,
      data: { declineReason: "not_allowed", finalAtMs: SAMPLE_ORDER.redeemedAtMs + 7 * DAY_MS },
    },
  },
  "gift.reinstated": {
    meaning: "a declined gift is open again.",
    cause: "The recipient, before the gift is cancelled.",
    sandbox: "`POST /api/sandbox/event` for a declined gift.",
    example: FIRST_GIFT,
  },
  "gift.cancelled": {
    meaning: "a gift was cancelled, and its order continues.",
    cause: "You, us at your request, or time: the gift was declined some days ago.",
    sandbox: "`POST /api/order/cancel` with some of the order's `suborder_ids`.",
    example: { ...FIRST_GIFT, ...REFUND },
  },
  "gift.extended": {
    meaning: "the last day to accept a single gift changed.",
    cause: "Us, at your request.",
    sandbox: "`POST /api/sandbox/event` with `redeem_by`.",
    example: { ...FIRST_GIFT, ...LAST_DAY },
  },
  "gift.corrected": {
    meaning: "the data of a recipient was corrected.",
    cause: "You, us at your request, or a recipient who corrects where an accepted gift is sent.",
    sandbox: "`POST /api/order/correct`.",
    example: { ...FIRST_GIFT, data: { correctedFields: ["last_name", "phone_number"] } },
  },
  "gift.renewed": {
    meaning: "a gift got a new link.",
    cause:
      "You, or us at your request, also by the correction of an e-mail address to which the link was sent.",
    sandbox: "`POST /api/gift-link/renew`.",
    example: FIRST_GIFT,
  },
  "gift.expiring": {
    meaning: "a gift that has not been accepted expires soon.",
    cause: "Time: 14 days and 3 days before the gift expires.",
    sandbox:
      "Place an order with `redeem_by` and use `POST /api/sandbox/clock` until 14 or 3 days before.",
    example: { ...FIRST_GIFT, ...LAST_DAY },
  },
  "gift.expired": {
    meaning: "a gift expired.",
    cause: "Time: the last day of the gift passed some days ago.",
    sandbox:
      "`POST /api/sandbox/event`, or `POST /api/sandbox/clock` until some days after `redeem_by`.",
    example: { ...FIRST_GIFT, ...REFUND },
  },
  "gift.shipped": {
    meaning:
      "a parcel was shipped, or the report that changed its status was about another parcel.",
    cause: "Us.",
    sandbox: "`POST /api/sandbox/event` for a redeemed gift.",
    example: { ...FIRST_GIFT, ...SHIPPED },
  },
  "gift.delivered": {
    meaning: "a parcel was delivered.",
    cause: "The carrier.",
    sandbox: "`POST /api/sandbox/event`.",
    example: { ...FIRST_GIFT, ...SHIPPED },
  },
  "gift.sent": {
    meaning: "a digital gift was sent: it has its code.",
    cause:
      "The payment of an order of `POST /api/order`, or the acceptance of a gift with a link. Us, for a gift that staff send.",
    sandbox: "`POST /api/order` for a digital gift. `POST /api/sandbox/event`, if staff send it.",
    example: FIRST_GIFT,
  },
  "gift.returned": {
    meaning: "a parcel came back. The recipient can be corrected.",
    cause: "The carrier.",
    sandbox: "`POST /api/sandbox/event`.",
    example: { ...FIRST_GIFT, ...SHIPPED, problem: "refused" },
  },
  "gift.failed": {
    meaning: "a parcel did not arrive. The recipient can be corrected.",
    cause: "The carrier.",
    sandbox: "`POST /api/sandbox/event`.",
    example: { ...FIRST_GIFT, ...SHIPPED, problem: "lost" },
  },
  "gift.reopened": {
    meaning:
      "a shipment is open again: it was recorded by mistake, or the gift is to be shipped again.",
    cause: "Us.",
    sandbox: "`POST /api/sandbox/event` for a shipped gift.",
    example: FIRST_GIFT,
  },
  "gift.email_sent": {
    meaning: "an e-mail about a gift was sent.",
    cause: "An order with `send_method`, or `POST /api/gift-link/send`.",
    sandbox: "`POST /api/gift-link` with `send_method` `email`.",
    example: { ...FIRST_GIFT, ...EMAIL },
  },
  "gift.email_failed": {
    meaning: "an e-mail was not sent, bounced, or was marked as spam.",
    cause: "The recipient's mail server, or the recipient.",
    sandbox: "`POST /api/sandbox/event` with `email.bounced`, after the e-mail is listed.",
    example: { ...FIRST_GIFT, data: { ...EMAIL.data, emailReason: "hard_bounce" } },
  },
  "credit.low": {
    meaning: "your credit is below the amount of the alert.",
    cause: "An order, if we have set the amount of an alert at your request.",
    sandbox: "`POST /api/sandbox/credit` with an `alert_below` above your balance.",
    example: {
      ...NO_ORDER,
      data: { currency: "AUD", balanceMinor: 812_40, alertBelowMinor: 1_000_00 },
    },
  },
  "credential.created": {
    meaning: "you or we have created credentials for your client, other than the first ones.",
    cause: "You, or us at your request.",
    sandbox: "`POST /api/credential`.",
    example: { ...NO_ORDER, data: { credentialId: 7, scope: "order" } },
  },
  "credential.limited": {
    meaning: "the spending limits of credentials were changed.",
    cause: "You, or us at your request.",
    sandbox: "`POST /api/credential/limits`.",
    example: { ...NO_ORDER, data: { credentialId: 7, scope: "order" } },
  },
  "credential.revoked": {
    meaning: "credentials were revoked.",
    cause: "You, or us.",
    sandbox: "`POST /api/credential/revoke`.",
    example: { ...NO_ORDER, data: { credentialId: 7, scope: "order" } },
  },
  "product.added": {
    meaning: "a publication has added a product to your catalogue.",
    cause: "Us.",
    sandbox: "`POST /api/sandbox/event`.",
    example: PRODUCT,
  },
  "product.changed": {
    meaning: "a publication has changed the content of a product.",
    cause: "Us.",
    sandbox: "`POST /api/sandbox/event`.",
    example: PRODUCT,
  },
  "product.removed": {
    meaning: "a publication has removed a product.",
    cause: "Us.",
    sandbox: "`POST /api/sandbox/event`.",
    example: PRODUCT,
  },
  "product.sold_out": {
    meaning: "a product or one of its variations can no longer be ordered.",
    cause: "The order of the last piece, or us.",
    sandbox: "`POST /api/sandbox/event`, or order the last pieces.",
    example: PRODUCT,
  },
  "product.available": {
    meaning: "a product or one of its variations can be ordered again.",
    cause: "A cancellation, or us.",
    sandbox: "`POST /api/sandbox/event`, or cancel an order of the last pieces.",
    example: PRODUCT,
  },
  "collection.changed": {
    meaning: "a collection of your catalogue was added or changed.",
    cause: "Us.",
    sandbox: "Not possible.",
    example: { ...NO_ORDER, data: { collection: "wellness" } },
  },
  "collection.removed": {
    meaning: "a collection of your catalogue was removed.",
    cause: "Us.",
    sandbox: "Not possible.",
    example: { ...NO_ORDER, data: { collection: "wellness" } },
  },
  "data.restored": {
    meaning:
      "our database was restored to an earlier moment, and the events after `last_sequence` that you have read are undone.",
    cause: "Us, after a loss of data.",
    sandbox: "Not possible.",
    example: { ...NO_ORDER, data: { lastSequence: 902 } },
  },
  "webhook.test": {
    meaning: "a test of a webhook endpoint, which is not in the feed.",
    cause: "You.",
    sandbox: "`POST /api/webhook/test`.",
  },
};

/** An event of each type of the feed. */
export const EVENT_EXAMPLES = Object.fromEntries(
  EVENT_TYPES.map((type, index) => [
    type,
    eventResponse(
      orderEvent({
        sequence: 916 + index,
        type,
        createdAtMs: SAMPLE_ORDER.createdAtMs,
        ...EVENT_DOCS[type].example,
      }),
    ),
  ]),
);

const PRODUCT_EVENT: ClientEvent = {
  ...orderEvent({
    sequence: 921,
    type: "product.sold_out",
    createdAtMs: SAMPLE_ORDER.shippedAtMs + MINUTE_MS,
    data: { productId: SAMPLE_ORDER.productId },
  }),
  orderId: null,
  orderRefId: null,
  metadata: null,
};

const TYPES = Object.entries(EVENT_DOCS).map(([type, { meaning }]) => `\`${type}\`: ${meaning}`);
z.globalRegistry.add(EventResponse().shape.type, {
  description: `What happened. ${TYPES.join(" ")}`,
});

export const eventDocs: FeatureDocs = {
  tag: {
    name: "Events",
    description: "What happened to your orders, gifts, credit and catalogue.",
  },

  operations: [
    operation(listEvents, {
      summary: "List events",
      description: `Returns your events whose \`sequence\` is greater than \`after\`, in ascending order. Your first event
has the sequence 1, and the sequences have no gaps, except before a \`data.restored\`. Store \`next_after\` with the events, and send it as \`after\` in
the next request. If you read the feed this way, you get every event exactly once. Events are kept without a time
limit, and they contain no personal data except the tracking of parcels, and what you put into \`metadata\` and
\`external_id\`.

Events \`product.*\` keep a copy of your catalogue fresh: read the products of the events with GET /api/product. There is one
event for each product and publication that added, changed or removed it, with the time of the publication. They are
inserted some minutes after a large publication, and webhooks get them between your other events, which do not wait for
them. \`product.sold_out\` and \`product.available\` are inserted within a minute: one with \`variation_id\` for each
variation, and one without for the product, if its \`stock_status\` has changed too. What was sold out and available
again in the meantime has no event. In the sandbox, an order of the last pieces causes \`product.sold_out\`, and its
cancellation \`product.available\`.

If \`after\` is greater than the sequence of your last event, the response is a \`validation_error\`.`,
      sample: ["after"],
      returns: "The events after `after`. The list is empty if there are none yet.",
      responses: {
        events: eventListResponse(
          [
            PAID_EVENT,
            orderEvent({
              ...FIRST_GIFT,
              sequence: 918,
              type: "gift.redeemed",
              createdAtMs: SAMPLE_ORDER.redeemedAtMs,
              data: { productId: SAMPLE_ORDER.productId, variationId: null },
            }),
            orderEvent({
              ...FIRST_GIFT,
              sequence: 919,
              type: "gift.thanked",
              createdAtMs: SAMPLE_ORDER.redeemedAtMs + MINUTE_MS,
            }),
            orderEvent({
              ...FIRST_GIFT,
              sequence: 920,
              type: "gift.shipped",
              ...SHIPPED,
            }),
            PRODUCT_EVENT,
          ],
          { read: 920, last: 921 },
        ),
      },
    }),
  ],
};
