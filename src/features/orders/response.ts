// Maps orders to the responses that orders/contract.ts defines.
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountAsNumber, formatAmount } from "../../core/values/money.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { formatDateTime } from "../../core/values/time.ts";
import type {
  GiftLinkRequest,
  GiftLinkResponse,
  GiftListResponse,
  Include,
  ListedOrderResponse,
  OrderListResponse,
  OrderResponse,
  PlacementResponse,
  QuoteResponse,
} from "./contract.ts";
import type { GiftCode } from "./code-queries.ts";
import type { GiftEmails } from "../schedule/plan-queries.ts";
import type { OrderPage } from "./list.ts";
import type { Gift, ListedOrder, Order, PlacedOrder, Totals } from "./order.ts";
import type { Quote } from "./quote.ts";
import type { GiftPage, GiftsOfOrder } from "./gifts.ts";

export function placementResponse(order: PlacedOrder): PlacementResponse {
  return {
    status: "success",
    order_data: { order_id: order.id, order_number: orderNumber(order.id) },
    order_totals: totalsResponse(order.currency, order),
  };
}

function totalsResponse(currency: Currency, totals: Totals): PlacementResponse["order_totals"] {
  return {
    currency,
    product_price: amountAsNumber(totals.productPriceMinor, currency),
    qty: totals.qty,
    subtotal: amountAsNumber(totals.subtotalMinor, currency),
    shipping_cost: amountAsNumber(totals.shippingCostMinor, currency),
    order_fee: amountAsNumber(totals.orderFeeMinor, currency),
    order_total: amountAsNumber(totals.orderTotalMinor, currency),
  };
}

export function quoteResponse(quote: Quote): QuoteResponse {
  return {
    status: "success",
    order_totals: totalsResponse(quote.currency, quote.totals),
    credit_sufficient: quote.creditSufficient,
    limit_sufficient: quote.limitSufficient,
    stock_sufficient: quote.stockSufficient,
    ...(quote.choices && {
      choices: quote.choices.map(({ country, count }) => ({ country, product_count: count })),
    }),
  };
}

/**
 * `recipients` are those of the request, and `urls` their links in the same order. A replay uses the recipients of its
 * own request too, which has the same content as the request that placed the order.
 */
export function giftLinkResponse(
  order: PlacedOrder,
  recipients: GiftLinkRequest["recipient_details"],
  urls: string[],
): GiftLinkResponse {
  return {
    ...placementResponse(order),
    recipient_return: recipients.map((recipient, index) => ({
      suborder_id: toGiftId(order.id, index + 1),
      suborder_number: toGiftNumber(order.id, index + 1),
      first_name: recipient.first_name,
      last_name: recipient.last_name,
      email: recipient.email,
      gift_url: urls[index] as string,
    })),
  };
}

/**
 * `giftUrls` are the links of the gifts, in the same order. Empty for an order without links. `include` are the
 * optional parts.
 */
export function orderResponse(
  order: Order,
  gifts: Gift[],
  giftUrls: string[],
  include: readonly Include[] = [],
  { emails = null, codes = null }: { emails?: GiftEmails[] | null; codes?: GiftCode[] | null } = {},
): OrderResponse {
  const branding = order.branding ?? PLATFORM_BRANDING;
  const includes = (part: Include) => include.includes(part);
  return {
    // Ids and amounts are strings here, unlike in the responses of placements.
    order_id: String(order.id),
    order_number: orderNumber(order.id),
    order_date: formatDateTime(order.createdAtMs),
    order_status: order.status,
    gift_order_method: order.giftOrderMethod,
    ...(order.giftOrderMethod === "link" && {
      link_how_many_times: order.linkHowManyTimes,
      link_url: order.linkUrl,
      link_message: order.linkMessage,
    }),
    gift_of_choice: order.giftOfChoice,
    branding_selected: order.brandingSelected,
    branding_options: {
      branding_logo: branding.logo,
      branding_claim_logo: branding.claimLogo,
      primary_color: branding.primaryColor,
      secondary_color: branding.secondaryColor,
    },
    product_offered: chosenProduct(order),
    order_totals: {
      currency: order.currency,
      product_price: formatAmount(order.productPriceMinor, order.currency),
      qty: String(order.qty),
      subtotal: formatAmount(order.subtotalMinor, order.currency),
      shipping_cost: formatAmount(order.shippingCostMinor, order.currency),
      order_fee: formatAmount(order.orderFeeMinor, order.currency),
      order_total: formatAmount(order.orderTotalMinor, order.currency),
      ...(includes("details") && { refunded: formatAmount(order.refundedMinor, order.currency) }),
    },
    email_template: order.emailTemplate,
    recipients: gifts.map((gift, index) => ({
      ...recipientResponse(order, gift, giftUrls[index], include),
      ...(emails && { emails: emailsOf(emails[index]) }),
      ...(codes && codeResponse(codes[index])),
    })),
    ...(includes("metadata") && { metadata: order.metadata ?? {} }),
    ...(includes("details") && {
      order_ref_id: order.orderRefId,
      collection: order.collectionId,
      redeem_by: redeemByOf(order.expiresAtMs),
      updated_at: updatedAt(order),
      sender_name: order.senderName,
      campaign: order.campaign,
      credential_id: order.credentialId,
    }),
  };
}

type RecipientResponse = OrderResponse["recipients"][number];

function recipientResponse(
  order: Pick<Order, "id" | "expiresAtMs" | "currency">,
  gift: Gift,
  giftUrl: string | undefined,
  include: readonly Include[] = ["metadata", "thank_you", "delivery_email", "details"],
): RecipientResponse {
  const includes = (part: Include) => include.includes(part);
  return {
    suborder_id: toGiftId(order.id, gift.sequence),
    suborder_number: toGiftNumber(order.id, gift.sequence),
    recipient_details: {
      ...recipientDetails(gift, giftUrl),
      ...(includes("delivery_email") && { delivery_email: gift.deliveryEmail }),
      ...(includes("details") && { language: gift.language }),
    },
    redemption_status: gift.redemptionStatus,
    product_selected: chosenProduct(gift),
    ...(includes("metadata") && {
      external_id: gift.externalId,
      metadata: gift.metadata ?? {},
    }),
    ...(includes("thank_you") && { thank_you: thankYou(gift) }),
    ...(includes("details") && {
      redeem_by: redeemByOf(gift.expiresAtMs ?? order.expiresAtMs),
      opened_at: gift.openedAtMs === null ? null : new Date(gift.openedAtMs).toISOString(),
      credential_id: gift.credentialId,
      refunded: formatAmount(gift.refundedMinor, order.currency),
    }),
  };
}

function updatedAt({
  updatedAtMs,
  createdAtMs,
}: Pick<Order, "updatedAtMs" | "createdAtMs">): string {
  return new Date(updatedAtMs ?? createdAtMs).toISOString();
}

function thankYou({ thankYou: message, thankedAtMs }: Gift): RecipientResponse["thank_you"] {
  if (message === null || thankedAtMs === null) return null;
  return { message, created_at: new Date(thankedAtMs).toISOString() };
}

/** `recipients` are those of the orders, which are shown in full. */
export function orderListResponse(
  { orders, nextCursor }: OrderPage,
  recipients?: readonly GiftsOfOrder[],
): OrderListResponse {
  const ofOrder = recipients && new Map(recipients.map((of) => [of.order, recipientResponses(of)]));
  return {
    status: "success",
    orders: orders.map((order) => ({
      ...listedOrderResponse(order),
      ...(ofOrder && { recipients: ofOrder.get(order) ?? [] }),
    })),
    next_cursor: nextCursor,
  };
}

const recipientResponses = ({ order, gifts, giftUrls }: GiftsOfOrder): RecipientResponse[] =>
  gifts.map((gift, index) => recipientResponse(order, gift, giftUrls[index]));

export const giftListResponse = ({ found, nextCursor }: GiftPage): GiftListResponse => ({
  status: "success",
  gifts: found.flatMap((of) =>
    recipientResponses(of).map((recipient) => ({ ...orderSummary(of.order), recipient })),
  ),
  next_cursor: nextCursor,
});

const orderSummary = (order: GiftsOfOrder["order"]) => ({
  order_id: order.id,
  order_number: orderNumber(order.id),
  order_ref_id: order.orderRefId,
  order_date: formatDateTime(order.createdAtMs),
  order_status: order.status,
  gift_order_method: order.giftOrderMethod,
});

function listedOrderResponse(order: ListedOrder): ListedOrderResponse {
  return {
    ...orderSummary(order),
    updated_at: updatedAt(order),
    order_totals: {
      currency: order.currency,
      order_total: formatAmount(order.orderTotalMinor, order.currency),
      refunded: formatAmount(order.refundedMinor, order.currency),
    },
    recipient_count: order.qty,
    redeemed_count: order.redeemedGifts,
    metadata: parseJson(order.metadata) ?? {},
    campaign: order.campaign,
    credential_id: order.credentialId,
    cancelled_count: order.cancelledGifts,
    expired_count: order.expiredGifts,
    redeem_by: redeemByOf(order.expiresAtMs),
  };
}

function chosenProduct({
  productId,
  variationId,
}: Pick<Order, "productId" | "variationId">): OrderResponse["product_offered"] {
  return {
    product_id: String(productId),
    variation_id: variationId === null ? null : String(variationId),
  };
}

export function recipientDetails(
  gift: Pick<
    Gift,
    | "firstName"
    | "lastName"
    | "email"
    | "emailMessage"
    | "deliveryAddress"
    | "phoneNumber"
    | "deliveryNotes"
  >,
  giftUrl?: string,
): OrderResponse["recipients"][number]["recipient_details"] {
  const address = gift.deliveryAddress;
  return {
    name: `${gift.firstName} ${gift.lastName}`.trim(),
    email: gift.email,
    email_message: gift.emailMessage ?? "",
    delivery_address: {
      address_line_1: address?.address_line_1 ?? null,
      address_line_2: address?.address_line_2 ?? null,
      suburb: address?.suburb ?? null,
      state: address?.state ?? null,
      postcode_zipcode: address?.postcode_zipcode ?? null,
      country: address?.country ?? null,
    },
    phone_number: gift.phoneNumber?.trim() ? gift.phoneNumber : "NA",
    delivery_notes: gift.deliveryNotes,
    ...(giftUrl !== undefined && { gift_url: giftUrl }),
  };
}

const codeResponse = (gift: GiftCode | undefined) => ({
  code: gift?.content?.code ?? null,
  pin: gift?.content?.pin ?? null,
  url: gift?.content?.url ?? null,
  valid_until: redeemByOf(gift?.expiresAtMs ?? null),
  code_status: gift?.status ?? null,
});

type EmailResponse = NonNullable<OrderResponse["recipients"][number]["emails"]>[number];

export const sentEmail = (email: GiftEmails["sent"][number]): EmailResponse => ({
  kind: email.kind,
  status: email.status,
  reason: email.reason,
  at: new Date(email.attemptedAtMs).toISOString(),
});

/** The e-mails of one gift, oldest first. The last one may be scheduled. */
function emailsOf({ sent = [], next }: Partial<GiftEmails> = {}): EmailResponse[] {
  const emails = sent.map(sentEmail);
  if (!next) return emails;
  const at = new Date(next.atMs).toISOString();
  return [...emails, { kind: next.kind, status: "scheduled", reason: null, at }];
}
