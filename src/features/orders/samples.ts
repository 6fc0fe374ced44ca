// The orders of the examples. The `docs.ts` of this feature and of those above it use them.
import { expiryOf } from "../../core/values/redeem-by.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import { toJson } from "../../platform/db/columns.ts";
import type { Metadata } from "../../platform/db/schema.ts";
import { SANDBOX_URL } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER } from "../events/docs.ts";
import type { GiftCode } from "./code-queries.ts";
import type { GiftLinkRequest, OrderRequest, QuoteRequest } from "./contract.ts";
import { formatCursor } from "./list-cursor.ts";
import type { Gift, ListedOrder, Order } from "./order.ts";
import { totalsOf } from "./totals.ts";

export const ADDRESS = {
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
export const ORDER = {
  order_ref_id: "spring-2026-0001",
  product_id: SAMPLE_ORDER.productId,
  currency: SAMPLE_ORDER.currency,
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

export const GIFT_LINKS = {
  ...ORDER,
  order_ref_id: SAMPLE_ORDER.orderRefId,
  gift_of_choice: "Y",
  order_branding: "platform",
  sender_name: "Ines Okafor",
  metadata: SAMPLE_ORDER.metadata,
  campaign: SAMPLE_ORDER.campaign,
  recipient_details: ORDER.recipient_details.map(({ first_name, last_name, email }, index) => ({
    first_name,
    last_name,
    email,
    redemption_message: `Ten years with us. Thank you, ${first_name}!`,
    language: "en-AU",
    external_id: SAMPLE_ORDER.externalIds[index],
  })),
} satisfies GiftLinkRequest;

/** The last day is some years ahead, so that the example can be sent until then. */
export const WITH_LAST_DAY = {
  ...GIFT_LINKS,
  order_ref_id: "spring-2026-0003",
  redeem_by: "2030-12-31",
} satisfies GiftLinkRequest;

export const BY_EMAIL = {
  ...GIFT_LINKS,
  order_ref_id: "spring-2026-0004",
  send_method: "email",
} satisfies GiftLinkRequest;

export const FROM_COLLECTION = {
  ...GIFT_LINKS,
  order_ref_id: "spring-2026-0005",
  collection: "wellness",
} satisfies GiftLinkRequest;

const { product_id, currency, base_location } = ORDER;
export const QUOTE = {
  product_id,
  currency,
  base_location,
  qty: ORDER.recipient_details.length,
  gift_order_method: "api-giftlink",
} satisfies QuoteRequest;

/** The order of the demo data that has gift links. Each example that changes a gift uses another one of it. */
export const DEMO_ORDER_ID = 6;

/** The order as it was placed. */
export const PLACED = {
  id: SAMPLE_ORDER.id,
  orderRefId: SAMPLE_ORDER.orderRefId,
  status: "paid" as const,
  currency: ORDER.currency,
  ...totalsOf(64_00, 9_50, ORDER.recipient_details.length, 400),
  placementId: "",
  requestDigest: "",
  linkNonce: null,
  linkKeyId: null,
  tookStock: 1,
  credentialId: null,
};

export const GIFT_URLS = [
  "42001-k9p346n3d25rq4f5r37e3p3e28iq97jb6cn6",
  "42002-k9p346n3d25r43dvrkttnjfbf5jvlsi47qal",
].map((token) => `${SANDBOX_URL}/redeem/${token}`);

export const GIFT_ORDER: Order = {
  ...PLACED,
  clientId: "",
  giftOrderMethod: "api-giftlink",
  giftOfChoice: "Y",
  collectionId: null,
  brandingSelected: "platform",
  branding: null,
  emailTemplate: "generic",
  sendCodes: 1,
  productId: ORDER.product_id,
  variationId: null,
  productRevision: "",
  baseLocation: ORDER.base_location,
  linkHowManyTimes: null,
  linkUrl: null,
  linkMessage: null,
  createdAtMs: SAMPLE_ORDER.createdAtMs,
  updatedAtMs: null,
  expiresAtMs: null,
  refundedMinor: 0,
  metadata: null,
  senderName: null,
  campaign: null,
};

export const SAMPLE_GIFTS: Gift[] = GIFT_LINKS.recipient_details.map((recipient, index) => ({
  orderId: SAMPLE_ORDER.id,
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
  openedAtMs: null,
  redemptionStatus: null,
  redeemedAtMs: null,
  redemptionId: null,
  selectedRevision: null,
  linkGeneration: 0,
  deliveryEmail: null,
  language: null,
  externalId: null,
  metadata: null,
  thankYou: null,
  thankedAtMs: null,
  declinedAtMs: null,
  refundedMinor: 0,
  expiresAtMs: null,
  credentialId: null,
}));

/** With the parts that `include` adds. */
export const WHOLE_ORDER: Order = {
  ...GIFT_ORDER,
  metadata: GIFT_LINKS.metadata,
  senderName: GIFT_LINKS.sender_name,
  campaign: SAMPLE_ORDER.campaign,
  credentialId: 1,
  updatedAtMs: SAMPLE_ORDER.redeemedAtMs,
};

export const WHOLE_GIFTS = SAMPLE_GIFTS.map((gift, index): Gift => ({
  ...gift,
  externalId: GIFT_LINKS.recipient_details[index]?.external_id ?? null,
  language: GIFT_LINKS.recipient_details[index]?.language ?? null,
  ...(index === 0 && {
    openedAtMs: SAMPLE_ORDER.redeemedAtMs - MINUTE_MS,
    redemptionStatus: "redeemed" as const,
    thankYou: "Thank you, I shall think of you all at breakfast!",
    thankedAtMs: SAMPLE_ORDER.redeemedAtMs + MINUTE_MS,
  }),
}));

/** The first recipient has accepted, the second one has not. */
export const GIFT_CODES: GiftCode[] = [
  {
    content: { code: "SPRING-4F7Q-22KD", pin: "4711", url: "https://codes.example/redeem" },
    expiresAtMs: expiryOf(WITH_LAST_DAY.redeem_by) as number,
    status: "sent",
  },
];

const listedGiftLinks: ListedOrder = {
  ...PLACED,
  orderRefId: WITH_LAST_DAY.order_ref_id,
  giftOrderMethod: "api-giftlink",
  redeemedGifts: 1,
  cancelledGifts: 0,
  expiredGifts: 0,
  refundedMinor: 0,
  metadata: toJson<Metadata>(GIFT_LINKS.metadata),
  expiresAtMs: expiryOf(WITH_LAST_DAY.redeem_by) as number,
  campaign: SAMPLE_ORDER.campaign,
  createdAtMs: SAMPLE_ORDER.createdAtMs,
  updatedAtMs: SAMPLE_ORDER.redeemedAtMs,
};

const listedOrder: ListedOrder = {
  ...listedGiftLinks,
  id: SAMPLE_ORDER.id - 1,
  orderRefId: ORDER.order_ref_id,
  giftOrderMethod: "api-purchase",
  redeemedGifts: 0,
  expiresAtMs: null,
  metadata: null,
  campaign: null,
  createdAtMs: SAMPLE_ORDER.createdAtMs - MINUTE_MS,
  updatedAtMs: null,
};

export const ORDER_PAGE = {
  orders: [listedGiftLinks, listedOrder],
  nextCursor: formatCursor({ createdAtMs: listedOrder.createdAtMs, id: listedOrder.id }, {}),
};

/** The gifts of the first recipient of GIFT_LINKS. */
export const GIFT_PAGE = {
  found: [
    {
      order: { ...listedGiftLinks, expiresAtMs: null },
      gifts: WHOLE_GIFTS.slice(0, 1),
      giftUrls: GIFT_URLS,
    },
  ],
  nextCursor: null,
};
