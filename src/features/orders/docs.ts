// Describes the endpoints that place and read orders.
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
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
  PLACED,
  QUOTE,
  SAMPLE_GIFTS,
  WHOLE_GIFTS,
  WHOLE_ORDER,
  WITH_LAST_DAY,
} from "./samples.ts";

export const ORDER_TAG = {
  name: "Orders",
  description: "Place orders and gift-link orders, read orders, and cancel orders or gifts.",
};

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

export const orderDocs: FeatureDocs = {
  tag: ORDER_TAG,

  operations: [
    operation(contract.quoteOrder, {
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
    operation(contract.placeOrder, {
      summary: "Place an order",
      description: `Orders one piece of a product for each recipient, delivered to the address in the request.

${PLACING}`,
      requests: { order: ORDER },
      returns: "The order is placed.",
      responses: { order: responses.placementResponse(PLACED) },
      responseHeaders: PLACEMENT_HEADERS,
    }),
    operation(contract.placeGiftLinks, {
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
    operation(contract.getOrder, {
      summary: "Get an order",
      description:
        "Returns one of your orders. Set exactly one of the three parameters that identify it.",
      sample: ["order_ref_id"],
      returns: "The order.",
      responses: {
        giftLinks: responses.orderResponse(GIFT_ORDER, SAMPLE_GIFTS, GIFT_URLS),
        withAllParts: responses.orderResponse(
          WHOLE_ORDER,
          WHOLE_GIFTS,
          GIFT_URLS,
          contract.INCLUDES,
          { codes: GIFT_CODES },
        ),
      },
    }),
    operation(contract.listOrders, {
      summary: "List orders",
      description: `Returns a page of your orders, newest first. With \`order_ref_id_prefix\`, the orders are in
ascending order of \`order_ref_id\` instead, and no other filter may be set. \`redemption_status\` may be combined with
\`created_from\` and \`created_until\`. All other filters may be combined.

To read the whole list, send the request again with \`cursor\` set to the \`next_cursor\` of the response, until
\`next_cursor\` is null. Orders that are placed while you read the list do not move the others: each order is returned
once.`,
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
    operation(contract.listRecipients, {
      summary: "List the gifts of a person",
      description: `Returns the gifts of one person in all your orders, those of the order with the highest \`order_id\`
first. Set exactly one of \`external_id\` and \`email\`. They are compared with the recipient's present values, \`email\`
without regard to case.

To read all gifts, send the request again with \`cursor\` set to the \`next_cursor\` of the response, until
\`next_cursor\` is null.`,
      sample: ["external_id"],
      returns: "A page of gifts.",
      responses: { page: responses.giftListResponse(GIFT_PAGE) },
    }),
  ],
};
