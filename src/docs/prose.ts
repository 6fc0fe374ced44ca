// Descriptions of all fields: meaning, unit, and rules that the schema does not express.
import { REQUIRED_ADDRESS_FIELDS } from "../features/orders/address.ts";
import type { Prose } from "./schemas.ts";

const required = REQUIRED_ADDRESS_FIELDS.map((field) => `\`${field}\``).join(", ");

const METADATA =
  "Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces.";

const addressInput = {
  address_line_1: "Street and number.",
  address_line_2: "Unit, floor or company.",
  suburb: "Suburb, town or city.",
  state: "State or region.",
  postcode_zipcode: "Postal code. Not needed if the country has no postal codes.",
  country: "Country, as written on the parcel.",
};

const recipientInput = {
  first_name: "First name.",
  last_name: "Last name.",
  email: "E-mail address.",
  phone_number: "Telephone number, in any format.",
  delivery_address: "Delivery address.",
  external_id: "Your own id of the recipient. It need not be unique. Recipients do not see it.",
  metadata: `${METADATA} Recipients do not see it.`,
};

const orderRequest = {
  order_ref_id:
    "Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order.",
  product_id: "The product to order: `product_id` of the catalogue.",
  variation_id:
    "The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one.",
  currency:
    "ISO 4217 code of the order's currency. It must be the `price_currency` of the product.",
  base_location:
    "Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty.",
  recipient_details: "One entry for each recipient. Each recipient gets one piece.",
  metadata: `${METADATA} It is returned by GET /api/orders, GET /api/order and in events. Do not put personal data into it.`,
};

const totals = {
  currency: "ISO 4217 code of the currency of all amounts in this object.",
  product_price: "Price of one piece.",
  qty: "Number of recipients.",
  subtotal: "`product_price` × `qty`.",
  shipping_cost: "The product's shipping cost × `qty`.",
  order_fee:
    "Our fee: a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up.",
  order_total: "The exact sum of `subtotal`, `shipping_cost` and `order_fee`.",
};

const product = {
  product_id: "Identifies the product. Use it as `product_id` in orders.",
  product_sku: "SKU. May be empty.",
  product_name: "Full name.",
  product_description:
    "Full description. May contain HTML and line breaks. Sanitise it before you show it.",
  product_short_description: "Short description. May be empty.",
  digital_physical:
    "`physical` products are sent to an address. `digital` products need no address.",
  track_inventory: "`Y` if the stock is counted, `N` if it is not.",
  stock_status:
    "Whether the product can be ordered. It may change between this response and your order.",
  stock_qty:
    "Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted.",
  featured_image: "Full URL of the main image.",
  additional_images: "Full URLs of more images. May be empty.",
  product_vendor: "The company that makes or sells the product.",
  shipping_cost: "Cost of shipping one piece, in the product's currency.",
  shipping_details: "Weight and size of one parcel.",
  available_location:
    "ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere.",
};

const placedOrder = {
  status: "Always `success`.",
  order_data: "Id and number of the order.",
  order_totals: "The costs of the order.",
};

const chosenProduct = {
  product_id: "Id of the product, as a string.",
  variation_id: "Id of the variation, as a string. Null for a `simple` product.",
};

const webhook = {
  webhook_id: "Identifies the endpoint.",
  url: "The URL to which we send events, in its normal form.",
  description: "Your description. Null if there is none.",
  event_types:
    "The types of events that we send. Null means all types, also types that we add later.",
  status: "`enabled`: we send events. `disabled`: we do not.",
  disabled_reason:
    "Why the endpoint is disabled. `client`: you have disabled it. `operator`: we have disabled it. Write to us. `gone`: its response was 410. `failing`: all attempts have failed for 5 days. Null if it is enabled.",
  failing_since:
    "When the first of the consecutive failed attempts was made, in UTC. Null if the last attempt succeeded or there was none.",
  created_at: "When the endpoint was created, in UTC.",
  previous_secret_until:
    "Until this time, deliveries also have a signature with the previous secret. Null if they have one signature.",
  position:
    "The `sequence` of the last event that we have sent or skipped because of `event_types`. The next event is the one after it.",
};
const tracking = {
  carrier: "The company that carries the parcel. Null if it is not recorded.",
  tracking_number: "The carrier's number of the parcel. Null if it is not recorded.",
  tracking_url:
    "The carrier's page about the parcel, which begins with `https://`. Null if it is not recorded.",
};
const sandboxGift = { suborder_id: "The gift's id." };
const orderNumber =
  "Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`.";
const orderDate = "When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC.";
const orderStatus =
  "`created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.";
const sandboxOrder = {
  status: "Always `success`.",
  order_data: "Id and number of the order.",
  order_status: orderStatus,
};
const orderReference =
  "Your own reference for the order. Null for orders of Regalo's online store.";
const redeemBy = "The last day on which the gifts can be accepted. Null if they do not expire.";
const updatedAt =
  "When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed.";
const refunded =
  "The amount that the cancelled and expired gifts of the order have returned to your credit. `0.00` if the order was not paid with your credit.";
const WITH_DETAILS = "Only with `include=details`.";
const giftOrderMethod =
  "How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.";

export const PROSE: Prose = {
  OrderRequest: { _: "An order to be delivered. Unknown fields are ignored.", ...orderRequest },
  RecipientInput: {
    _: "A recipient of the product.",
    ...recipientInput,
    delivery_address: `Delivery address. Required for a \`physical\` product, with ${required}.`,
  },
  AddressInput: {
    _: "A delivery address.",
    ...addressInput,
    country:
      "Country, as written on the parcel. If it is an ISO 3166-1 alpha-2 code, in upper or lower case, or the English name of a country (`Germany`, `United States`, `USA`, `U.K.`), that country must be in the product's `available_location`, unless that list is empty. Other text is not checked.",
  },
  GiftLinkRequest: {
    _: "An order of gifts, with a link for each recipient. Unknown fields are ignored.",
    ...orderRequest,
    gift_of_choice: "`Y` if the recipient may choose another gift.",
    order_branding:
      "Branding of the gift page. `company` requires a branding in your company profile.",
    redeem_by:
      "The last day on which recipients can accept their gifts: from today, in UTC, to the same date in five years. Gifts that are not accepted expire when this day has ended everywhere on Earth, which is at noon UTC of the next day. If it is left out, the gifts do not expire, unless a default is agreed for your company.",
    sender_name:
      "The person who sends the gifts, shown on the gift page beside the name of your company.",
  },
  GiftLinkRecipientInput: {
    _: "A recipient of a gift link.",
    ...recipientInput,
    delivery_address:
      "Delivery address, if you have it. The recipient sees it on the gift page and can change it.",
    redemption_message: "Message to this recipient, shown on the gift page.",
    language:
      "The recipient's language, as a BCP 47 tag such as `de` or `pt-BR`. If the gift page is not available in this language, it is shown in a language of the recipient's browser or in English.",
  },

  CancelRequest: {
    _: "The order or the gifts to cancel. Set exactly one of `order_id`, `order_number` and `order_ref_id`. Unknown fields are refused, so that a misspelt `suborder_ids` does not cancel the whole order.",
    order_id: "The order's id.",
    order_number: "The order's number.",
    order_ref_id: "Your own reference for the order, exactly as you sent it.",
    suborder_ids:
      "The `suborder_id` of each gift to cancel. If it is left out, the order is cancelled with all its open gifts. Null is refused.",
  },

  CorrectionRequest: {
    _: "The recipient to correct, and the fields that change. At least one of them is required. A field that is left out keeps its value. Unknown fields are refused, so that a misspelt one is not overlooked.",
    suborder_id: "The recipient's part of the order.",
    first_name: "Corrected first name.",
    last_name: "Corrected last name.",
    email: "Corrected e-mail address.",
    phone_number: "Corrected phone number. An empty text removes it.",
    delivery_address:
      "Corrected delivery address. It replaces the whole address: parts that are left out are empty afterwards.",
    delivery_notes: "Corrected notes for the delivery. An empty text removes them.",
    delivery_email:
      "Corrected e-mail address to which a digital gift is sent, instead of the one that the recipient entered. Only for a digital gift that is redeemed.",
  },

  QuoteRequest: {
    _: "An order that is not placed. Unknown fields are ignored.",
    product_id: orderRequest.product_id,
    variation_id: orderRequest.variation_id,
    currency: orderRequest.currency,
    base_location: orderRequest.base_location,
    qty: "Number of recipients.",
    gift_order_method:
      "`api-purchase` for an order by POST /api/order, `api-giftlink` for one by POST /api/gift-link.",
    gift_of_choice: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
    order_branding: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
    redeem_by: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
  },
  RenewalRequest: {
    _: "The gift whose link is replaced. Unknown fields are ignored.",
    suborder_id: "The recipient's part of the order: `suborder_id` of a gift-link order.",
    gift_url:
      "The link to replace. If the gift has another link now, nothing changes, and the response contains that link. Leave it out to replace any link.",
    first_name: "Corrected first name. The name does not change if it is left out.",
    last_name: "Corrected last name. The name does not change if it is left out.",
    email: "Corrected e-mail address. The address does not change if it is left out.",
  },
  WebhookRequest: {
    _: "A webhook endpoint. Unknown fields are ignored.",
    url: "The URL to which we send events. It begins with `https://`.",
    event_types: "The types of events that we send. All types if it is left out.",
    description: "A description for yourself.",
  },
  WebhookSelection: { _: "One of your endpoints.", webhook_id: "The endpoint's id." },
  RedeliveryRequest: {
    _: "Events to send again. Set exactly one of the two sequences.",
    webhook_id: "The endpoint's id.",
    sequence: "The event to send again.",
    since_sequence: "The first event to send again. All later events are sent too.",
  },

  OrderSelection: {
    _: "One of your orders. Set exactly one of the three fields.",
    order_id: "The order's id.",
    order_number: "The order's number.",
    order_ref_id: "Your own reference for the order, exactly as you sent it.",
  },
  SandboxRedemptionRequest: {
    _: "A gift to redeem, and what its recipient enters on the gift page.",
    ...sandboxGift,
    delivery_address: `Delivery address of a physical gift, with ${required}. If it is left out, it is the order's address, completed with sample values. A digital gift has none.`,
    delivery_notes: "Notes for the delivery of a physical gift.",
  },
  SandboxGiftRequest: { _: "One of your gifts.", ...sandboxGift },
  SandboxShipmentRequest: {
    _: "A gift to ship, with the tracking of its parcel. A digital gift has no tracking.",
    ...sandboxGift,
    carrier: "The company that carries the parcel.",
    tracking_number: "The carrier's number of the parcel.",
    tracking_url: "The carrier's page about the parcel. It begins with `https://`.",
  },

  ProductList: {
    _: "A page of products, in ascending order of `product_id`.",
    total_products: "Number of products in your whole catalogue. The filter does not apply.",
    total_products_in_query: "Number of products in this response.",
    current_page: "Number of this page.",
    total_pages: "Number of pages of the filtered list, at least 1. A page past the end is empty.",
    products: "The products of this page.",
  },
  Product: { _: "A product: `simple` with a price, or `variable` with variations." },
  SimpleProduct: {
    _: "A product with one price.",
    ...product,
    product_type: "Always `simple`.",
    price: "Price of one piece: a decimal number, as a string.",
    price_currency: "ISO 4217 code of the price's currency. Orders of the product must use it.",
  },
  VariableProduct: {
    _: "A product with variations, each with its own price and stock.",
    ...product,
    product_type: "Always `variable`.",
    attributes: "The attributes in which the variations differ, such as size and colour.",
    variations: "The variations that can be ordered.",
  },
  Attribute: {
    _: "An attribute in which variations differ, such as a size.",
    id: "Identifies the attribute.",
    name: "Name of the attribute.",
    option: "All options of the attribute.",
  },
  Variation: {
    _: "One combination of options.",
    id: "Identifies the variation. Use it as `variation_id` in orders.",
    sku: "SKU of the variation. May be empty.",
    price: "Price of one piece: a decimal number, as a string.",
    price_currency: "ISO 4217 code of the price's currency. All variations have the same.",
    variation_qty: "Pieces in stock, as a string. Empty if the stock is not counted.",
    variation_stock_status: "Whether this variation can be ordered.",
    options: "One option for each attribute.",
  },
  VariationOption: {
    _: "The option of one attribute.",
    id: "The attribute's `id`.",
    name: "The attribute's name.",
    option: "The option.",
  },
  Vendor: {
    _: "A vendor.",
    name: "Name.",
    bio: "Full text about the vendor. May contain HTML.",
    logo: "Full URL of the logo.",
    shipping_info: "How the vendor ships its products. May be blank or null.",
    returns_info: "The vendor's returns policy. May be blank or null.",
  },
  ShippingDetails: {
    _: "Weight and size of a parcel, as strings. Unknown values are empty.",
    weight: "Weight in kg.",
    length: "Length in cm.",
    width: "Width in cm.",
    height: "Height in cm.",
  },

  Quote: {
    _: "The costs of an order that is not placed.",
    status: "Always `success`.",
    order_totals: "The costs of the order.",
    credit_sufficient:
      "False if your credit is less than `order_total`. A placement would then be refused with `insufficient_credit`. Always true if you pay by invoice.",
    stock_sufficient:
      "False if the stock is less than `qty`. A placement would then be refused with `out_of_stock`.",
  },
  PlacedOrder: { _: "A placed order. Ids and amounts are numbers here.", ...placedOrder },
  PlacedOrderData: {
    _: "Id and number of a placed order.",
    order_id: "Identifies the order. Use it as `order_id` in GET /api/order.",
    order_number: orderNumber,
  },
  PlacedTotals: { _: "Totals as numbers. Amounts have at most two decimal places.", ...totals },
  PlacedGiftLinks: {
    _: "A placed gift-link order with one link for each recipient.",
    ...placedOrder,
    recipient_return: "One entry for each recipient, in the same order as in the request.",
  },
  GiftLink: {
    _: "A recipient's gift link.",
    suborder_id: "Identifies the recipient's part of the order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    first_name: "First name.",
    last_name: "Last name.",
    email: "E-mail address.",
    gift_url:
      "Link to the page where the recipient accepts the gift. You send it to the recipient. Anyone who has the link can accept the gift.",
  },

  Renewal: {
    _: "The current link of a gift.",
    status: "Always `success`.",
    order_data: "Id and number of the order.",
    recipient: "The recipient with the current link.",
  },
  Correction: {
    _: "A recipient after a correction.",
    status: "Always `success`.",
    order_data: "Id and number of the order.",
    recipient: "The recipient with the present data.",
  },
  CorrectedRecipient: {
    _: "A recipient with the present data.",
    suborder_id: "Identifies the sub-order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    recipient_details: "The recipient, as GET /api/order returns it with `include=delivery_email`.",
  },
  Order: {
    _: "An order. Ids and amounts are strings here. In the responses of POST /api/order and POST /api/gift-link they are numbers.",
    order_id: "Identifies the order, as a string.",
    order_number: orderNumber,
    order_date: orderDate,
    order_status: orderStatus,
    gift_order_method: giftOrderMethod,
    link_how_many_times:
      "How many times the link can be redeemed. Only if `gift_order_method` is `link`.",
    link_url: "The redemption URL. Only if `gift_order_method` is `link`.",
    link_message: "The message on the redemption page. Only if `gift_order_method` is `link`.",
    gift_of_choice: "`Y` if recipients may choose another gift.",
    branding_selected:
      "The branding of the order. `custom` can only be set in Regalo's online store.",
    branding_options: "The branding when the order was placed.",
    product_offered: "The product that was ordered. It never changes.",
    order_totals: "The costs of the order. Except for `refunded`, they never change.",
    email_template:
      "The template of the order's e-mails. It can only be set in Regalo's online store.",
    recipients: "One sub-order for each recipient.",
    metadata: "The order's `metadata`. Empty if there is none. Only with `include=metadata`.",
    order_ref_id: `${orderReference} ${WITH_DETAILS}`,
    redeem_by: `${redeemBy} ${WITH_DETAILS}`,
    updated_at: `${updatedAt} ${WITH_DETAILS}`,
    sender_name: `The order's \`sender_name\`. Null if there is none. ${WITH_DETAILS}`,
  },
  OrderTotals: {
    _: "Totals as strings. Amounts have exactly two decimal places.",
    ...totals,
    refunded: `${refunded} ${WITH_DETAILS}`,
  },
  BrandingOptions: {
    _: "The branding of the gift pages. Paths begin with `/` and are relative to the server that you called.",
    branding_logo: "Path or URL of the logo.",
    branding_claim_logo: "Path or URL of the logo on the gift page.",
    primary_color: "Hex colour.",
    secondary_color: "Hex colour.",
  },
  ChosenProduct: { _: "A product, and a variation of it.", ...chosenProduct },
  SubOrder: {
    _: "One recipient's part of an order.",
    suborder_id: "Identifies the sub-order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    recipient_details: "The recipient.",
    redemption_status:
      "Null for an open gift, and for a gift of an order of POST /api/order that is not cancelled. `redeemed`: the recipient has accepted the gift. `cancelled`: the gift was cancelled or declined, or its order failed. `expired`: the recipient has not accepted the gift in time.",
    product_selected:
      "The product that this recipient gets. It differs from `product_offered` if the recipient chose another gift.",
    external_id:
      "Your own id of the recipient. Null if there is none. Only with `include=metadata`.",
    metadata: "The recipient's `metadata`. Empty if there is none. Only with `include=metadata`.",
    thank_you:
      "The recipient's thank-you note. Null if there is none. Only with `include=thank_you`.",
    redeem_by:
      "The last day on which this gift can be accepted: that of the order, unless we have changed it for this gift. Null if it does not expire. Only with `include=details`.",
  },
  ThankYou: {
    _: "A recipient's thank-you note.",
    message:
      "The note, as plain text of at most 1,000 characters. May contain line breaks. Escape it before you show it, because the recipient can write any text.",
    created_at: "When the recipient sent the note, in RFC 3339 format and UTC.",
  },
  RecipientDetails: {
    _: "A recipient.",
    name: "First and last name.",
    email: "E-mail address.",
    email_message: "Message to this recipient. May be empty.",
    delivery_address:
      "Delivery address. After a redemption, the address that the recipient entered.",
    phone_number: "Telephone number. `NA` if there is none.",
    delivery_notes: "Notes for the delivery.",
    gift_url:
      "The recipient's gift link. After a renewal, the new link. Only if `gift_order_method` is `api-giftlink`.",
    delivery_email:
      "The e-mail address that the recipient entered for a digital gift. Null if the gift is sent to `email`. Only with `include=delivery_email`.",
    language: `The recipient's \`language\`, as a BCP 47 tag in its usual form. Null if there is none. ${WITH_DETAILS}`,
  },
  DeliveryAddress: { _: "A delivery address. Unknown fields are null.", ...addressInput },

  EventList: {
    _: "Events in ascending order of `sequence`.",
    status: "Always `success`.",
    events: "The events. Empty if there are none after `after`.",
    next_after:
      "The `sequence` of the last of these events. Send it as `after` in the next request. If the list is empty, it is the `after` of this request.",
    has_more: "True if there are more events after these. Then read the next page at once.",
  },
  Event: {
    _: "Something that happened to one of your orders, gifts or credit accounts. An event does not change, except for the tracking of a parcel and what the erasure of a recipient removes.",
    sequence:
      "The event's position in your feed. Your first event has 1, the next one 2, and so on. There is a gap only before a `data.restored`. 0 if `type` is `webhook.test`, because that event is not in the feed.",
    type: "What happened. `order.created`: an order was placed and is not paid yet. `order.paid`: an order was placed and paid with your credit, or a created order was paid. `order.failed`: the payment failed. `order.cancelled`: the order was cancelled, or its last gift ended without being accepted. `order.extended`: the last day to accept the gifts of the order changed. `gift.redeemed`: a recipient accepted a gift. `gift.thanked`: a recipient sent a thank-you note, which GET /api/order returns with `include=thank_you`. `gift.declined`: a recipient declined a gift, which is then cancelled. `gift.cancelled`: a gift was cancelled for another reason, and its order continues. `gift.extended`: the last day to accept a single gift changed. `gift.corrected`: the data of a recipient was corrected. `gift.renewed`: a gift got a new link. `gift.expiring`: a gift that has not been accepted expires soon. `gift.expired`: a gift expired. `gift.shipped`: a parcel was shipped. `gift.delivered`: a parcel was delivered. `gift.sent`: a digital gift was sent. `gift.reopened`: a shipment that was recorded by mistake is open again. `credit.low`: your credit is below the amount of the alert. `data.restored`: our database was restored to an earlier moment, and the events after `last_sequence` that you have read are undone. `webhook.test`: a test of a webhook endpoint, which is not in the feed.",
    created_at: "When it happened, in UTC.",
    order_id: "The order. Null if the event is not about an order.",
    order_ref_id:
      "Your own reference of the order. Null for orders of Regalo's online store, and if the event is not about an order.",
    suborder_id: "The sub-order. Null if the event is not about one gift.",
    data: "Details. `type` determines which of its fields are present.",
  },
  EventData: {
    _: "Details of an event. Amounts are strings with exactly two decimal places.",
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
    carrier: `${tracking.carrier} It is the present value, which may be corrected after the event. Only in \`gift.shipped\` and \`gift.delivered\`.`,
    tracking_number: `${tracking.tracking_number} It is the present value, as of \`carrier\`.`,
    tracking_url: `${tracking.tracking_url} It is the present value, as of \`carrier\`.`,
    product_id: "The product that the recipient gets. Only in `gift.redeemed`.",
    variation_id:
      "The variation that the recipient gets. Null for a `simple` product. Only in `gift.redeemed`.",
    corrected_fields:
      "The names of the fields that were corrected, as in POST /api/order/correct. GET /api/order returns their values. Only in `gift.corrected`.",
    credit_balance: "Your balance when the event was created. Only in `credit.low`.",
    alert_below: "The amount of the alert. Only in `credit.low`.",
    last_sequence:
      "The sequence of the last event that is still valid. 0 if none is. The sequences between it and this event are not used again. Only in `data.restored`.",
    metadata: "The order's `metadata`. Only in events of orders and gifts, if there is any.",
    external_id: "Your own id of the recipient. Only in events of one gift, if there is one.",
    recipient_metadata: "The recipient's `metadata`. Only in events of one gift, if there is any.",
  },

  Webhook: { _: "A webhook endpoint.", ...webhook },
  WebhookWithSecret: {
    _: "A webhook endpoint with its secret.",
    ...webhook,
    secret:
      "The key of the signatures: `whsec_` and 32 bytes in base64. Store it like a password. Anyone who has it can send events to you in our name.",
  },
  WebhookList: {
    _: "All your webhook endpoints.",
    status: "Always `success`.",
    webhooks: "The endpoints, oldest first. Deleted ones are not included.",
  },
  WebhookDeleted: { _: "The endpoint is deleted.", status: "Always `success`." },
  WebhookTest: {
    _: "The outcome of a test event.",
    status: "Always `success`, also if the endpoint did not accept the event.",
    delivered: "True if the endpoint's response had a 2xx status.",
    response_status: "HTTP status of the endpoint's response. Null if there was no response.",
    duration_ms: "Duration of the attempt in milliseconds.",
    response_text:
      "The beginning of the response's body, with spaces for control characters, or the reason why there was no response. May be empty.",
  },
  Delivery: {
    _: "The last attempt to send an event to an endpoint.",
    sequence: "The event's `sequence`.",
    type: "The event's `type`.",
    status:
      "`pending`: there will be another attempt. `delivered`: the endpoint has accepted the event. `failed`: all attempts have failed, and there will be no other.",
    attempts: "Number of attempts.",
    attempted_at: "When the last attempt was made, in UTC. Null if there was none.",
    next_attempt_at: "When the next attempt is due, in UTC. Null if `status` is not `pending`.",
    response_status:
      "HTTP status of the response to the last attempt. Null if there was no response.",
    duration_ms: "Duration of the last attempt in milliseconds. Null if there was none.",
    response_text:
      "The beginning of the response's body, with spaces for control characters, or the reason why there was no response. Null if there was no attempt.",
  },
  DeliveryList: {
    _: "A page of the delivery log, in descending order of `sequence`.",
    status: "Always `success`.",
    deliveries: "The deliveries.",
    next_before: "Send it as `before` to get older deliveries. Null if there are none.",
  },
  Redelivery: {
    _: "Events will be sent again.",
    status: "Always `success`.",
    webhook:
      "The endpoint. Its `position` is before the first event of `since_sequence`, or before the next event of an earlier redelivery that is being sent.",
  },
  CancelledOrder: {
    _: "An order after a cancellation.",
    status: "Always `success`.",
    order_data: "Id, number and reference of the order.",
    order_status: orderStatus,
    order_totals: "The total of the order, and the amount that was refunded for it.",
    recipients:
      "The gifts of `suborder_ids`, otherwise all gifts of the order, in ascending order of `suborder_id`.",
  },
  CancelledOrderData: {
    _: "Id, number and reference of an order.",
    order_id: "Identifies the order.",
    order_number: orderNumber,
    order_ref_id: orderReference,
  },
  CancelledOrderTotals: {
    _: "The total of an order and its refunds. Amounts are strings with exactly two decimal places.",
    currency: "ISO 4217 code of the currency of both amounts.",
    order_total: "The costs of the order. They never change.",
    refunded,
  },
  CancelledGift: {
    _: "A gift after a cancellation.",
    suborder_id: "Identifies the sub-order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    redemption_status:
      "`cancelled`: this or an earlier request cancelled the gift, its recipient declined it, or its order failed. `expired`: the gift has expired. `redeemed`: the recipient has accepted it. Null for a shipped gift of an order of POST /api/order, and in cancelled orders of Regalo's online store.",
  },
  OrderList: {
    _: "A page of orders.",
    status: "Always `success`.",
    orders: "The orders of this page.",
    next_cursor: "The `cursor` of the next page. Null if this page is the last one.",
  },
  ListedOrder: {
    _: "An order in a list. GET /api/order returns its recipients and further fields.",
    order_id: "Identifies the order.",
    order_number: orderNumber,
    order_ref_id: orderReference,
    order_date: orderDate,
    order_status: orderStatus,
    gift_order_method: giftOrderMethod,
    updated_at: updatedAt,
    order_totals: "The total of the order, and the refunds.",
    recipient_count: "Number of recipients.",
    redeemed_count: "Number of recipients who have redeemed their gift.",
    metadata: "The order's `metadata`. Empty if there is none.",
    cancelled_count: "Number of recipients whose gift was cancelled.",
    expired_count: "Number of recipients whose gift expired.",
    redeem_by: redeemBy,
  },
  ListedOrderTotals: {
    _: "The total of an order in a list, and its refunds. Amounts are strings with exactly two decimal places.",
    currency: "ISO 4217 code of the currency of both amounts.",
    order_total: "The costs of the order. They never change.",
    refunded,
  },

  ShipmentList: {
    _: "A page of shipments.",
    status: "Always `success`.",
    shipments: "The shipments of this page.",
    next_cursor:
      "The `cursor` of the next request. With `updated_from` it is always set, also on the last page: save it to read later changes. For an order, it is null on the last page.",
    has_more: "True if there are more shipments now. Then read the next page at once.",
  },
  Shipment: {
    _: "The shipment of a gift. Ids are numbers.",
    suborder_id: "Identifies the gift.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    order_id: "Identifies the order.",
    order_number: orderNumber,
    order_ref_id: "Your own reference for the order. Null for orders of Regalo's online store.",
    external_id: "Your own id of the recipient. Null if there is none.",
    shipment_status:
      "`open`: the gift is being prepared. `shipped`: the parcel has left. `delivered`: the parcel has arrived. `sent`: a digital gift was sent.",
    ...tracking,
    shipped_at:
      "When the parcel was shipped or the digital gift was sent, in UTC. Null if `shipment_status` is `open`.",
    delivered_at:
      "When the parcel was delivered, in UTC. Null if `shipment_status` is not `delivered`.",
    updated_at:
      "When the shipment last changed, in UTC. It is later than the times of all earlier changes of your shipments. Null if the gift was never shipped or sent.",
  },

  CreditBalance: {
    _: "A credit balance.",
    credit_balance: "The balance. 0 if there is no account in this currency.",
    currency: "ISO 4217 code of the balance's currency.",
    credit_balance_formatted: "The balance formatted for people, with the currency's symbol.",
  },
  SandboxOrder: { _: "The state of an order.", ...sandboxOrder },
  SandboxGift: {
    _: "The state of a gift and of its order.",
    ...sandboxOrder,
    suborder_id: "Identifies the gift.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    redemption_status: "`redeemed` or `expired`.",
  },
  SandboxShipment: {
    _: "The state of a shipment and of its order.",
    ...sandboxOrder,
    suborder_id: "Identifies the gift.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    shipment_status: "`shipped` or `delivered` for a parcel, `sent` for a digital gift.",
  },
  Error: {
    _: "Every error has this body.",
    status: "Always `error`.",
    message: "The reason, for people. The text may change: use `code` in programs.",
    code: "The reason, for programs. Codes do not change.",
    errors: "All invalid fields. Only if `code` is `validation_error`.",
  },
  FieldError: {
    _: "An invalid field, parameter or header.",
    field:
      "Path of the field, such as `recipient_details[0].email`, or the name of the parameter or header. Unknown names are as you sent them.",
    message: "The rule that the value breaks, such as `must be an e-mail address`.",
  },
};
