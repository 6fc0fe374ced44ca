// The examples of the OpenAPI document. Example responses are built by the functions that build real responses.
import { fromFileProduct, type FileProduct } from "../features/catalogue/file-product.ts";
import { productListResponse, productResponse } from "../features/catalogue/response.ts";
import { creditBalanceResponse } from "../features/credit/response.ts";
import type { ErrorCode } from "../core/api-error.ts";
import type { ClientEvent } from "../features/events/event.ts";
import { eventListResponse, eventResponse } from "../features/events/response.ts";
import { shipmentListResponse } from "../features/fulfilment/response.ts";
import type { ListedShipment } from "../features/fulfilment/shipment.ts";
import type { ErrorResponse } from "../platform/http/error-response.ts";
import type { CorrectionRequest, RenewalRequest } from "../features/lifecycle/contract.ts";
import type { OrderState } from "../features/lifecycle/queries.ts";
import {
  cancelResponse,
  correctionResponse,
  renewalResponse,
} from "../features/lifecycle/response.ts";
import {
  type GiftLinkRequest,
  INCLUDES,
  type OrderRequest,
  type QuoteRequest,
} from "../features/orders/contract.ts";
import { formatCursor } from "../features/orders/list-cursor.ts";
import {
  giftLinkResponse,
  orderListResponse,
  orderResponse,
  placementResponse,
  quoteResponse,
} from "../features/orders/response.ts";
import type { Order, SubOrder } from "../features/orders/order.ts";
import { totalsOf } from "../features/orders/totals.ts";
import type {
  SandboxRedemptionRequest,
  SandboxShipmentRequest,
} from "../features/sandbox/contract.ts";
import {
  sandboxGiftResponse,
  sandboxOrderResponse,
  sandboxShipmentResponse,
} from "../features/sandbox/response.ts";
import { orderNumber, splitSuborderId, suborderId } from "../core/values/ids.ts";
import { expiryOf } from "../core/values/redeem-by.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/values/time.ts";
import type {
  RedeliveryResponse,
  WebhookRequest,
  WebhookTestResponse,
} from "../features/webhooks/contract.ts";
import {
  deliveryListResponse,
  webhookListResponse,
  webhookResponse,
} from "../features/webhooks/response.ts";
import { messageId } from "../features/webhooks/delivery/send-page.ts";
import { testEvent } from "../features/webhooks/send-test.ts";
import { PREVIOUS_SECRET_MS, type Webhook } from "../features/webhooks/webhook.ts";

const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  address_line_2: "Unit 3",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};

/**
 * An order for two recipients: 64.00 and 9.50 for shipping each. The product's stock is not tracked. Otherwise the
 * example could fail in the sandbox after the orders of another partner.
 */
const ORDER = {
  order_ref_id: "spring-2026-0001",
  product_id: 1007,
  currency: "AUD",
  base_location: "AU",
  recipient_details: [
    {
      first_name: "Marisol",
      last_name: "Quintana",
      email: "marisol.quintana@example.com",
      phone_number: "+61 2 5550 0142",
      delivery_address: ADDRESS,
    },
    {
      first_name: "Teodor",
      last_name: "Lindqvist",
      email: "teodor.lindqvist@example.com",
      delivery_address: ADDRESS,
    },
  ],
} satisfies OrderRequest;

const GIFT_LINKS = {
  ...ORDER,
  order_ref_id: "spring-2026-0002",
  gift_of_choice: "Y",
  order_branding: "platform",
  sender_name: "Ines Okafor",
  metadata: { campaign: "anniversaries-2026" },
  recipient_details: ORDER.recipient_details.map(({ first_name, last_name, email }, index) => ({
    first_name,
    last_name,
    email,
    redemption_message: `Ten years with us. Thank you, ${first_name}!`,
    language: "en-AU",
    external_id: `employee-${String(1041 + index)}`,
  })),
} satisfies GiftLinkRequest;

/** The last day is some years ahead, so that the example can be sent until then. */
const GIFT_LINKS_WITH_LAST_DAY = {
  ...GIFT_LINKS,
  order_ref_id: "spring-2026-0003",
  redeem_by: "2030-12-31",
} satisfies GiftLinkRequest;

/** The order of the demo data that has gift links. Each example that changes a gift uses another one of it. */
const DEMO_ORDER_ID = 6;

const CORRECTION = {
  suborder_id: suborderId(DEMO_ORDER_ID, 1),
  last_name: "Quintana",
  delivery_address: ADDRESS,
} satisfies CorrectionRequest;

const RENEWAL = {
  suborder_id: suborderId(DEMO_ORDER_ID, 1),
  email: "marisol.quintana@example.com",
} satisfies RenewalRequest;

const { product_id, currency, base_location } = ORDER;
const QUOTE = {
  product_id,
  currency,
  base_location,
  qty: ORDER.recipient_details.length,
  gift_order_method: "api-giftlink",
} satisfies QuoteRequest;

const WEBHOOK = {
  url: "https://partner.example/regalo/events",
  event_types: ["order.paid", "gift.redeemed"],
  description: "Gift status in our CRM",
} satisfies WebhookRequest;

const TRACKING = {
  carrier: "Australia Post",
  tracking_number: "33ABC0012345",
  tracking_url: "https://carrier.example/track/33ABC0012345",
};

const ORDER_ID = 42;

/** The id of a failed order of the local demo data. */
const FAILED_ORDER_ID = 4;

/** The id of the first endpoint in a new database. */
const WEBHOOK_ID = 1;

export const REQUEST_EXAMPLES = {
  order: ORDER,
  giftLinks: GIFT_LINKS,
  cancelGift: { order_id: DEMO_ORDER_ID, suborder_ids: [suborderId(DEMO_ORDER_ID, 2)] },
  cancelOrder: { order_number: "GO-00042" },
  giftLinksWithLastDay: GIFT_LINKS_WITH_LAST_DAY,
  quote: QUOTE,
  correction: CORRECTION,
  renewal: RENEWAL,
  webhook: WEBHOOK,
  webhookSelection: { webhook_id: WEBHOOK_ID },
  redeliverSince: { webhook_id: WEBHOOK_ID, since_sequence: 1 },
  redeliverOne: { webhook_id: WEBHOOK_ID, sequence: 917 },
  sandboxReference: { order_ref_id: ORDER.order_ref_id },
  sandboxNumber: { order_number: orderNumber(FAILED_ORDER_ID) },
  sandboxRedemption: {
    suborder_id: suborderId(DEMO_ORDER_ID, 3),
    delivery_address: ADDRESS,
    delivery_notes: "Leave it at the front desk.",
  } satisfies SandboxRedemptionRequest,
  sandboxExpiry: { suborder_id: suborderId(DEMO_ORDER_ID, 4) },
  sandboxShipment: {
    suborder_id: suborderId(DEMO_ORDER_ID, 3),
    ...TRACKING,
  } satisfies SandboxShipmentRequest,
  sandboxDelivery: { suborder_id: suborderId(DEMO_ORDER_ID, 3) },
};

const PLACED_AT_MS = Date.parse("2026-09-17T01:05:00Z");
const REDEEMED_AT_MS = Date.parse("2026-09-18T22:41:37Z");
const SHIPPED_AT_MS = Date.parse("2026-09-21T04:12:09.480Z");
const FEE_BASIS_POINTS = 400;

export type ResponseExamples = ReturnType<typeof responseExamples>;

/** `catalogue` is the demo catalogue, and `publicUrl` the origin of the sandbox. */
export function responseExamples(catalogue: FileProduct[], publicUrl: string) {
  const product = (id: number) => {
    const found = catalogue.find(({ product_id }) => product_id === id);
    if (!found) throw new Error(`the demo catalogue has no product ${String(id)}`);
    const { product, stock } = fromFileProduct(found);
    return productResponse(product, stock, publicUrl);
  };
  const order = {
    id: ORDER_ID,
    status: "paid" as const,
    currency: ORDER.currency,
    ...totalsOf(64_00, 9_50, ORDER.recipient_details.length, FEE_BASIS_POINTS),
    placementId: "",
    requestDigest: "",
    linkNonce: null,
    linkKeyId: null,
  };
  const recipients = GIFT_LINKS.recipient_details;
  const giftUrls = [
    "42001-k9p346n3d25rq4f5r37e3p3e28iq97jb6cn6",
    "42002-k9p346n3d25r43dvrkttnjfbf5jvlsi47qal",
  ].map((token) => `${publicUrl}/redeem/${token}`);
  const counts = { all: 2, physical: 2, digital: 0 };
  const orderEvent = (
    event: Pick<ClientEvent, "sequence" | "type" | "createdAtMs"> & Partial<ClientEvent>,
  ): ClientEvent => ({
    orderId: ORDER_ID,
    orderRefId: GIFT_LINKS.order_ref_id,
    currency: order.currency,
    qty: order.qty,
    orderTotalMinor: order.orderTotalMinor,
    suborderSequence: null,
    metadata: JSON.stringify(GIFT_LINKS.metadata),
    externalId: null,
    recipientMetadata: null,
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    data: {},
    ...event,
  });
  /** The order after the cancellation of its last gifts. */
  const cancelled = (count: number): OrderState => ({
    ...order,
    orderRefId: GIFT_LINKS.order_ref_id,
    status: count === order.qty ? "cancieled" : "paid",
    paidFromCredit: true,
    refundedMinor: (order.orderTotalMinor * count) / order.qty,
    owedMinor: null,
    redeemedGifts: 0,
    cancelledGifts: count,
    expiredGifts: 0,
    gifts: recipients.map((_, index) => ({
      sequence: index + 1,
      redemptionStatus: index < order.qty - count ? null : "cancelled",
      endingId: null,
      hasShipment: false,
    })),
  });
  const paid = orderEvent({ sequence: 917, type: "order.paid", createdAtMs: PLACED_AT_MS });
  const webhook: Webhook = {
    id: WEBHOOK_ID,
    clientId: "",
    url: WEBHOOK.url,
    description: WEBHOOK.description,
    eventTypes: [...WEBHOOK.event_types],
    status: "enabled",
    disabledReason: null,
    failingSinceMs: null,
    position: 917,
    secretNonce: "",
    previousSecretNonce: null,
    previousSecretUntilMs: null,
    createdAtMs: PLACED_AT_MS - 24 * HOUR_MS,
  };
  const shown = (changes: Partial<Webhook> = {}) =>
    webhookResponse({ ...webhook, ...changes }, REDEEMED_AT_MS);
  const giftOrder: Order = {
    ...order,
    clientId: "",
    orderRefId: GIFT_LINKS.order_ref_id,
    giftOrderMethod: "api-giftlink",
    status: "paid",
    giftOfChoice: "Y",
    brandingSelected: "platform",
    branding: null,
    emailTemplate: "generic",
    productId: ORDER.product_id,
    variationId: null,
    productRevision: "",
    baseLocation: ORDER.base_location,
    linkHowManyTimes: null,
    linkUrl: null,
    linkMessage: null,
    createdAtMs: PLACED_AT_MS,
  };
  const subOrders: SubOrder[] = recipients.map((recipient, index) => ({
    orderId: ORDER_ID,
    sequence: index + 1,
    firstName: recipient.first_name,
    lastName: recipient.last_name,
    email: recipient.email,
    phoneNumber: null,
    emailMessage: recipient.redemption_message,
    deliveryAddress: null,
    deliveryNotes: null,
    productId: ORDER.product_id,
    variationId: null,
    redemptionStatus: null,
    redeemedAtMs: null,
    redemptionId: null,
    selectedRevision: null,
    linkGeneration: 0,
  }));
  const wholeOrder: Order = {
    ...giftOrder,
    ...{ metadata: GIFT_LINKS.metadata, senderName: GIFT_LINKS.sender_name },
    ...{ refundedMinor: 0, expiresAtMs: null, updatedAtMs: REDEEMED_AT_MS },
  };
  const wholeSubOrders: SubOrder[] = subOrders.map((subOrder, index) => ({
    ...subOrder,
    externalId: recipients[index]?.external_id ?? null,
    language: recipients[index]?.language ?? null,
    ...(index === 0 && {
      redemptionStatus: "redeemed" as const,
      thankYou: "Thank you, I shall think of you all at breakfast!",
      thankedAtMs: REDEEMED_AT_MS + MINUTE_MS,
    }),
  }));
  const shipment = (sequence: number): ListedShipment => ({
    orderId: ORDER_ID,
    sequence,
    orderRefId: GIFT_LINKS.order_ref_id,
    externalId: recipients[sequence - 1]?.external_id ?? null,
    status: "open",
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    shippedAtMs: null,
    deliveredAtMs: null,
    updatedAtMs: null,
  });
  const shippedParcel: ListedShipment = {
    ...shipment(1),
    status: "shipped",
    carrier: TRACKING.carrier,
    trackingNumber: TRACKING.tracking_number,
    trackingUrl: TRACKING.tracking_url,
    shippedAtMs: SHIPPED_AT_MS,
    updatedAtMs: SHIPPED_AT_MS,
  };
  return {
    simpleProduct: product(ORDER.product_id),
    variableProduct: product(1003),
    productList: productListResponse({ limit: 200, page: 1, product_type: null }, counts, [
      product(1001),
      product(1003),
    ]),
    quote: quoteResponse({
      currency: order.currency,
      totals: order,
      creditSufficient: true,
      stockSufficient: true,
    }),
    placedOrder: placementResponse(order),
    placedGiftLinks: giftLinkResponse(order, recipients, giftUrls),
    order: orderResponse(giftOrder, subOrders, giftUrls),
    correction: correctionResponse({
      ...splitSuborderId(CORRECTION.suborder_id),
      gift: {
        ...{ firstName: "Marisol", lastName: CORRECTION.last_name, email: RENEWAL.email },
        ...{ phoneNumber: null, emailMessage: null, deliveryAddress: ADDRESS },
        ...{ deliveryNotes: null, deliveryEmail: null },
      },
    }),
    renewal: renewalResponse(
      {
        ...splitSuborderId(RENEWAL.suborder_id),
        gift: { firstName: "Marisol", lastName: "Quintana", email: RENEWAL.email },
      },
      `${publicUrl}/redeem/6001-1-k9p3demogift2rq4f5r37e3p3e28iq97jb6cn6`,
    ),
    wholeOrder: orderResponse(wholeOrder, wholeSubOrders, giftUrls, INCLUDES),
    cancelledGift: cancelResponse({
      order: { ...cancelled(1), id: DEMO_ORDER_ID, orderRefId: "demo-gift-links" },
      gifts: cancelled(1).gifts.slice(1),
    }),
    cancelledOrder: cancelResponse({ order: cancelled(2), gifts: cancelled(2).gifts }),
    events: eventListResponse(
      [
        paid,
        orderEvent({
          sequence: 918,
          type: "gift.redeemed",
          createdAtMs: REDEEMED_AT_MS,
          suborderSequence: 1,
          externalId: recipients[0]?.external_id ?? null,
          data: { productId: ORDER.product_id, variationId: null },
        }),
        orderEvent({
          sequence: 919,
          type: "gift.thanked",
          createdAtMs: REDEEMED_AT_MS + MINUTE_MS,
          suborderSequence: 1,
          externalId: recipients[0]?.external_id ?? null,
        }),
        orderEvent({
          sequence: 920,
          type: "gift.shipped",
          createdAtMs: SHIPPED_AT_MS,
          suborderSequence: 1,
          externalId: recipients[0]?.external_id ?? null,
          carrier: TRACKING.carrier,
          trackingNumber: TRACKING.tracking_number,
          trackingUrl: TRACKING.tracking_url,
        }),
      ],
      { after: 916, last: 920 },
    ),
    webhook: shown(),
    webhookWithSecret: { ...shown(), secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfajlIvFfo=" },
    rotatedWebhook: {
      ...shown({ previousSecretUntilMs: REDEEMED_AT_MS + PREVIOUS_SECRET_MS }),
      secret: "whsec_hZVbgOmRFrF6mYvWp1Q0gIWdnp1zAuPPfxvPH3sGqDY=",
    },
    disabledWebhook: shown({ status: "disabled", disabledReason: "client" }),
    webhooks: webhookListResponse([webhook], REDEEMED_AT_MS),
    webhookTest: {
      status: "success",
      delivered: true,
      response_status: 204,
      duration_ms: 127,
      response_text: "",
    } satisfies WebhookTestResponse,
    deliveries: deliveryListResponse(
      [
        {
          sequence: 918,
          type: "gift.redeemed",
          status: "pending",
          attempts: 2,
          attemptedAtMs: REDEEMED_AT_MS + 7 * SECOND_MS,
          nextAttemptAtMs: REDEEMED_AT_MS + 5 * MINUTE_MS,
          responseStatus: 500,
          durationMs: 1_904,
          responseText: "Internal Server Error",
        },
        {
          sequence: 917,
          type: "order.paid",
          status: "delivered",
          attempts: 1,
          attemptedAtMs: PLACED_AT_MS + SECOND_MS,
          nextAttemptAtMs: null,
          responseStatus: 204,
          durationMs: 131,
          responseText: "",
        },
      ],
      null,
    ),
    redelivery: {
      status: "success",
      webhook: shown({ position: 0 }),
    } satisfies RedeliveryResponse,
    eventRequest: eventResponse(paid),
    testEventRequest: testEvent(PLACED_AT_MS),
    eventHeaders: {
      "webhook-id": messageId(paid),
      "webhook-timestamp": String((PLACED_AT_MS + SECOND_MS) / SECOND_MS),
      "webhook-signature": "v1,VYhAEb4X2fmEtwVLhUu1cI3Rjpcbk2PPIyOPNE2lQ/0=",
    },
    orderList: orderListResponse({
      orders: [
        {
          ...order,
          orderRefId: GIFT_LINKS_WITH_LAST_DAY.order_ref_id,
          giftOrderMethod: "api-giftlink",
          status: "paid",
          redeemedGifts: 1,
          cancelledGifts: 0,
          expiredGifts: 0,
          refundedMinor: 0,
          metadata: JSON.stringify(GIFT_LINKS.metadata),
          expiresAtMs: expiryOf(GIFT_LINKS_WITH_LAST_DAY.redeem_by) as number,
          createdAtMs: PLACED_AT_MS,
          updatedAtMs: REDEEMED_AT_MS,
        },
        {
          ...order,
          id: ORDER_ID - 1,
          orderRefId: ORDER.order_ref_id,
          giftOrderMethod: "api-purchase",
          status: "paid",
          redeemedGifts: 0,
          cancelledGifts: 0,
          expiredGifts: 0,
          refundedMinor: 0,
          expiresAtMs: null,
          metadata: null,
          createdAtMs: PLACED_AT_MS - MINUTE_MS,
          updatedAtMs: null,
        },
      ],
      nextCursor: formatCursor([PLACED_AT_MS - MINUTE_MS, ORDER_ID - 1], ",,,,,"),
    }),
    shipmentsOfOrder: shipmentListResponse({
      shipments: [shippedParcel, shipment(2)],
      nextCursor: null,
      hasMore: false,
    }),
    updatedShipments: shipmentListResponse({
      shipments: [shippedParcel],
      nextCursor: formatCursor(
        [SHIPPED_AT_MS, suborderId(ORDER_ID, 1)],
        String(Date.parse("2026-09-01")),
      ),
      hasMore: false,
    }),
    creditBalance: creditBalanceResponse(99_064_44, "AUD"),
    sandboxPaidOrder: sandboxOrderResponse({ id: ORDER_ID - 1, status: "paid" }),
    sandboxFailedOrder: sandboxOrderResponse({ id: FAILED_ORDER_ID, status: "failed" }),
    sandboxRedeemedGift: sandboxGiftResponse({
      ...{ orderId: DEMO_ORDER_ID, orderStatus: "paid", sequence: 3 },
      redemptionStatus: "redeemed",
    }),
    sandboxExpiredGift: sandboxGiftResponse({
      ...{ orderId: DEMO_ORDER_ID, orderStatus: "paid", sequence: 4 },
      redemptionStatus: "expired",
    }),
    sandboxShippedGift: sandboxShipmentResponse({
      ...{ orderId: DEMO_ORDER_ID, orderStatus: "paid", sequence: 3 },
      shipmentStatus: "shipped",
    }),
    sandboxDeliveredGift: sandboxShipmentResponse({
      ...{ orderId: DEMO_ORDER_ID, orderStatus: "paid", sequence: 3 },
      shipmentStatus: "delivered",
    }),
  };
}

/** The example of an error. Some codes have a realistic message. For the others, the message is the code's meaning. */
export function errorExample(code: ErrorCode, meaning: string): ErrorResponse {
  const shown = ERRORS[code];
  return { status: "error", message: meaning, code, ...shown };
}

const ERRORS: Partial<Record<ErrorCode, Pick<ErrorResponse, "message" | "errors">>> = {
  product_id_required: { message: "A product_id must be set." },
  validation_error: {
    message: "recipient_details[0].email must be an e-mail address; currency is required.",
    errors: [
      { field: "recipient_details[0].email", message: "must be an e-mail address" },
      { field: "currency", message: "is required" },
    ],
  },
  not_cancellable: {
    message: "GO-00042-1 cannot be cancelled, because it is redeemed. Nothing was changed.",
  },
  not_allowed_in_state: { message: "The order is failed. Only a created order can become paid." },
  out_of_stock: { message: "product_id 1005 is out of stock: 1 left, 2 ordered." },
  insufficient_credit: {
    message: "The credit is too low: the balance is 100.00 AUD, the order's total is 152.88 AUD.",
  },
};
