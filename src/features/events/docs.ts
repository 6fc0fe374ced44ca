// Describes the endpoint of the event feed, and events, which webhooks send too.
import { MINUTE_MS } from "../../core/values/time.ts";
import { toJson } from "../../platform/db/columns.ts";
import type { Metadata } from "../../platform/db/schema.ts";
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { EventListResponse, EventResponse, listEvents, MAX_PAGE_EVENTS } from "./contract.ts";
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
  metadata: { campaign: "anniversaries-2026" },
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

export const TRACKING = {
  carrier: "The company that carries the parcel. Null if it is not recorded.",
  tracking_number: "The carrier's number of the parcel. Null if it is not recorded.",
  tracking_url:
    "The carrier's page about the parcel, which begins with `https://`. Null if it is not recorded.",
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
    suborderSequence: null,
    metadata: toJson<Metadata>(metadata),
    externalId: null,
    recipientMetadata: null,
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    data: {},
    ...event,
  };
}

const FIRST_GIFT = { suborderSequence: 1, externalId: SAMPLE_ORDER.externalIds[0] as string };
const NO_ORDER = { orderId: null, orderRefId: null, metadata: null };
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
    cause: "You, us, a recipient who declines, or the last day of the gifts.",
    sandbox: "`POST /api/order/cancel`, or `POST /api/sandbox/event`.",
    example: { data: { cancelledGifts: 2, cancelledSequences: [1, 2], refundMinor: 152_88 } },
  },
  "order.extended": {
    meaning: "the last day to accept the gifts of the order changed.",
    cause: "Us, at your request.",
    sandbox: "`POST /api/sandbox/event` with `redeem_by`.",
    example: LAST_DAY,
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
    meaning: "a recipient declined a gift, which is then cancelled.",
    cause: "The recipient.",
    sandbox: "`POST /api/sandbox/event`.",
    example: { ...FIRST_GIFT, ...REFUND },
  },
  "gift.cancelled": {
    meaning: "a gift was cancelled for another reason, and its order continues.",
    cause: "You, or us at your request.",
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
    cause: "You, or us at your request.",
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
    cause: "Time: the last day of the gift has passed.",
    sandbox: "`POST /api/sandbox/event`, or `POST /api/sandbox/clock` past `redeem_by`.",
    example: { ...FIRST_GIFT, ...REFUND },
  },
  "gift.shipped": {
    meaning: "a parcel was shipped.",
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
  "gift.reopened": {
    meaning: "a shipment that was recorded by mistake is open again.",
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

export const eventDocs: FeatureDocs = {
  tag: {
    name: "Events",
    description: "What happened to your orders, gifts, credit and catalogue.",
  },

  responses: {
    EventList: described(EventListResponse(), {
      _: "Events in ascending order of `sequence`.",
      events: "The events. Empty if there are none after `after`.",
      next_after:
        "The `sequence` of the last of these events. Send it as `after` in the next request. If the list is empty, it is the `after` of this request, or the `sequence` of your last event for `latest`.",
      has_more: "True if there are more events after these. Then read the next page at once.",
    }),
    Event: described(EventResponse(), {
      _: "Something that happened to one of your orders, gifts or credit accounts, or to a product of your catalogue. An event does not change, except for the tracking of a parcel and what the erasure of a recipient removes.",
      sequence:
        "The event's position in your feed. Your first event has 1, the next one 2, and so on. There is a gap only before a `data.restored`. 0 if `type` is `webhook.test`, because that event is not in the feed.",
      type: `What happened. ${Object.entries(EVENT_DOCS)
        .map(([type, { meaning }]) => `\`${type}\`: ${meaning}`)
        .join(" ")}`,
      created_at: "When it happened, in UTC.",
      order_id: "The order. Null if the event is not about an order.",
      order_ref_id:
        "Your own reference of the order. Null for orders of Regalo's online store, and if the event is not about an order.",
      suborder_id: "The sub-order. Null if the event is not about one gift.",
      data: "Details. `type` determines which of its fields are present.",
    }),
    EventData: described(EventResponse().shape.data, {
      _: "Details of an event.",
      order_status:
        "The order's status after the event. Only in events `order.*` except `order.extended`.",
      recipient_count:
        "Number of recipients of the order. Only in events `order.*` except `order.extended`.",
      currency: "ISO 4217 code of the currency of all amounts. Only in events with amounts.",
      order_total: "The order's total. Only in events `order.*` except `order.extended`.",
      redeem_by:
        "The last day on which the gifts can be accepted. Null if they do not expire. In `order.extended`, `gift.extended` and `gift.expiring`, and in `order.created` and `order.paid` if the order was placed with it.",
      cancelled_count:
        "Number of gifts that were cancelled with the order. 0 if its last gifts expired or were declined. Only in `order.failed` and `order.cancelled`.",
      suborder_ids:
        "The gifts that were cancelled with the order, in ascending order. They have no `gift.cancelled`. Only in `order.failed` and `order.cancelled`.",
      refund:
        "The amount that this change returned to your credit. The refunds in all events of an order add up to the amount that was refunded for it. Only in `order.failed`, `order.cancelled`, `gift.declined`, `gift.cancelled` and `gift.expired`.",
      redemption_status:
        "The sub-order's status after the event. Only in `gift.redeemed`, `gift.declined`, `gift.cancelled` and `gift.expired`.",
      shipment_status:
        "The shipment's status after the event. Only in `gift.shipped`, `gift.delivered`, `gift.sent` and `gift.reopened`.",
      carrier: `${TRACKING.carrier} It is the present value, which may be corrected after the event. Only in \`gift.shipped\` and \`gift.delivered\`.`,
      tracking_number: `${TRACKING.tracking_number} It is the present value, as of \`carrier\`.`,
      tracking_url: `${TRACKING.tracking_url} It is the present value, as of \`carrier\`.`,
      product_id:
        "The product that the recipient gets, or that the event is about. Only in `gift.redeemed` and `product.*`.",
      variation_id:
        "The variation that the recipient gets, or whose `variation_stock_status` has changed. Null for a `simple` product, and if the event is about the product as a whole. Only in `gift.redeemed`, `product.sold_out` and `product.available`.",
      collection: "The collection that the event is about. Only in `collection.*`.",
      corrected_fields:
        "The names of the fields that were corrected, as in POST /api/order/correct. GET /api/order returns their values. In `gift.corrected`, and in `gift.redeemed` if the recipient corrected `first_name`, `last_name` or `phone_number`.",
      email_kind:
        "The kind of the e-mail, as in GET /api/order. Only in `gift.email_sent` and `gift.email_failed`.",
      email_failure:
        "The class of the failure, such as `hard_bounce` or `suppressed`. Only in `gift.email_failed`.",
      credit_balance: "Your balance when the event was created. Only in `credit.low`.",
      alert_below: "The amount of the alert. Only in `credit.low`.",
      credential_id: "The credential set. Only in `credential.…` events.",
      scope: "Its scope. Only in `credential.…` events.",
      last_sequence:
        "The sequence of the last event that is still valid. 0 if none is. The sequences between it and this event are not used again. Only in `data.restored`.",
      metadata: "The order's `metadata`. Only in events of orders and gifts, if there is any.",
      external_id: "Your own id of the recipient. Only in events of one gift, if there is one.",
      recipient_metadata:
        "The recipient's `metadata`. Only in events of one gift, if there is any.",
    }),
  },

  operations: [
    operation(listEvents, EventListResponse(), {
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
      query: {
        after: {
          description:
            "The `sequence` of the last event that you have. The default, 0, is the beginning of the feed. `latest` is its end: the response has no events, and `next_after` is the `sequence` of your last event.",
          example: 0,
        },
        limit: {
          description: `Maximum number of events in the response, at most ${String(MAX_PAGE_EVENTS)}.`,
          example: 100,
        },
      },
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
          { after: 916, last: 921 },
        ),
      },
    }),
  ],
};
