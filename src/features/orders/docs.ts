// Describes the endpoints that place and read orders.
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { AddressInput } from "../../core/address/address.ts";
import * as contract from "./contract.ts";
import { ORDER_STATUSES } from "./order.ts";
import * as responses from "./response.ts";
import {
  BY_EMAIL,
  FROM_COLLECTION,
  GIFT_CODES,
  GIFT_LINKS,
  GIFT_ORDER,
  GIFT_PAGE,
  GIFT_URLS,
  ORDER,
  ORDER_PAGE,
  PERSON,
  PLACED,
  QUOTE,
  SUB_ORDERS,
  WHOLE_ORDER,
  WHOLE_SUB_ORDERS,
  WITH_LAST_DAY,
} from "./samples.ts";

export const ORDER_TAG = {
  name: "Orders",
  description: "Place orders and gift-link orders, read orders, and cancel orders or gifts.",
};

/** The fields of which exactly one selects an order. */
export const ORDER_KEYS = {
  order_id: "The order's id.",
  order_number: "The order's number.",
  order_ref_id: "Your own reference for the order, exactly as you sent it.",
};

/** The same as query parameters. */
export const ORDER_PARAMETERS = {
  order_id: { description: ORDER_KEYS.order_id, example: 42 },
  order_number: { description: ORDER_KEYS.order_number, example: "GO-00042" },
  order_ref_id: { description: ORDER_KEYS.order_ref_id, example: "spring-2026-0001" },
};

/** Texts of fields that several responses have. */
export const TEXTS = {
  orderNumber:
    "Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`.",
  orderStatus:
    "`created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.",
  orderReference: "Your own reference for the order. Null for orders of Regalo's online store.",
  refunded:
    "The amount that the cancelled and expired gifts of the order have returned to your credit. Zero if the order was not paid with your credit.",
  suborderNumber: "The order's number, a hyphen and the recipient's position.",
};

/** The fields of an e-mail. */
export const EMAIL_TEXTS = {
  kind: "`invitation`: the link. `reminder`: some days later. `last_days`: in the week before the gift expires. `shipped`: the parcel is on its way. `code`: the code of a digital gift.",
  status:
    "`scheduled`: not sent yet. `sending`: given to the e-mail service, whose answer is not known yet, which takes some minutes at most. `retry`: an attempt failed, and another one follows. `failed`: not sent. `sent`: sent. What the receiving server reports then: `deferred`, `delivered`, `rejected`, `bounced`; `complained`: the recipient has marked it as spam.",
  at: "When it was sent or attempted. For a `scheduled` e-mail, when it will be sent if nothing changes.",
  reason:
    "The class of a failure, or `address_limit` for a `scheduled` e-mail that waits because its address gets no more on that day. Otherwise null.",
};

/** What a delivery needs, as a part of a sentence. */
export const REQUIRED_FIELDS =
  "`address_line_1` and `country`, and with `suburb` and `postcode_zipcode` where addresses in the country need them";

const METADATA =
  "Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces.";

const addressInput = {
  address_line_1: "Street and number.",
  address_line_2: "Unit, floor or company.",
  suburb: "Suburb, town or city.",
  state:
    "State or region, by a code or name. If neither a city nor a postcode is given, it must be one of the country's in [/addresses.json](/addresses.json).",
  postcode_zipcode:
    "Postal code. It must have the country's format, and is returned as it is written there. Required only where the postal authority requires it.",
  country:
    "Country: an ISO 3166-1 code of two or three letters, or its name in English or in its own language. Another text is refused.",
};

/** Rules of the data of people, which schemas cannot contain. */
const PERSON_TEXTS = {
  first_name:
    "First name. Required unless `last_name` is set: a person may have one name. It must have a letter, and no placeholder of a template. Styled and full-width letters become plain ones.",
  last_name: "Last name. The rules are those of `first_name`.",
  email:
    "E-mail address, without a name. Its domain may have letters of any script, and is returned in lower case.",
  phone_number:
    "Telephone number with six digits or more, in any format. It has no letters, but `x` or `ext` before an extension.",
};

const recipientInput = {
  ...PERSON_TEXTS,
  delivery_address: "Delivery address.",
  delivery_notes: "Notes for the delivery, which the recipient of a gift link can change.",
  external_id: "Your own id of the recipient. It need not be unique. Recipients do not see it.",
  metadata: `${METADATA} Recipients do not see it.`,
};

const orderRequest = {
  send_codes: "`false` if you deliver the codes of digital gifts yourself.",
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

const placedOrder = {
  order_data: "Id and number of the order.",
  order_totals: "The costs of the order.",
};

const orderDate = "When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC.";

const redeemBy = "The last day on which the gifts can be accepted. Null if they do not expire.";

const updatedAt =
  "When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed.";

const WITH_DETAILS = "Only with `include=details`.";
const WITH_CODES = "Only in GET /api/order with `include=codes`.";

const giftOrderMethod =
  "How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.";

const LEFT_HEADER = {
  "Regalo-Spending-Left": {
    description:
      "What the spending limits of the request's credentials leave. Only if there are some in the order's currency.",
    required: false,
    example: "AUD; order=200.00; month=847.12",
  },
};

const PLACEMENT_HEADERS = {
  "Regalo-Order-Status": {
    description:
      "The `order_status` of the order. `created`: it is not paid yet, and its gift links open a page that asks the recipient to come back later. The response to a repeated request has the present status, which may be some seconds old.",
    required: true,
    values: ORDER_STATUSES,
  },
  "Idempotent-Replayed": {
    description:
      "Set if an earlier request placed this order. The body is the same as in the response to that request.",
    required: false,
    values: ["true"],
  },
  ...LEFT_HEADER,
};

const PLACING = `This request is idempotent. If you send it again, at any time, you get the same response, and no second
order is placed. It is safe to repeat the request after a timeout. The response shows the order as it was placed:
GET /api/order returns its present state and links. A refused request does not use up its \`order_ref_id\`.`;

const orderShape = contract.OrderResponse().shape;
const subOrder = orderShape.recipients.def.element.shape;

export const orderDocs: FeatureDocs = {
  tag: ORDER_TAG,

  requests: {
    OrderRequest: described(contract.OrderRequest(), {
      _: "An order to be delivered. Unknown fields are ignored, unless they look misspelt or misplaced.",
      ...orderRequest,
    }),
    RecipientInput: described(contract.RecipientFields(), {
      _: "A recipient of the product.",
      ...recipientInput,
      delivery_address: `Delivery address. Required for a \`physical\` product, with ${REQUIRED_FIELDS}.`,
    }),
    AddressInput: described(AddressInput(), {
      _: "A delivery address.",
      ...addressInput,
    }),
    GiftLinkRequest: described(contract.GiftLinkRequest(), {
      _: "An order of gifts, with a link for each recipient. Unknown fields are ignored, unless they look misspelt or misplaced.",
      ...orderRequest,
      gift_of_choice: "`Y` if the recipient may choose another gift.",
      collection:
        "The collection from which recipients choose: an id of GET /api/collections. They can always accept the offered product, which need not be in it. Without it, they choose from the whole catalogue. Only with `gift_of_choice` `Y`. Refused if no recipient could choose anything at this price.",
      order_branding:
        "Branding of the gift page. `company` requires a branding in your company profile.",
      redeem_by:
        "The last day on which recipients can accept their gifts: from today, in UTC, to the same date in five years. Gifts that are not accepted expire when this day has ended everywhere on Earth, which is at noon UTC of the next day. Without it, they do not expire, unless a default is agreed for your company.",
      sender_name:
        "The person who sends the gifts, shown on the gift page beside the name of your company.",
      send_method:
        "`email`: we send each recipient an e-mail with the link, and reminders. `link`, the default: you send the links.",
      send_at:
        "When the e-mails are sent: a time with an offset, at most a year ahead and not after the last day. A time in the past means now, which is the default. Only with `send_method` `email`.",
    }),
    GiftLinkRecipientInput: described(
      contract.GiftLinkRequest().shape.recipient_details.def.element,
      {
        _: "A recipient of a gift link.",
        ...recipientInput,
        delivery_address:
          "Delivery address, if you have it. The recipient sees it on the gift page and can change it.",
        redemption_message: "Message to this recipient, shown on the gift page.",
        language:
          "The recipient's language, as a BCP 47 tag such as `de` or `pt-BR`. If the gift page is not available in this language, it is shown in a language of the recipient's browser or in English.",
      },
    ),
    QuoteRequest: described(contract.QuoteRequest(), {
      _: "An order that is not placed. Unknown fields are ignored, unless they look misspelt or misplaced.",
      product_id: orderRequest.product_id,
      variation_id: orderRequest.variation_id,
      currency: orderRequest.currency,
      base_location: orderRequest.base_location,
      qty: "Number of recipients.",
      gift_order_method:
        "`api-purchase` for an order by POST /api/order, `api-giftlink` for one by POST /api/gift-link.",
      gift_of_choice: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
      collection: "As in POST /api/gift-link. Only with `gift_of_choice` `Y`.",
      order_branding: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
      redeem_by: "As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`.",
    }),
  },

  responses: {
    Quote: described(contract.QuoteResponse(), {
      _: "The costs of an order that is not placed.",
      order_totals: "The costs of the order.",
      limit_sufficient:
        "False if `order_total` is above a spending limit of the request's credentials. A placement would then be refused with `spending_limit_exceeded`. Always true without limits.",
      credit_sufficient:
        "False if your credit is less than `order_total`. A placement would then be refused with `insufficient_credit`. Always true if you pay by invoice.",
      choices:
        "How many other products of the collection recipients could choose at present, at this price. Only with `collection`.",
      stock_sufficient:
        "False if the stock is less than `qty`. A placement would then be refused with `out_of_stock`.",
    }),
    CountryChoices: described(contract.CountryChoices(), {
      _: "The number of other products that recipients in a country could choose.",
      country: "A country to which some of them ship, or `base_location`.",
      product_count: "The number of products that ship there.",
    }),
    PlacedOrder: described(contract.PlacementResponse(), {
      _: "A placed order. Ids and amounts are numbers here.",
      ...placedOrder,
    }),
    PlacedOrderData: described(contract.PlacementResponse().shape.order_data, {
      _: "Id and number of a placed order.",
      order_id: "Identifies the order. Use it as `order_id` in GET /api/order.",
      order_number: TEXTS.orderNumber,
    }),
    PlacedTotals: described(contract.PlacementResponse().shape.order_totals, {
      _: "Totals as numbers.",
      ...totals,
    }),
    PlacedGiftLinks: described(contract.GiftLinkResponse(), {
      _: "A placed gift-link order with one link for each recipient.",
      ...placedOrder,
      recipient_return: "One entry for each recipient, in the same order as in the request.",
    }),
    GiftLink: described(contract.GiftLinkResponse().shape.recipient_return.def.element, {
      _: "A recipient's gift link.",
      suborder_id: "Identifies the recipient's part of the order.",
      suborder_number: TEXTS.suborderNumber,
      first_name: "First name.",
      last_name: "Last name.",
      email: "E-mail address.",
      gift_url:
        "Link to the page where the recipient accepts the gift. You send it to the recipient. Anyone who has the link can accept the gift.",
    }),
    Order: described(contract.OrderResponse(), {
      _: "An order. Ids and amounts are strings here. In the responses of POST /api/order and POST /api/gift-link they are numbers.",
      order_id: "Identifies the order, as a string.",
      order_number: TEXTS.orderNumber,
      order_date: orderDate,
      order_status: TEXTS.orderStatus,
      gift_order_method: giftOrderMethod,
      link_how_many_times:
        "How many times the link can be redeemed. Only if `gift_order_method` is `link`.",
      link_url:
        "The redemption URL. Only if `gift_order_method` is `link`. Null for credentials with the scope `read`.",
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
      order_ref_id: `${TEXTS.orderReference} ${WITH_DETAILS}`,
      collection: `The collection from which recipients choose. Null for the whole catalogue. ${WITH_DETAILS}`,
      redeem_by: `${redeemBy} ${WITH_DETAILS}`,
      updated_at: `${updatedAt} ${WITH_DETAILS}`,
      sender_name: `The order's \`sender_name\`. Null if there is none. ${WITH_DETAILS}`,
    }),
    OrderTotals: described(orderShape.order_totals, {
      _: "Totals as strings.",
      ...totals,
      refunded: `${TEXTS.refunded} ${WITH_DETAILS}`,
    }),
    BrandingOptions: described(orderShape.branding_options, {
      _: "The branding of the gift pages. Paths begin with `/` and are relative to the server that you called.",
      branding_logo: "Path or URL of the logo.",
      branding_claim_logo: "Path or URL of the logo on the gift page.",
      primary_color: "Hex colour.",
      secondary_color: "Hex colour.",
    }),
    ChosenProduct: described(orderShape.product_offered, {
      _: "A product, and a variation of it.",
      product_id: "Id of the product, as a string.",
      variation_id: "Id of the variation, as a string. Null for a `simple` product.",
    }),
    SubOrder: described(orderShape.recipients.def.element, {
      _: "One recipient's part of an order.",
      suborder_id: "Identifies the sub-order.",
      suborder_number: TEXTS.suborderNumber,
      recipient_details: "The recipient.",
      redemption_status:
        "Null for an open gift, and for a gift of an order of POST /api/order that is not cancelled. `redeemed`: the recipient has accepted the gift. `cancelled`: the gift was cancelled or declined, or its order failed. `expired`: the recipient has not accepted the gift in time.",
      product_selected:
        "The product that this recipient gets. It differs from `product_offered` if the recipient chose another gift.",
      external_id:
        "Your own id of the recipient. Null if there is none. In GET /api/order, only with `include=metadata`.",
      metadata:
        "The recipient's `metadata`. Empty if there is none. In GET /api/order, only with `include=metadata`.",
      thank_you:
        "The recipient's thank-you note. Null if there is none. In GET /api/order, only with `include=thank_you`.",
      emails:
        "The e-mails to the recipient, oldest first. Only in GET /api/order with `include=emails`.",
      redeem_by:
        "The last day on which this gift can be accepted: that of the order, unless we have changed it for this gift. Null if it does not expire. In GET /api/order, only with `include=details`.",
      code: `The code of a digital gift. Null without one. ${WITH_CODES}`,
      pin: `The PIN of the code. Null without one. ${WITH_CODES}`,
      url: `The link at which the code is used, or which is the gift itself. Null without one. ${WITH_CODES}`,
      valid_until: `The last day on which the code is valid. Null if it does not expire. ${WITH_CODES}`,
      code_status: `\`waiting\`: the gift is paid or accepted, and has no code yet. \`sent\`: it has its code. \`opened\`: its recipient has seen the code on the gift page. \`void\`: its code was withdrawn. Null for a physical gift, and for one that is not paid or not accepted. ${WITH_CODES}`,
    }),
    Email: described(contract.EmailResponse(), { _: "An e-mail to a recipient.", ...EMAIL_TEXTS }),
    ThankYou: described(contract.ThankYouResponse(), {
      _: "A recipient's thank-you note.",
      message:
        "The note, as plain text of at most 1,000 characters. May contain line breaks. Escape it before you show it, because the recipient can write any text.",
      created_at: "When the recipient sent the note, in RFC 3339 format and UTC.",
    }),
    RecipientDetails: described(subOrder.recipient_details, {
      _: "A recipient.",
      name: "The full name.",
      email: "E-mail address.",
      email_message: "Message to this recipient. May be empty.",
      delivery_address:
        "Delivery address. After a redemption, the address that the recipient entered.",
      phone_number: "`NA` if there is none.",
      delivery_notes: "Notes for the delivery.",
      gift_url:
        "The recipient's gift link. After a renewal, the new link. Only if `gift_order_method` is `api-giftlink`, and left out for credentials with the scope `read`.",
      delivery_email:
        "The e-mail address that the recipient entered for a digital gift. Null if the gift is sent to `email`. In GET /api/order, only with `include=delivery_email`.",
      language: `The recipient's \`language\`, as a BCP 47 tag in its usual form. Null if there is none. In GET /api/order, only with \`include=details\`.`,
    }),
    DeliveryAddress: described(subOrder.recipient_details.shape.delivery_address, {
      _: "A delivery address. Unknown fields are null.",
      ...addressInput,
    }),
    GiftList: described(contract.GiftListResponse(), {
      _: "A page of gifts of one person.",
      gifts: "The gifts of this page.",
      next_cursor: "The `cursor` of the next page. Null if this page is the last one.",
    }),
    Gift: described(contract.GiftResponse(), {
      _: "A gift, with the order that it is part of.",
      order_id: "Identifies the order.",
      order_number: TEXTS.orderNumber,
      order_ref_id: TEXTS.orderReference,
      order_date: orderDate,
      order_status: TEXTS.orderStatus,
      gift_order_method: giftOrderMethod,
      recipient:
        "The recipient, as in GET /api/order with all parts except the e-mails and the codes.",
    }),
    OrderList: described(contract.OrderListResponse(), {
      _: "A page of orders.",
      orders: "The orders of this page.",
      next_cursor: "The `cursor` of the next page. Null if this page is the last one.",
    }),
    ListedOrder: described(contract.ListedOrderResponse(), {
      _: "An order in a list. GET /api/order returns its recipients and further fields.",
      order_id: "Identifies the order.",
      order_number: TEXTS.orderNumber,
      order_ref_id: TEXTS.orderReference,
      order_date: orderDate,
      order_status: TEXTS.orderStatus,
      gift_order_method: giftOrderMethod,
      updated_at: updatedAt,
      order_totals: "The total of the order, and the refunds.",
      recipient_count: "Number of recipients.",
      redeemed_count: "Number of recipients who have redeemed their gift.",
      metadata: "The order's `metadata`. Empty if there is none.",
      cancelled_count: "Number of recipients whose gift was cancelled.",
      expired_count: "Number of recipients whose gift expired.",
      redeem_by: redeemBy,
      recipients:
        "The recipients, as in GET /api/order with all parts except the e-mails and the codes. Only with `expand=recipients`.",
    }),
    ListedOrderTotals: described(contract.ListedOrderResponse().shape.order_totals, {
      _: "The total of an order in a list, and its refunds.",
      currency: "ISO 4217 code of the currency of both amounts.",
      order_total: "The costs of the order. They never change.",
      refunded: TEXTS.refunded,
    }),
  },

  operations: [
    operation(contract.quoteOrder, contract.QuoteResponse(), {
      summary: "Quote an order",
      description: `Returns what an order would cost now, and whether the stock, your credit and the limits of
the credentials suffice. Nothing is reserved or changed, so stock, credit and prices may change before you place the order. If a placement would be refused
because of the product, the variation, the currency, the location or the branding, the response is the same error.
Recipients and their addresses are not part of a quote.`,
      requests: { quote: QUOTE },
      returns: "The costs of the order.",
      responseHeaders: LEFT_HEADER,
      responses: {
        quote: responses.quoteResponse({
          currency: PLACED.currency,
          totals: PLACED,
          creditSufficient: true,
          stockSufficient: true,
          limitSufficient: true,
          limits: null,
          choices: null,
        }),
      },
    }),
    operation(contract.placeOrder, contract.PlacementResponse(), {
      summary: "Place an order",
      description: `Orders one piece of a product for each recipient, delivered to the address in the request.

${PLACING}`,
      requests: { order: ORDER },
      returns: "The order is placed.",
      responses: { order: responses.placementResponse(PLACED) },
      responseHeaders: PLACEMENT_HEADERS,
    }),
    operation(contract.placeGiftLinks, contract.GiftLinkResponse(), {
      summary: "Place a gift-link order",
      description: `Orders one piece of a product for each recipient, and returns one redemption link for each of
them. You send the links. Delivery addresses are optional, because recipients enter theirs when they accept the gift.
With \`redeem_by\`, gifts that are not accepted by the end of this day expire, and their stock and credit are returned.

${PLACING}`,
      requests: {
        giftLinks: GIFT_LINKS,
        withLastDay: WITH_LAST_DAY,
        byEmail: BY_EMAIL,
        fromCollection: FROM_COLLECTION,
      },
      returns: "The order is placed.",
      responses: {
        giftLinks: responses.giftLinkResponse(PLACED, GIFT_LINKS.recipient_details, GIFT_URLS),
      },
      responseHeaders: PLACEMENT_HEADERS,
    }),
    operation(contract.getOrder, contract.OrderResponse(), {
      summary: "Get an order",
      description:
        "Returns one of your orders. Set exactly one of the three parameters that identify it.",
      query: {
        ...ORDER_PARAMETERS,
        include: {
          description:
            "What the response also contains, separated by commas. `metadata`: `metadata` of the order, and `external_id` and `metadata` of each recipient. `thank_you`: the thank-you note of each recipient. `delivery_email`: the e-mail address that a recipient entered for a digital gift. `details`: `order_ref_id`, `collection`, `redeem_by`, `updated_at`, `sender_name`, the refunds, and the `language` of each recipient. `emails`: the e-mails to each recipient. `codes`: the code of each digital gift, with the scope `order`, not for tools.",
          example: "metadata,thank_you",
        },
      },
      sample: ["order_ref_id"],
      returns: "The order.",
      responses: {
        giftLinks: responses.orderResponse(GIFT_ORDER, SUB_ORDERS, GIFT_URLS),
        withAllParts: responses.orderResponse(
          WHOLE_ORDER,
          WHOLE_SUB_ORDERS,
          GIFT_URLS,
          contract.INCLUDES,
          { codes: GIFT_CODES },
        ),
      },
    }),
    operation(contract.listOrders, contract.OrderListResponse(), {
      summary: "List orders",
      description: `Returns a page of your orders, newest first. With \`order_ref_id_prefix\`, the orders are in
ascending order of \`order_ref_id\` instead, and no other filter may be set. \`redemption_status\` may be combined with
\`created_from\` and \`created_until\`. All other filters may be combined.

To read the whole list, send the request again with \`cursor\` set to the \`next_cursor\` of the response, until
\`next_cursor\` is null. Orders that are placed while you read the list do not move the others: each order is returned
once.`,
      query: {
        order_status: {
          description: "Only orders with this status. `cancieled` is the API's spelling.",
          example: "paid",
        },
        gift_order_method: {
          description: "Only orders that were placed this way.",
          example: "api-giftlink",
        },
        created_from: {
          description:
            "Only orders that were placed at this time or later: a day in UTC, or an RFC 3339 timestamp with `Z` or an offset. Write the `+` of an offset as `%2B`.",
          example: "2026-09-01",
        },
        created_until: {
          description: "Only orders that were placed before this time, in the same formats.",
          example: "2026-10-01T00:00:00Z",
        },
        redemption_status: {
          description:
            "`redeemed`: only orders with a gift that is redeemed. `cancelled`: only orders with a gift that is cancelled. `expired`: only orders with a gift that is expired. `unredeemed`: only orders with a gift that is neither redeemed, cancelled nor expired.",
          example: "unredeemed",
        },
        order_ref_id_prefix: {
          description:
            "Only orders whose `order_ref_id` starts with this text, compared exactly. The list is in ascending order of `order_ref_id`.",
          example: "spring-2026-",
        },
        expand: {
          description:
            "`recipients`: each order also has its recipients. A page then ends with the order that brings them to 1,000 or more.",
          example: "recipients",
        },
        limit: { description: "Maximum number of orders on the page.", example: 50 },
        cursor: {
          description:
            "The `next_cursor` of the previous page, with the same filters. Leave it out for the first page.",
          example: ORDER_PAGE.nextCursor,
        },
      },
      sample: ["order_status", "limit"],
      returns: "A page of orders.",
      responses: {
        page: responses.orderListResponse(ORDER_PAGE),
        withRecipients: responses.orderListResponse(
          { orders: GIFT_PAGE.found.map(({ order }) => order), nextCursor: null },
          GIFT_PAGE.found,
        ),
      },
    }),
    operation(contract.listRecipients, contract.GiftListResponse(), {
      summary: "List the gifts of a person",
      description: `Returns the gifts of one person in all your orders, those of the order with the highest \`order_id\`
first. Set exactly one of \`external_id\` and \`email\`. They are compared with the recipient's present values, \`email\`
without regard to case.

To read all gifts, send the request again with \`cursor\` set to the \`next_cursor\` of the response, until
\`next_cursor\` is null.`,
      query: {
        external_id: {
          description: "Your own id of the recipient.",
          example: PERSON.external_id,
        },
        email: {
          description: "The e-mail address of the recipient.",
          example: PERSON.email,
        },
        limit: { description: "Maximum number of gifts on the page.", example: 50 },
        cursor: {
          description:
            "The `next_cursor` of the previous page, with the same `external_id` or `email`. Leave it out for the first page.",
          example: ORDER_PAGE.nextCursor,
        },
      },
      sample: ["external_id"],
      returns: "A page of gifts.",
      responses: { page: responses.giftListResponse(GIFT_PAGE) },
    }),
  ],
};
