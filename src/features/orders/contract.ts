// The endpoints of orders, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import type { ErrorCode } from "../../core/api-error.ts";
import {
  amountTextField,
  campaignName,
  countField,
  countryCode,
  currencyCode,
  dayField,
  emailField,
  exactlyOne,
  idField,
  languageTag,
  metadata,
  metadataObject,
  nullAs,
  onlyWith,
  optionalField,
  positive,
  queryId,
  queryInteger,
  queryList,
  queryTime,
  requiredText,
  timestamp,
} from "../../core/validation/fields.ts";
import { displayName } from "../../core/validation/name.ts";
import { letter, oneName } from "../../core/validation/person.ts";
import { isMissingValue } from "../../core/values/missing-value.ts";
import { EMAIL_KINDS, EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { collectionId } from "../catalogue/contract.ts";
import type { PlacingClient } from "../clients/queries.ts";
import { filled, RecipientFields } from "./recipient-fields.ts";
import { PAGE_PARAMETERS } from "./list-cursor.ts";
import { type LinkOrigin, ORDER_METHODS, ORDER_STATUSES } from "./order.ts";
import { MAX_REFERENCE_LENGTH, oneOrder, orderNumberText, orderReference } from "./selection.ts";

export const MAX_RECIPIENTS = 500;

const recipientsOf = <Recipient extends z.ZodMiniType>(recipient: Recipient) =>
  z.array(recipient).check(z.minLength(1), z.maxLength(MAX_RECIPIENTS));

const orderRefId = () =>
  orderReference().check(
    z.refine(
      (reference) => !isMissingValue(reference),
      "must be unique, not a word such as undefined",
    ),
  );

export const OrderRequest = component("OrderRequest", () => ({
  _: "An order to be delivered. Unknown fields are ignored, unless they look misspelt or misplaced.",
  order_ref_id: field`${orderRefId()} Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order.`,
  product_id: field`${idField()} The product to order: \`product_id\` of the catalogue.`,
  variation_id: field`${optionalField(idField())} The variation to order: \`id\` of one of the product's \`variations\`. Required for a \`variable\` product, refused for a \`simple\` one.`,
  currency: field`${currencyCode()} ISO 4217 code of the order's currency. It must be the \`price_currency\` of the product.`,
  base_location: field`${countryCode()} Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's \`available_location\`, unless that list is empty.`,
  recipient_details: field`${recipientsOf(RecipientFields().check(oneName()))} One entry for each recipient. Each recipient gets one piece.`,
  metadata: field`${metadata()} Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. It is returned by GET /api/orders, GET /api/order and in events. Do not put personal data into it.`,
  send_codes: field`${optionalField(z.boolean())} \`false\` if you deliver the codes of digital gifts yourself.`,
  campaign: field`${optionalField(campaignName())} Your name for what the order belongs to, such as a campaign or a cost centre. It is returned in Unicode form NFC, with one space between words. GET /api/orders filters by it, and it is in events. Do not put personal data into it.`,
}));
export type OrderRequest = z.infer<ReturnType<typeof OrderRequest>>;

const brandingChoice = () => z.enum(["platform", "company"]);

const GiftLinkRecipientInput = component(
  "GiftLinkRecipientInput",
  () => ({
    _: "A recipient of a gift link.",
    ...RecipientFields().shape,
    delivery_address: field`${RecipientFields().shape.delivery_address} Delivery address, if you have it. The recipient sees it on the gift page and can change it.`,
    redemption_message: field`${filled(letter(2_000))} Message to this recipient, shown on the gift page.`,
    language: field`${optionalField(languageTag())} The recipient's language, as a BCP 47 tag such as \`de\` or \`pt-BR\`. If the gift page is not available in this language, it is shown in a language of the recipient's browser or in English.`,
  }),
  oneName(),
);

export const GiftLinkRequest = component("GiftLinkRequest", () => ({
  _: "An order of gifts, with a link for each recipient. Unknown fields are ignored, unless they look misspelt or misplaced.",
  ...OrderRequest().shape,
  gift_of_choice: field`${z.prefault(nullAs("N", z.enum(["Y", "N"])), "N")} \`Y\` if the recipient may choose another gift.`,
  collection: field`${optionalField(collectionId())} The collection from which recipients choose: an id of GET /api/collections. They can always accept the offered product, which need not be in it. Without it, they choose from the whole catalogue. Only with \`gift_of_choice\` \`Y\`. Refused if no recipient could choose anything at this price.`,
  order_branding: field`${z.prefault(nullAs("platform", brandingChoice()), "platform")} Branding of the gift page. \`company\` requires a branding in your company profile.`,
  recipient_details: field`${recipientsOf(GiftLinkRecipientInput())} One entry for each recipient. Each recipient gets one piece.`,
  // Which days are accepted depends on the time of the request: see check.ts.
  redeem_by: field`${optionalField(dayField())} The last day on which recipients can accept their gifts: from today, in UTC, to the same date in five years. Gifts that are not accepted expire when this day has ended everywhere on Earth, which is at noon UTC of the next day. Without it, they do not expire, unless a default is agreed for your company.`,
  sender_name: field`${optionalField(displayName(100))} The person who sends the gifts, shown on the gift page beside the name of your company.`,
  // Without a default value, so that the digests of other requests do not change.
  send_method: field`${optionalField(z.enum(["link", "email"]))} \`email\`: we send each recipient an e-mail with the link, and reminders. \`link\`, the default: you send the links.`,
  send_at: field`${optionalField(timestamp())} When the e-mails are sent: a time with an offset, at most a year ahead and not after the last day. A time in the past means now, which is the default. Only with \`send_method\` \`email\`.`,
}));
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
  client: PlacingClient;
  /** The credential set of the request. Its limits apply. */
  credentialId: number | null;
  /** The set again, if only its own orders exist for it. Otherwise null. */
  ownId: number | null;
}

export const QuoteRequest = component(
  "QuoteRequest",
  () => ({
    _: "An order that is not placed. Unknown fields are ignored, unless they look misspelt or misplaced.",
    product_id: OrderRequest().shape.product_id,
    variation_id: OrderRequest().shape.variation_id,
    currency: OrderRequest().shape.currency,
    base_location: OrderRequest().shape.base_location,
    qty: field`${z.int().check(z.minimum(1), z.maximum(MAX_RECIPIENTS))} Number of recipients.`,
    gift_order_method: field`${z.prefault(nullAs("api-purchase", z.enum(["api-purchase", "api-giftlink"])), "api-purchase")} \`api-purchase\` for an order by POST /api/order, \`api-giftlink\` for one by POST /api/gift-link.`,
    gift_of_choice: field`${optionalField(z.enum(["Y", "N"]))} As in POST /api/gift-link. Only if \`gift_order_method\` is \`api-giftlink\`.`,
    collection: field`${optionalField(collectionId())} As in POST /api/gift-link. Only with \`gift_of_choice\` \`Y\`.`,
    order_branding: field`${optionalField(brandingChoice())} As in POST /api/gift-link. Only if \`gift_order_method\` is \`api-giftlink\`.`,
    campaign: OrderRequest().shape.campaign,
    redeem_by: field`${optionalField(dayField())} As in POST /api/gift-link. Only if \`gift_order_method\` is \`api-giftlink\`.`,
  }),
  z.superRefine((quote, context) => {
    if (quote.gift_order_method === "api-giftlink") return;
    for (const name of ["gift_of_choice", "collection", "order_branding", "redeem_by"] as const) {
      if (quote[name] === undefined) continue;
      const message = "must not be set unless gift_order_method is api-giftlink";
      context.addIssue({ code: "custom", path: [name], message });
    }
  }),
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

const OrderQuery = parameters(
  () => ({
    order_id: parameter`${z.optional(queryId())} The order's id. ${42}`,
    order_number: parameter`${z.optional(orderNumberText())} The order's number. ${"GO-00042"}`,
    order_ref_id: parameter`${z.optional(orderReference())} Your own reference for the order, exactly as you sent it. ${"spring-2026-0001"}`,
    include: parameter`${z.optional(queryList(INCLUDES))} What the response also contains, separated by commas. \`metadata\`: \`metadata\` of the order, and \`external_id\` and \`metadata\` of each recipient. \`thank_you\`: the thank-you note of each recipient. \`delivery_email\`: the e-mail address that a recipient entered for a digital gift. \`details\`: \`order_ref_id\`, \`collection\`, \`redeem_by\`, \`updated_at\`, \`sender_name\`, \`campaign\`, \`credential_id\`, the refunds, and the \`language\`, \`opened_at\` and \`credential_id\` of each recipient. \`emails\`: the e-mails to each recipient. \`codes\`: the code of each digital gift, with the scope \`order\`, not for tools. ${"metadata,thank_you"}`,
  }),
  oneOrder(),
);

/** The maximum number of orders or gifts on a page. */
const MAX_PAGE_ENTRIES = 500;

export const MAX_CURSOR_LENGTH = 2_000;

// Each list that the filters allow is a range of an index.
export const OrdersQuery = parameters(
  () => ({
    expand: parameter`${z.optional(z.literal("recipients"))} \`recipients\`: each order also has its recipients. A page then ends with the order that brings them to 1,000 or more. ${"recipients"}`,
    order_status: parameter`${z.optional(z.enum(ORDER_STATUSES))} Only orders with this status. \`cancieled\` is the API's spelling. ${"paid"}`,
    gift_order_method: parameter`${z.optional(z.enum(ORDER_METHODS))} Only orders that were placed this way. ${"api-giftlink"}`,
    created_from: parameter`${z.optional(queryTime())} Only orders that were placed at this time or later: a day in UTC, or an RFC 3339 timestamp with \`Z\` or an offset. Write the \`+\` of an offset as \`%2B\`. ${"2026-09-01"}`,
    created_until: parameter`${z.optional(queryTime())} Only orders that were placed before this time, in the same formats. ${"2026-10-01T00:00:00Z"}`,
    redemption_status: parameter`${z.optional(z.enum(["unredeemed", "redeemed", "cancelled", "expired"]))} \`redeemed\`: only orders with a gift that is redeemed. \`cancelled\`: only orders with a gift that is cancelled. \`expired\`: only orders with a gift that is expired. \`unredeemed\`: only orders with a gift that is neither redeemed, cancelled nor expired. ${"unredeemed"}`,
    order_ref_id_prefix: parameter`${z.optional(requiredText(MAX_REFERENCE_LENGTH))} Only orders whose \`order_ref_id\` starts with this text, compared exactly. The list is in ascending order of \`order_ref_id\`. ${"spring-2026-"}`,
    campaign: parameter`${z.optional(campaignName())} Only orders with this \`campaign\`, in upper and lower case as it was sent. ${"anniversaries-2026"}`,
    credential_id: parameter`${z.optional(queryId())} Only orders that this credential set has placed. ${1}`,
    limit: parameter`${z._default(queryInteger(1, MAX_PAGE_ENTRIES), 100)} Maximum number of orders on the page. ${50}`,
    cursor: parameter`${z.optional(requiredText(MAX_CURSOR_LENGTH))} The \`next_cursor\` of the previous page, with the same filters. Leave it out for the first page. ${"eyJjcmVhdGVkQXRNcyI6MTc4OTYwNzA0MDAwMCwiaWQiOjQxLCJmaWx0ZXJzIjpbXX0"}`,
  }),
  onlyWith("order_ref_id_prefix", ...PAGE_PARAMETERS),
);
export type OrdersQuery = z.infer<ReturnType<typeof OrdersQuery>>;

export const RecipientsQuery = parameters(
  () => ({
    external_id: parameter`${z.optional(requiredText(100))} Your own id of the recipient. ${"employee-1041"}`,
    email: parameter`${z.optional(emailField())} The e-mail address of the recipient. ${"marisol.quintana@example.com"}`,
    limit: parameter`${z._default(queryInteger(1, MAX_PAGE_ENTRIES), 100)} Maximum number of gifts on the page. ${50}`,
    cursor: parameter`${z.optional(requiredText(MAX_CURSOR_LENGTH))} The \`next_cursor\` of the previous page, with the same \`external_id\` or \`email\`. Leave it out for the first page. ${"eyJvcmRlcklkIjo0MSwic2VxdWVuY2UiOjEsImZpbHRlcnMiOltbImV4dGVybmFsX2lkIiwiZW1wbG95ZWUtMTA0MSJdXX0"}`,
  }),
  exactlyOne("external_id", "email"),
);
export type RecipientsQuery = z.infer<ReturnType<typeof RecipientsQuery>>;

export const orderNumberField = () =>
  field`${z.string().check(z.regex(/^GO-\d{5,}$/))} Order number for people: \`GO-\` and at least five digits. The number after \`GO-99999\` is \`GO-100000\`.`;
/** Null for a gift that is open. */
export const redemptionStatus = () => z.nullable(z.enum(["redeemed", "cancelled", "expired"]));
export const giftNumberSchema = () =>
  field`${z.string().check(z.regex(/^GO-\d{5,}-\d+$/))} The order's number, a hyphen and the recipient's position.`;
export const orderStatus = () =>
  field`${z.enum(ORDER_STATUSES)} \`created\`: not paid yet. \`paid\`: paid. \`failed\`: the payment failed. \`cancieled\` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.`;
const orderMethod = () =>
  field`${z.enum(ORDER_METHODS)} How the order was placed: \`api-purchase\` by POST /api/order, \`api-giftlink\` by POST /api/gift-link, all others in Regalo's online store.`;
export const referenceOrNull = () =>
  field`${z.nullable(z.string())} Your own reference for the order. Null for orders of Regalo's online store.`;
const amount = () => z.number().check(z.minimum(0));

const PlacedOrderData = component("PlacedOrderData", () => ({
  _: "Id and number of a placed order.",
  order_id: field`${positive()} Identifies the order. Use it as \`order_id\` in GET /api/order.`,
  order_number: orderNumberField(),
}));

const PlacedTotals = component("PlacedTotals", () => ({
  _: "Totals as numbers.",
  currency: field`${currencyCode()} ISO 4217 code of the currency of all amounts in this object.`,
  product_price: field`${amount()} Price of one piece.`,
  qty: field`${positive()} Number of recipients.`,
  subtotal: field`${amount()} \`product_price\` × \`qty\`.`,
  shipping_cost: field`${amount()} The product's shipping cost × \`qty\`.`,
  order_fee: field`${amount()} Our fee: a share of \`subtotal\` + \`shipping_cost\` (4 % unless agreed otherwise), rounded half up.`,
  order_total: field`${amount()} The exact sum of \`subtotal\`, \`shipping_cost\` and \`order_fee\`.`,
}));

export const PlacementResponse = component("PlacedOrder", () => ({
  _: "A placed order. Ids and amounts are numbers here.",
  status: z.literal("success"),
  order_data: field`${PlacedOrderData()} Id and number of the order.`,
  // The interface defines amounts as numbers here, and as strings in OrderResponse.
  order_totals: field`${PlacedTotals()} The costs of the order.`,
}));
export type PlacementResponse = z.infer<ReturnType<typeof PlacementResponse>>;

export const GiftLink = component("GiftLink", () => ({
  _: "A recipient's gift link.",
  suborder_id: field`${positive()} Identifies the recipient's part of the order.`,
  suborder_number: field`${z.string()} The order's number, a hyphen and the recipient's position.`,
  first_name: field`${z.string()} First name.`,
  last_name: field`${z.string()} Last name.`,
  email: field`${z.string()} E-mail address.`,
  gift_url: field`${z.url()} Link to the page where the recipient accepts the gift. You send it to the recipient. Anyone who has the link can accept the gift.`,
}));

export const GiftLinkResponse = component("PlacedGiftLinks", () => ({
  _: "A placed gift-link order with one link for each recipient.",
  ...PlacementResponse().shape,
  recipient_return: field`${z.array(GiftLink()).check(z.minLength(1))} One entry for each recipient, in the same order as in the request.`,
}));
export type GiftLinkResponse = z.infer<ReturnType<typeof GiftLinkResponse>>;

export const CountryChoices = component("CountryChoices", () => ({
  _: "The number of other products that recipients in a country could choose.",
  country: field`${countryCode()} A country to which some of them ship, or \`base_location\`.`,
  product_count: field`${countField()} The number of products that ship there.`,
}));

export const QuoteResponse = component("Quote", () => ({
  _: "The costs of an order that is not placed.",
  status: z.literal("success"),
  order_totals: field`${PlacementResponse().shape.order_totals} The costs of the order.`,
  credit_sufficient: field`${z.boolean()} False if your credit is less than \`order_total\`. A placement would then be refused with \`insufficient_credit\`. Always true if you pay by invoice.`,
  limit_sufficient: field`${z.boolean()} False if \`order_total\` is above a spending limit of the request's credentials. A placement would then be refused with \`spending_limit_exceeded\`. Always true without limits.`,
  stock_sufficient: field`${z.boolean()} False if the stock is less than \`qty\`. A placement would then be refused with \`out_of_stock\`.`,
  choices: field`${z.optional(z.array(CountryChoices()))} How many other products of the collection recipients could choose at present, at this price. Only with \`collection\`.`,
}));
export type QuoteResponse = z.infer<ReturnType<typeof QuoteResponse>>;

const idText = () => z.string().check(z.regex(/^[1-9]\d*$/));
const orderDate = () =>
  field`${z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/))} When the order was placed: \`YYYY-MM-DD HH:MM\`, 24 hours, UTC.`;
const colour = () => z.string().check(z.regex(/^#[0-9a-f]{6}$/i));
const nullableText = () => z.nullable(z.string());
const ChosenProduct = component("ChosenProduct", () => ({
  _: "A product, and a variation of it.",
  product_id: field`${idText()} Id of the product, as a string.`,
  variation_id: field`${z.nullable(idText())} Id of the variation, as a string. Null for a \`simple\` product.`,
}));

export const ThankYouResponse = component("ThankYou", () => ({
  _: "A recipient's thank-you note.",
  message: field`${z.string()} The note, as plain text of at most 1,000 characters. May contain line breaks. Escape it before you show it, because the recipient can write any text.`,
  created_at: field`${z.iso.datetime()} When the recipient sent the note, in RFC 3339 format and UTC.`,
}));

export const EmailResponse = component("Email", () => ({
  _: "An e-mail to a recipient.",
  kind: field`${z.enum(EMAIL_KINDS)} \`invitation\`: the link. \`reminder\`: some days later. \`last_days\`: in the week before the gift expires. \`accepted\`: the recipient has accepted the gift. \`shipped\`: the parcel is on its way. \`delivered\`: it has arrived. \`code\`: the code of a digital gift.`,
  status: field`${z.enum(["scheduled", ...EMAIL_STATUSES])} \`scheduled\`: not sent yet. \`sending\`: given to the e-mail service, whose answer is not known yet, which takes some minutes at most. \`retry\`: an attempt failed, and another one follows. \`failed\`: not sent. \`sent\`: sent. What the receiving server reports then: \`deferred\`, \`delivered\`, \`rejected\`, \`bounced\`; \`complained\`: the recipient has marked it as spam.`,
  at: field`${z.iso.datetime()} When it was sent or attempted. For a \`scheduled\` e-mail, when it will be sent if nothing changes.`,
  reason: field`${nullableText()} The class of a failure, such as \`hard_bounce\`. Otherwise null.`,
}));

/** `waiting`: the gift is owed and has no code yet. `opened`: its recipient has seen it on the gift page. */
const CODE_STATUSES = ["waiting", "sent", "opened", "void"] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

const BrandingOptions = component("BrandingOptions", () => ({
  _: "The branding of the gift pages. Paths begin with `/` and are relative to the server that you called.",
  branding_logo: field`${z.string()} Path or URL of the logo.`,
  branding_claim_logo: field`${z.string()} Path or URL of the logo on the gift page.`,
  primary_color: field`${colour()} Hex colour.`,
  secondary_color: field`${colour()} Hex colour.`,
}));

const OrderTotals = component("OrderTotals", () => ({
  _: "Totals as strings.",
  currency: field`${currencyCode()} ISO 4217 code of the currency of all amounts in this object.`,
  product_price: field`${amountTextField()} Price of one piece.`,
  qty: field`${idText()} Number of recipients.`,
  subtotal: field`${amountTextField()} \`product_price\` × \`qty\`.`,
  shipping_cost: field`${amountTextField()} The product's shipping cost × \`qty\`.`,
  order_fee: field`${amountTextField()} Our fee: a share of \`subtotal\` + \`shipping_cost\` (4 % unless agreed otherwise), rounded half up.`,
  order_total: field`${amountTextField()} The exact sum of \`subtotal\`, \`shipping_cost\` and \`order_fee\`.`,
  refunded: field`${z.optional(amountTextField())} What its cancelled and expired gifts have returned to your credit or, for an order on invoice, what you no longer owe or get back for them. Only with \`include=details\`.`,
}));

const DeliveryAddress = component("DeliveryAddress", () => ({
  _: "A delivery address. Unknown fields are null.",
  address_line_1: field`${nullableText()} Street and number.`,
  address_line_2: field`${nullableText()} Unit, floor or company.`,
  suburb: field`${nullableText()} Suburb, town or city.`,
  state: field`${nullableText()} State or region, by a code or name. If neither a city nor a postcode is given, it must be one of the country's in [/addresses.json](/addresses.json).`,
  postcode_zipcode: field`${nullableText()} Postal code. It must have the country's format, and is returned as it is written there. Required only where the postal authority requires it.`,
  country: field`${nullableText()} Country: an ISO 3166-1 code of two or three letters, or its name in English or in its own language. Another text is refused.`,
}));

const RecipientDetails = component("RecipientDetails", () => ({
  _: "A recipient.",
  name: field`${z.string()} The full name.`,
  email: field`${z.string()} E-mail address.`,
  email_message: field`${z.string()} Message to this recipient. May be empty.`,
  delivery_address: field`${DeliveryAddress()} Delivery address. After a redemption, the address that the recipient entered.`,
  phone_number: field`${z.string()} \`NA\` if there is none.`,
  delivery_notes: field`${nullableText()} Notes for the delivery.`,
  gift_url: field`${z.optional(z.url())} The recipient's gift link. After a renewal, the new link. Only if \`gift_order_method\` is \`api-giftlink\`, and left out for credentials with the scope \`read\`.`,
  delivery_email: field`${z.optional(nullableText())} The e-mail address that the recipient entered for a digital gift. Null if the gift is sent to \`email\`. In GET /api/order, only with \`include=delivery_email\`.`,
  language: field`${z.optional(nullableText())} The recipient's \`language\`, as a BCP 47 tag in its usual form. Null if there is none. In GET /api/order, only with \`include=details\`.`,
}));

export const GiftOfOrderResponse = component("SubOrder", () => ({
  _: "One recipient's part of an order.",
  suborder_id: field`${positive()} Identifies the sub-order.`,
  suborder_number: giftNumberSchema(),
  recipient_details: field`${RecipientDetails()} The recipient.`,
  redemption_status: field`${redemptionStatus()} Null for an open gift, also while it is declined or past its last day and has not ended, and for a gift of an order of POST /api/order that is not cancelled. \`redeemed\`: the recipient has accepted the gift. \`cancelled\`: the gift was cancelled or declined, or its order failed. \`expired\`: the recipient has not accepted the gift in time.`,
  product_selected: field`${ChosenProduct()} The product that this recipient gets. It differs from \`product_offered\` if the recipient chose another gift.`,
  external_id: field`${z.optional(nullableText())} Your own id of the recipient. Null if there is none. In GET /api/order, only with \`include=metadata\`.`,
  metadata: field`${z.optional(metadataObject())} The recipient's \`metadata\`. Empty if there is none. In GET /api/order, only with \`include=metadata\`.`,
  thank_you: field`${z.optional(z.nullable(ThankYouResponse()))} The recipient's thank-you note. Null if there is none. In GET /api/order, only with \`include=thank_you\`.`,
  emails: field`${z.optional(z.array(EmailResponse()))} The e-mails to the recipient, oldest first. Only in GET /api/order with \`include=emails\`.`,
  redeem_by: field`${z.optional(z.nullable(z.iso.date()))} The last day on which this gift can be accepted: that of the order, unless we have changed it for this gift. Null if it does not expire. In GET /api/order, only with \`include=details\`.`,
  refunded: field`${z.optional(amountTextField())} What the end of the gift has returned to your credit or, for an order on invoice, what you no longer owe or get back for it. In GET /api/order, only with \`include=details\`.`,
  opened_at: field`${z.optional(z.nullable(z.iso.datetime()))} When the recipient first opened the gift, in UTC. Null if that was not seen, as for a recipient whose browser asks not to be tracked. In GET /api/order, only with \`include=details\`.`,
  credential_id: field`${z.optional(z.nullable(positive()))} The credential set that has cancelled, corrected, renewed or sent the gift last. Null if none has. In GET /api/order, only with \`include=details\`.`,
  code: field`${z.optional(nullableText())} The code of a digital gift. Null without one. Only in GET /api/order with \`include=codes\`.`,
  pin: field`${z.optional(nullableText())} The PIN of the code. Null without one. Only in GET /api/order with \`include=codes\`.`,
  url: field`${z.optional(nullableText())} The link at which the code is used, or which is the gift itself. Null without one. Only in GET /api/order with \`include=codes\`.`,
  valid_until: field`${z.optional(z.nullable(z.iso.date()))} The last day on which the code is valid. Null if it does not expire. Only in GET /api/order with \`include=codes\`.`,
  code_status: field`${z.optional(z.nullable(z.enum(CODE_STATUSES)))} \`waiting\`: the gift is paid or accepted, and has no code yet. \`sent\`: it has its code. \`opened\`: its recipient has seen the code on the gift page. \`void\`: its code was withdrawn. Null for a physical gift, and for one that is not paid or not accepted. Only in GET /api/order with \`include=codes\`.`,
}));

export const OrderResponse = component("Order", () => ({
  _: "An order. Ids and amounts are strings here. In the responses of POST /api/order and POST /api/gift-link they are numbers.",
  order_id: field`${idText()} Identifies the order, as a string.`,
  order_number: orderNumberField(),
  order_date: orderDate(),
  order_status: orderStatus(),
  gift_order_method: orderMethod(),
  link_how_many_times: field`${z.optional(z.nullable(positive()))} How many times the link can be redeemed. Only if \`gift_order_method\` is \`link\`.`,
  link_url: field`${z.optional(nullableText())} The redemption URL. Only if \`gift_order_method\` is \`link\`. Null for credentials with the scope \`read\`.`,
  link_message: field`${z.optional(nullableText())} The message on the redemption page. Only if \`gift_order_method\` is \`link\`.`,
  gift_of_choice: field`${z.enum(["Y", "N"])} \`Y\` if recipients may choose another gift.`,
  branding_selected: field`${z.enum(["platform", "company", "custom"])} The branding of the order. \`custom\` can only be set in Regalo's online store.`,
  branding_options: field`${BrandingOptions()} The branding when the order was placed.`,
  product_offered: field`${ChosenProduct()} The product that was ordered. It never changes.`,
  order_totals: field`${OrderTotals()} The costs of the order. Except for \`refunded\`, they never change.`,
  email_template: field`${z.enum(["celebration", "generic", "sympathy", "christmas"])} The template of the order's e-mails. It can only be set in Regalo's online store.`,
  recipients: field`${z.array(GiftOfOrderResponse())} One sub-order for each recipient.`,
  metadata: field`${z.optional(metadataObject())} The order's \`metadata\`. Empty if there is none. Only with \`include=metadata\`.`,
  order_ref_id: field`${z.optional(nullableText())} Your own reference for the order. Null for orders of Regalo's online store. Only with \`include=details\`.`,
  collection: field`${z.optional(z.nullable(collectionId()))} The collection from which recipients choose. Null for the whole catalogue. Only with \`include=details\`.`,
  redeem_by: field`${z.optional(z.nullable(z.iso.date()))} The last day on which the gifts can be accepted. Null if they do not expire. Only with \`include=details\`.`,
  updated_at: field`${z.optional(z.iso.datetime())} When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed. Only with \`include=details\`.`,
  sender_name: field`${z.optional(nullableText())} The order's \`sender_name\`. Null if there is none. Only with \`include=details\`.`,
  campaign: field`${z.optional(nullableText())} The order's \`campaign\`. Null if there is none. Only with \`include=details\`.`,
  credential_id: field`${z.optional(z.nullable(positive()))} The credential set that placed the order. Null if none did. Only with \`include=details\`.`,
}));
export type OrderResponse = z.infer<ReturnType<typeof OrderResponse>>;

const ListedOrderTotals = component("ListedOrderTotals", () => ({
  _: "The total of an order in a list, and its refunds.",
  currency: field`${currencyCode()} ISO 4217 code of the currency of both amounts.`,
  order_total: field`${amountTextField()} The costs of the order. They never change.`,
  refunded: field`${amountTextField()} What its cancelled and expired gifts have returned to your credit or, for an order on invoice, what you no longer owe or get back for them.`,
}));

export const ListedOrderResponse = component("ListedOrder", () => ({
  _: "An order in a list. GET /api/order returns its recipients and further fields.",
  order_id: field`${positive()} Identifies the order.`,
  order_number: orderNumberField(),
  order_ref_id: referenceOrNull(),
  order_date: orderDate(),
  order_status: orderStatus(),
  gift_order_method: orderMethod(),
  updated_at: field`${z.iso.datetime()} When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed.`,
  order_totals: field`${ListedOrderTotals()} The total of the order, and the refunds.`,
  recipient_count: field`${positive()} Number of recipients.`,
  redeemed_count: field`${countField()} Number of recipients who have redeemed their gift.`,
  cancelled_count: field`${countField()} Number of recipients whose gift was cancelled.`,
  expired_count: field`${countField()} Number of recipients whose gift expired.`,
  redeem_by: field`${z.nullable(z.iso.date())} The last day on which the gifts can be accepted. Null if they do not expire.`,
  metadata: field`${metadataObject()} The order's \`metadata\`. Empty if there is none.`,
  campaign: field`${nullableText()} The order's \`campaign\`. Null if there is none.`,
  credential_id: field`${z.nullable(positive())} The credential set that placed the order. Null if none did.`,
  recipients: field`${z.optional(OrderResponse().shape.recipients)} The recipients, as in GET /api/order with all parts except the e-mails and the codes. Only with \`expand=recipients\`.`,
}));
export type ListedOrderResponse = z.infer<ReturnType<typeof ListedOrderResponse>>;

export const OrderListResponse = component("OrderList", () => ({
  _: "A page of orders.",
  status: z.literal("success"),
  orders: field`${z.array(ListedOrderResponse())} The orders of this page.`,
  next_cursor: field`${nullableText()} The \`cursor\` of the next page. Null if this page is the last one.`,
}));
export type OrderListResponse = z.infer<ReturnType<typeof OrderListResponse>>;

export const GiftResponse = component("Gift", () => {
  const { order_id, order_number, order_ref_id, ...order } = ListedOrderResponse().shape;
  return {
    _: "A gift, with the order that it is part of.",
    order_id,
    order_number,
    order_ref_id,
    order_date: order.order_date,
    order_status: order.order_status,
    gift_order_method: order.gift_order_method,
    recipient: field`${GiftOfOrderResponse()} The recipient, as in GET /api/order with all parts except the e-mails and the codes.`,
  };
});

export const GiftListResponse = component("GiftList", () => ({
  _: "A page of gifts of one person.",
  status: z.literal("success"),
  gifts: field`${z.array(GiftResponse())} The gifts of this page.`,
  next_cursor: field`${nullableText()} The \`cursor\` of the next page. Null if this page is the last one.`,
}));
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
  forOwn: true,
  path: "/api/quote",
  scope: "read",
  body: QuoteRequest,
  requiredFirst: { product_id: "product_id_required" },
  near: true,
  response: QuoteResponse,
  errors: [...CONTENT_ERRORS, "branding_not_available"],
});

export const placeOrder = endpoint({
  operationId: "placeOrder",
  method: "POST",
  forOwn: true,
  path: "/api/order",
  ignoresUnknown: true,
  siblings: () => [placeGiftLinks, quoteOrder],
  body: OrderRequest,
  requiredFirst: { product_id: "product_id_required" },
  response: PlacementResponse,
  errors: PLACEMENT_ERRORS,
});

export const placeGiftLinks = endpoint({
  operationId: "placeGiftLinks",
  method: "POST",
  forOwn: true,
  path: "/api/gift-link",
  ignoresUnknown: true,
  siblings: () => [quoteOrder],
  body: GiftLinkRequest,
  requiredFirst: { product_id: "product_id_required" },
  response: GiftLinkResponse,
  errors: [...PLACEMENT_ERRORS, "branding_not_available"],
});

export const getOrder = endpoint({
  operationId: "getOrder",
  method: "GET",
  forOwn: true,
  path: "/api/order",
  ignoresUnknown: true,
  query: OrderQuery,
  near: true,
  response: OrderResponse,
  errors: ["validation_error", "not_found"],
});

export const listOrders = endpoint({
  operationId: "listOrders",
  method: "GET",
  forOwn: true,
  path: "/api/orders",
  query: OrdersQuery,
  near: true,
  response: OrderListResponse,
  errors: ["validation_error"],
});

export const listRecipients = endpoint({
  operationId: "listRecipients",
  method: "GET",
  forOwn: true,
  path: "/api/recipients",
  query: RecipientsQuery,
  near: true,
  response: GiftListResponse,
  errors: ["validation_error"],
});
