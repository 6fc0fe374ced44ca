// Descriptions and examples of the operations. Their paths, parameters and schemas are in the contracts.
import { getProduct, listProducts } from "../features/catalogue/contract.ts";
import { getCreditBalance } from "../features/credit/contract.ts";
import { listEvents, MAX_PAGE_EVENTS } from "../features/events/contract.ts";
import type { Endpoint } from "../platform/http/endpoint.ts";
import { ORDER_STATUSES } from "../features/orders/order.ts";
import { fulfilmentOperations } from "./fulfilment-operations.ts";
import {
  getOrder,
  listOrders,
  placeGiftLinks,
  placeOrder,
  quoteOrder,
} from "../features/orders/contract.ts";
import { REQUEST_EXAMPLES, type ResponseExamples } from "./examples.ts";
import { lifecycleOperations } from "./lifecycle-operations.ts";
import type { REQUESTS, RESPONSES } from "./schemas.ts";
import { SANDBOX_TAG, sandboxOperations } from "./sandbox-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

export interface Parameter {
  description: string;
  example: string | number;
  required?: true;
  /** A blank value means the same as leaving the parameter out. */
  allowEmptyValue?: true;
}

export interface Operation {
  endpoint: Endpoint;
  tag: string;
  summary: string;
  description: string;
  query?: {
    parameters: Record<string, Parameter>;
    /** Names of the parameters in the sample request. */
    sample: string[];
  };
  /** Request headers in addition to the credentials. */
  headers?: Record<string, Parameter>;
  body?: { schema: keyof typeof REQUESTS; examples: Record<string, unknown> };
  response: {
    schema: keyof typeof RESPONSES;
    description: string;
    examples: Record<string, unknown>;
  };
  /** Headers of the 200 response. The `required` ones are always set. */
  responseHeaders?: Record<
    string,
    { description: string; required: boolean; values?: readonly string[] }
  >;
  /** Responses without a body, by status. */
  emptyResponses?: Record<string, string>;
}

export const TAGS = [
  { name: "Catalogue", description: "The products that you can order." },
  {
    name: "Orders",
    description: "Place orders and gift-link orders, read orders, and cancel orders or gifts.",
  },
  { name: "Events", description: "What happened to your orders, gifts and credit." },
  {
    name: "Webhooks",
    description: "Your endpoints, to which we send events as they occur.",
  },
  { name: "Credit", description: "Your prepaid credit." },
  {
    name: SANDBOX_TAG,
    description:
      "Change the state of your orders and gifts to test your program. These operations exist only in the sandbox.",
  },
];

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
};

const PLACING = `This request is idempotent. If you send it again, at any time, you get the same response, and no second
order is placed. It is safe to repeat the request after a timeout. The response shows the order as it was placed:
GET /api/order returns its present state and links. A refused request does not use up its \`order_ref_id\`.`;

/** The operations in the order of the document. `examples` are examples of responses. */
export function operations(examples: ResponseExamples): Operation[] {
  return [
    {
      endpoint: listProducts,
      tag: "Catalogue",
      summary: "List products",
      description: `Returns a page of your catalogue in ascending order of \`product_id\`. A page may be up
to a minute old, or up to 5 minutes if our database cannot be reached. This includes 304 responses. The stock in the
list may therefore have changed. It is checked when you order. A newly published catalogue is listed within a minute.
Responses are compressed with gzip if the request accepts it.`,
      query: {
        sample: ["limit"],
        parameters: {
          limit: { description: "Products per page.", example: 50 },
          page: { description: "Page number. A page past the end is empty.", example: 1 },
          product_type: {
            description:
              "Only products of this type. All products if the parameter is left out or blank.",
            example: "physical",
            allowEmptyValue: true,
          },
        },
      },
      headers: {
        "If-None-Match": {
          description:
            "The `ETag` of a page that you have. If the page has not changed, the response is 304.",
          example: 'W/"1f0c3a5e7b9d2468ace013579bdf0246"',
        },
      },
      response: {
        schema: "ProductList",
        description: "A page of products.",
        examples: { page: examples.productList },
      },
      responseHeaders: {
        ETag: {
          description: "Identifies the content of this page. Use it in `If-None-Match`.",
          required: true,
        },
        Vary: {
          description: "The response depends on the encodings that the request accepts.",
          required: true,
          values: ["Accept-Encoding"],
        },
      },
      emptyResponses: { "304": "The page that you have has not changed." },
    },
    {
      endpoint: getProduct,
      tag: "Catalogue",
      summary: "Get a product",
      description: "Returns one product of your catalogue, with its current stock.",
      query: {
        sample: ["product_id"],
        parameters: {
          product_id: {
            description: "The product's id.",
            example: REQUEST_EXAMPLES.order.product_id,
            required: true,
          },
        },
      },
      response: {
        schema: "Product",
        description: "The product.",
        examples: { simple: examples.simpleProduct, variable: examples.variableProduct },
      },
    },
    {
      endpoint: quoteOrder,
      tag: "Orders",
      summary: "Quote an order",
      description: `Returns what an order would cost now, and whether the stock and your credit suffice. Nothing is
reserved or changed, so stock, credit and prices may change before you place the order. If a placement would be refused
because of the product, the variation, the currency, the location or the branding, the response is the same error.
Recipients and their addresses are not part of a quote.`,
      body: { schema: "QuoteRequest", examples: { quote: REQUEST_EXAMPLES.quote } },
      response: {
        schema: "Quote",
        description: "The costs of the order.",
        examples: { quote: examples.quote },
      },
    },
    {
      endpoint: placeOrder,
      tag: "Orders",
      summary: "Place an order",
      description: `Orders one piece of a product for each recipient, delivered to the address in the request.

${PLACING}`,
      body: { schema: "OrderRequest", examples: { order: REQUEST_EXAMPLES.order } },
      response: {
        schema: "PlacedOrder",
        description: "The order is placed.",
        examples: { order: examples.placedOrder },
      },
      responseHeaders: PLACEMENT_HEADERS,
    },
    {
      endpoint: placeGiftLinks,
      tag: "Orders",
      summary: "Place a gift-link order",
      description: `Orders one piece of a product for each recipient, and returns one redemption link for each of
them. You send the links. Delivery addresses are optional, because recipients enter theirs when they accept the gift.
With \`redeem_by\`, gifts that are not accepted by the end of this day expire, and their stock and credit are returned.

${PLACING}`,
      body: {
        schema: "GiftLinkRequest",
        examples: {
          giftLinks: REQUEST_EXAMPLES.giftLinks,
          withLastDay: REQUEST_EXAMPLES.giftLinksWithLastDay,
        },
      },
      response: {
        schema: "PlacedGiftLinks",
        description: "The order is placed.",
        examples: { giftLinks: examples.placedGiftLinks },
      },
      responseHeaders: PLACEMENT_HEADERS,
    },
    {
      endpoint: getOrder,
      tag: "Orders",
      summary: "Get an order",
      description:
        "Returns one of your orders. Set exactly one of the three parameters that identify it.",
      query: {
        sample: ["order_ref_id"],
        parameters: {
          order_id: { description: "The order's id.", example: 42 },
          order_number: { description: "The order's number.", example: "GO-00042" },
          order_ref_id: {
            description: "Your own reference for the order, exactly as you sent it.",
            example: REQUEST_EXAMPLES.order.order_ref_id,
          },
          include: {
            description:
              "What the response also contains, separated by commas. `metadata`: `metadata` of the order, and `external_id` and `metadata` of each recipient. `thank_you`: the thank-you note of each recipient. `delivery_email`: the e-mail address that a recipient entered for a digital gift. `details`: `order_ref_id`, `redeem_by`, `updated_at`, `sender_name`, the refunds, and the `language` of each recipient.",
            example: "metadata,thank_you",
          },
        },
      },
      response: {
        schema: "Order",
        description: "The order.",
        examples: {
          giftLinks: examples.order,
          withAllParts: examples.wholeOrder,
        },
      },
    },
    {
      endpoint: listOrders,
      tag: "Orders",
      summary: "List orders",
      description: `Returns a page of your orders, newest first. With \`order_ref_id_prefix\`, the orders are in
ascending order of \`order_ref_id\` instead. All filters may be combined.

To read the whole list, send the request again with \`cursor\` set to the \`next_cursor\` of the response, until
\`next_cursor\` is null. A page may have fewer orders than \`limit\`, or none, although more orders follow. This
happens with \`order_status\`, \`gift_order_method\` and \`redemption_status\`, and if \`order_ref_id_prefix\` is combined with
another filter, because one request then reads at most 1,000 orders. Orders that are placed while you read the list do not move the others: each order is
returned once.`,
      query: {
        sample: ["order_status", "limit"],
        parameters: {
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
          limit: { description: "Maximum number of orders on the page.", example: 50 },
          cursor: {
            description:
              "The `next_cursor` of the previous page, with the same filters. Leave it out for the first page.",
            example: examples.orderList.next_cursor as string,
          },
        },
      },
      response: {
        schema: "OrderList",
        description: "A page of orders.",
        examples: { page: examples.orderList },
      },
    },
    ...lifecycleOperations(examples),
    ...fulfilmentOperations(examples),
    {
      endpoint: listEvents,
      tag: "Events",
      summary: "List events",
      description: `Returns your events whose \`sequence\` is greater than \`after\`, in ascending order. Your first event
has the sequence 1, and the sequences have no gaps, except before a \`data.restored\`. Store \`next_after\` with the events, and send it as \`after\` in
the next request. If you read the feed this way, you get every event exactly once. Events are kept without a time
limit, and they contain no personal data except the tracking of parcels, and what you put into \`metadata\` and
\`external_id\`.

If \`after\` is greater than the sequence of your last event, the response is a \`validation_error\`.`,
      query: {
        sample: ["after"],
        parameters: {
          after: {
            description:
              "The `sequence` of the last event that you have. The default, 0, is the beginning of the feed.",
            example: 0,
          },
          limit: {
            description: `Maximum number of events in the response, at most ${String(MAX_PAGE_EVENTS)}.`,
            example: 100,
          },
        },
      },
      response: {
        schema: "EventList",
        description: "The events after `after`. The list is empty if there are none yet.",
        examples: { events: examples.events },
      },
    },
    ...webhookOperations(examples),
    {
      endpoint: getCreditBalance,
      tag: "Credit",
      summary: "Get the credit balance",
      description: "Returns your current credit in one currency.",
      query: {
        sample: ["currency"],
        parameters: {
          currency: {
            description:
              "ISO 4217 code. If it is left out, the currency is the default currency of your client.",
            example: REQUEST_EXAMPLES.order.currency,
          },
        },
      },
      response: {
        schema: "CreditBalance",
        description: "The balance.",
        examples: { balance: examples.creditBalance },
      },
    },
    ...sandboxOperations(examples),
  ];
}
