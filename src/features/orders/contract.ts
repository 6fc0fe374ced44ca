// The endpoints of orders, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import type { ErrorCode } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import {
  amountText,
  count,
  countryCode,
  currencyCode,
  day,
  email,
  exactlyOne,
  id,
  languageTag,
  metadata,
  metadataObject,
  notWith,
  nullAs,
  optional,
  positive,
  queryId,
  queryInteger,
  queryList,
  queryTime,
  requiredText,
  timestamp,
} from "../../core/validation/fields.ts";
import { AddressInput } from "../../core/address/address.ts";
import { displayName } from "../../core/validation/name.ts";
import {
  letter,
  MAX_DELIVERY_NOTES_LENGTH,
  oneName,
  personName,
  phoneNumber,
} from "../../core/validation/person.ts";
import { isMissingValue } from "../../core/values/missing-value.ts";
import { EMAIL_KINDS, EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { collectionId } from "../catalogue/contract.ts";
import type { Client } from "../clients/profile.ts";
import { type LinkOrigin, ORDER_METHODS, ORDER_STATUSES } from "./order.ts";
import { MAX_REFERENCE_LENGTH, oneOrder, orderNumberText, orderReference } from "./selection.ts";

export const MAX_RECIPIENTS = 500;

/**
 * An optional text. An empty one is left out of the validated request, so that the digest is that of a request without
 * it.
 */
const filled = <Schema extends z.ZodMiniType<string, string>>(schema: Schema) =>
  z.optional(
    z.pipe(
      nullAs("", schema),
      z.transform((given) => given || undefined),
    ),
  );

/** The fields of a recipient, who needs a first or a last name: `oneName`. */
export const RecipientFields = lazy(() =>
  z.object({
    first_name: z.prefault(nullAs("", personName()), ""),
    last_name: z.prefault(nullAs("", personName()), ""),
    email: email(),
    phone_number: filled(phoneNumber()),
    delivery_address: optional(AddressInput()),
    external_id: optional(requiredText(100)),
    metadata: metadata(),
    delivery_notes: filled(letter(MAX_DELIVERY_NOTES_LENGTH)),
  }),
);

export const OrderRequest = lazy(() =>
  z.object({
    order_ref_id: orderReference().check(
      z.refine(
        (reference) => !isMissingValue(reference),
        "must be unique, not a word such as undefined",
      ),
    ),
    product_id: id(),
    variation_id: optional(id()),
    currency: currencyCode(),
    base_location: countryCode(),
    recipient_details: z
      .array(RecipientFields().check(oneName()))
      .check(z.minLength(1), z.maxLength(MAX_RECIPIENTS)),
    metadata: metadata(),
    send_codes: optional(z.boolean()),
  }),
);
export type OrderRequest = z.infer<ReturnType<typeof OrderRequest>>;

const brandingChoice = () => z.enum(["platform", "company"]);

export const GiftLinkRequest = lazy(() =>
  z.extend(OrderRequest(), {
    gift_of_choice: z.prefault(nullAs("N", z.enum(["Y", "N"])), "N"),
    collection: optional(collectionId()),
    order_branding: z.prefault(nullAs("platform", brandingChoice()), "platform"),
    recipient_details: z
      .array(
        z
          .extend(RecipientFields(), {
            redemption_message: filled(letter(2_000)),
            language: optional(languageTag()),
          })
          .check(oneName()),
      )
      .check(z.minLength(1), z.maxLength(MAX_RECIPIENTS)),
    // Which days are accepted depends on the time of the request: see check.ts.
    redeem_by: optional(day()),
    sender_name: optional(displayName(100)),
    // Without a default value, so that the digests of other requests do not change.
    send_method: optional(z.enum(["link", "email"])),
    send_at: optional(timestamp()),
  }),
);
export type GiftLinkRequest = z.infer<ReturnType<typeof GiftLinkRequest>>;

/** A validated request, with its client and the method of its endpoint. */
export type Placement =
  | (Caller & { method: "api-purchase"; request: OrderRequest; link: LinkOrigin })
  | (Caller & {
      method: "api-giftlink";
      request: GiftLinkRequest;
      link: LinkOrigin;
      /** Whether the environment sends e-mails. */
      sendsEmails: boolean;
    });

/** Who orders. */
export interface Caller {
  client: Client;
  /** The credential set of the request. Its limits apply. */
  credentialId: number;
}

export const QuoteRequest = lazy(() =>
  z
    .object({
      product_id: id(),
      variation_id: optional(id()),
      currency: currencyCode(),
      base_location: countryCode(),
      qty: z.int().check(z.minimum(1), z.maximum(MAX_RECIPIENTS)),
      gift_order_method: z.prefault(
        nullAs("api-purchase", z.enum(["api-purchase", "api-giftlink"])),
        "api-purchase",
      ),
      gift_of_choice: optional(z.enum(["Y", "N"])),
      collection: optional(collectionId()),
      order_branding: optional(brandingChoice()),
      redeem_by: optional(day()),
    })
    .check(
      z.superRefine((quote, context) => {
        if (quote.gift_order_method === "api-giftlink") return;
        for (const name of [
          "gift_of_choice",
          "collection",
          "order_branding",
          "redeem_by",
        ] as const) {
          if (quote[name] === undefined) continue;
          const message = "must not be set unless gift_order_method is api-giftlink";
          context.addIssue({ code: "custom", path: [name], message });
        }
      }),
    ),
);
export type QuoteRequest = z.infer<ReturnType<typeof QuoteRequest>>;

/** The values of the parameter `include` of GET /api/order. The response contains these parts only on request. */
export const INCLUDES = [
  "metadata",
  "thank_you",
  "delivery_email",
  "details",
  "emails",
  "codes",
] as const;
export type Include = (typeof INCLUDES)[number];

const OrderQuery = lazy(() =>
  z
    .object({
      order_id: z.optional(queryId()),
      order_number: z.optional(orderNumberText()),
      order_ref_id: z.optional(orderReference()),
      include: z.optional(queryList(INCLUDES)),
    })
    .check(oneOrder()),
);

/** The maximum number of orders or gifts on a page. */
const MAX_PAGE_ENTRIES = 500;

export const MAX_CURSOR_LENGTH = 1_000;

// Each list that the filters allow is a range of an index.
export const OrdersQuery = lazy(() =>
  z
    .object({
      expand: z.optional(z.literal("recipients")),
      order_status: z.optional(z.enum(ORDER_STATUSES)),
      gift_order_method: z.optional(z.enum(ORDER_METHODS)),
      created_from: z.optional(queryTime()),
      created_until: z.optional(queryTime()),
      redemption_status: z.optional(z.enum(["unredeemed", "redeemed", "cancelled", "expired"])),
      order_ref_id_prefix: z.optional(requiredText(MAX_REFERENCE_LENGTH)),
      limit: z._default(queryInteger(1, MAX_PAGE_ENTRIES), 100),
      cursor: z.optional(requiredText(MAX_CURSOR_LENGTH)),
    })
    .check(
      notWith("order_ref_id_prefix", "order_status", "gift_order_method", "redemption_status"),
      notWith("order_ref_id_prefix", "created_from", "created_until"),
    ),
);
export type OrdersQuery = z.infer<ReturnType<typeof OrdersQuery>>;

export const RecipientsQuery = lazy(() =>
  z
    .object({
      external_id: z.optional(requiredText(100)),
      email: z.optional(email()),
      limit: z._default(queryInteger(1, MAX_PAGE_ENTRIES), 100),
      cursor: z.optional(requiredText(MAX_CURSOR_LENGTH)),
    })
    .check(exactlyOne("external_id", "email")),
);
export type RecipientsQuery = z.infer<ReturnType<typeof RecipientsQuery>>;

export const orderNumber = () => z.string().check(z.regex(/^GO-\d{5,}$/));
/** Null for a gift that is open. */
export const redemptionStatus = () => z.nullable(z.enum(["redeemed", "cancelled", "expired"]));
export const suborderNumber = () => z.string().check(z.regex(/^GO-\d{5,}-\d+$/));
const amount = () => z.number().check(z.minimum(0));

export const PlacementResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: z.object({ order_id: positive(), order_number: orderNumber() }),
    // The interface defines amounts as numbers here, and as strings in OrderResponse.
    order_totals: z.object({
      currency: currencyCode(),
      product_price: amount(),
      qty: positive(),
      subtotal: amount(),
      shipping_cost: amount(),
      order_fee: amount(),
      order_total: amount(),
    }),
  }),
);
export type PlacementResponse = z.infer<ReturnType<typeof PlacementResponse>>;

export const GiftLinkResponse = /* @__PURE__ */ lazy(() =>
  z.extend(PlacementResponse(), {
    recipient_return: z
      .array(
        z.object({
          suborder_id: positive(),
          suborder_number: z.string(),
          first_name: z.string(),
          last_name: z.string(),
          email: z.string(),
          gift_url: z.url(),
        }),
      )
      .check(z.minLength(1)),
  }),
);
export type GiftLinkResponse = z.infer<ReturnType<typeof GiftLinkResponse>>;

export const CountryChoices = /* @__PURE__ */ lazy(() =>
  z.object({ country: countryCode(), product_count: count() }),
);

export const QuoteResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_totals: PlacementResponse().shape.order_totals,
    credit_sufficient: z.boolean(),
    limit_sufficient: z.boolean(),
    stock_sufficient: z.boolean(),
    choices: z.optional(z.array(CountryChoices())),
  }),
);
export type QuoteResponse = z.infer<ReturnType<typeof QuoteResponse>>;

const idText = () => z.string().check(z.regex(/^[1-9]\d*$/));
const orderDate = () => z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/));
const colour = () => z.string().check(z.regex(/^#[0-9a-f]{6}$/i));
const nullableText = () => z.nullable(z.string());
const ChosenProduct = /* @__PURE__ */ lazy(() =>
  z.object({ product_id: idText(), variation_id: z.nullable(idText()) }),
);

export const ThankYouResponse = /* @__PURE__ */ lazy(() =>
  z.object({ message: z.string(), created_at: z.iso.datetime() }),
);

export const EmailResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    kind: z.enum(EMAIL_KINDS),
    status: z.enum(["scheduled", ...EMAIL_STATUSES]),
    at: z.iso.datetime(),
    reason: nullableText(),
  }),
);

/** `waiting`: the gift is owed and has no code yet. `opened`: its recipient has seen it on the gift page. */
const CODE_STATUSES = ["waiting", "sent", "opened", "void"] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

export const OrderResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    order_id: idText(),
    order_number: orderNumber(),
    order_date: orderDate(),
    order_status: z.enum(ORDER_STATUSES),
    gift_order_method: z.enum(ORDER_METHODS),
    link_how_many_times: z.optional(z.nullable(positive())),
    link_url: z.optional(nullableText()),
    link_message: z.optional(nullableText()),
    gift_of_choice: z.enum(["Y", "N"]),
    branding_selected: z.enum(["platform", "company", "custom"]),
    branding_options: z.object({
      branding_logo: z.string(),
      branding_claim_logo: z.string(),
      primary_color: colour(),
      secondary_color: colour(),
    }),
    product_offered: ChosenProduct(),
    order_totals: z.object({
      currency: currencyCode(),
      product_price: amountText(),
      qty: idText(),
      subtotal: amountText(),
      shipping_cost: amountText(),
      order_fee: amountText(),
      order_total: amountText(),
      refunded: z.optional(amountText()),
    }),
    email_template: z.enum(["celebration", "generic", "sympathy", "christmas"]),
    recipients: z.array(
      z.object({
        suborder_id: positive(),
        suborder_number: suborderNumber(),
        recipient_details: z.object({
          name: z.string(),
          email: z.string(),
          email_message: z.string(),
          delivery_address: z.object({
            address_line_1: nullableText(),
            address_line_2: nullableText(),
            suburb: nullableText(),
            state: nullableText(),
            postcode_zipcode: nullableText(),
            country: nullableText(),
          }),
          phone_number: z.string(),
          delivery_notes: nullableText(),
          gift_url: z.optional(z.url()),
          delivery_email: z.optional(nullableText()),
          language: z.optional(nullableText()),
        }),
        redemption_status: redemptionStatus(),
        product_selected: ChosenProduct(),
        external_id: z.optional(nullableText()),
        metadata: z.optional(metadataObject()),
        thank_you: z.optional(z.nullable(ThankYouResponse())),
        emails: z.optional(z.array(EmailResponse())),
        redeem_by: z.optional(z.nullable(z.iso.date())),
        code: z.optional(nullableText()),
        pin: z.optional(nullableText()),
        url: z.optional(nullableText()),
        valid_until: z.optional(z.nullable(z.iso.date())),
        code_status: z.optional(z.nullable(z.enum(CODE_STATUSES))),
      }),
    ),
    metadata: z.optional(metadataObject()),
    order_ref_id: z.optional(nullableText()),
    collection: z.optional(z.nullable(collectionId())),
    redeem_by: z.optional(z.nullable(z.iso.date())),
    updated_at: z.optional(z.iso.datetime()),
    sender_name: z.optional(nullableText()),
  }),
);
export type OrderResponse = z.infer<ReturnType<typeof OrderResponse>>;

export const ListedOrderResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    order_id: positive(),
    order_number: orderNumber(),
    order_ref_id: nullableText(),
    order_date: orderDate(),
    order_status: z.enum(ORDER_STATUSES),
    gift_order_method: z.enum(ORDER_METHODS),
    updated_at: z.iso.datetime(),
    order_totals: z.object({
      currency: currencyCode(),
      order_total: amountText(),
      refunded: amountText(),
    }),
    recipient_count: positive(),
    redeemed_count: count(),
    cancelled_count: count(),
    expired_count: count(),
    redeem_by: z.nullable(z.iso.date()),
    metadata: metadataObject(),
    recipients: z.optional(OrderResponse().shape.recipients),
  }),
);
export type ListedOrderResponse = z.infer<ReturnType<typeof ListedOrderResponse>>;

export const OrderListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    orders: z.array(ListedOrderResponse()),
    next_cursor: nullableText(),
  }),
);
export type OrderListResponse = z.infer<ReturnType<typeof OrderListResponse>>;

export const GiftResponse = /* @__PURE__ */ lazy(() => {
  const { order_id, order_number, order_ref_id, ...order } = ListedOrderResponse().shape;
  return z.object({
    order_id,
    order_number,
    order_ref_id,
    order_date: order.order_date,
    order_status: order.order_status,
    gift_order_method: order.gift_order_method,
    recipient: OrderResponse().shape.recipients.def.element,
  });
});

export const GiftListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    gifts: z.array(GiftResponse()),
    next_cursor: nullableText(),
  }),
);
export type GiftListResponse = z.infer<ReturnType<typeof GiftListResponse>>;

/** The errors of placements and quotes. */
const CONTENT_ERRORS: ErrorCode[] = [
  "invalid_json",
  "product_id_required",
  "validation_error",
  "payload_too_large",
  "unsupported_media_type",
  "product_not_found",
  "variation_not_found",
  "variation_required",
  "variation_not_allowed",
  "currency_not_available",
  "location_not_available",
];

const PLACEMENT_ERRORS: ErrorCode[] = [
  ...CONTENT_ERRORS,
  "insufficient_credit",
  "spending_limit_exceeded",
  "out_of_stock",
  "order_ref_conflict",
];

export const quoteOrder = endpoint({
  operationId: "quoteOrder",
  method: "POST",
  path: "/api/quote",
  scope: "read",
  body: QuoteRequest,
  requiredFirst: { product_id: "product_id_required" },
  near: true,
  response: responseType<typeof QuoteResponse>(),
  errors: [...CONTENT_ERRORS, "branding_not_available"],
});

export const placeOrder = endpoint({
  operationId: "placeOrder",
  method: "POST",
  path: "/api/order",
  ignoresUnknown: true,
  siblings: () => [placeGiftLinks, quoteOrder],
  body: OrderRequest,
  requiredFirst: { product_id: "product_id_required" },
  response: responseType<typeof PlacementResponse>(),
  errors: PLACEMENT_ERRORS,
});

export const placeGiftLinks = endpoint({
  operationId: "placeGiftLinks",
  method: "POST",
  path: "/api/gift-link",
  ignoresUnknown: true,
  siblings: () => [quoteOrder],
  body: GiftLinkRequest,
  requiredFirst: { product_id: "product_id_required" },
  response: responseType<typeof GiftLinkResponse>(),
  errors: [...PLACEMENT_ERRORS, "branding_not_available"],
});

export const getOrder = endpoint({
  operationId: "getOrder",
  method: "GET",
  path: "/api/order",
  ignoresUnknown: true,
  query: OrderQuery,
  near: true,
  response: responseType<typeof OrderResponse>(),
  errors: ["validation_error", "not_found"],
});

export const listOrders = endpoint({
  operationId: "listOrders",
  method: "GET",
  path: "/api/orders",
  query: OrdersQuery,
  near: true,
  response: responseType<typeof OrderListResponse>(),
  errors: ["validation_error"],
});

export const listRecipients = endpoint({
  operationId: "listRecipients",
  method: "GET",
  path: "/api/recipients",
  query: RecipientsQuery,
  near: true,
  response: responseType<typeof GiftListResponse>(),
  errors: ["validation_error"],
});
