// Trials: requests that partners can send in the sandbox, and the expected responses. The guide shows them as a table,
// and a test sends each of them.
import type { ErrorCode } from "../core/api-error.ts";
import { STATUS } from "../platform/http/error-response.ts";
import { SIMULATE_HEADER, SLOW_MS } from "../features/sandbox/simulated-faults.ts";
import { SECOND_MS } from "../core/values/time.ts";
import { REQUEST_EXAMPLES } from "./examples.ts";

export interface Trial {
  /** The case that the request demonstrates, in a few words. */
  title: string;
  /** Requests to send first, with the same order_ref_id. */
  first?: Call | Call[];
  call: Call;
  response: { code: ErrorCode } | { shows: string; expect: (response: TrialResponse) => boolean };
  /** The request needs an order of the local demo data. */
  localOnly?: true;
  /** The request needs a client that pays by invoice. */
  invoice?: true;
}

export interface TrialResponse {
  status: number;
  headers: Headers;
  json: unknown;
}

export interface Call {
  request: `${"GET" | "POST" | "DELETE"} /api/${string}`;
  headers?: Record<string, string>;
  /** Changes to the example request of the endpoint. An undefined field is left out. */
  changes?: Record<string, unknown>;
  /**
   * The body has the `order_ref_id` of the order that was placed first, the `suborder_id` of its first gift, or both, in
   * addition to `changes`.
   */
  selects?: keyof typeof SELECTIONS;
  /** Number of recipients. Each is a copy of the example's first recipient. */
  recipients?: number;
  /** A body that is not JSON, and its description for the table. */
  raw?: { body: string; description: string };
  /** The request is repeated until the rate limit refuses it. */
  untilLimit?: true;
}

const BODIES: Record<string, object> = {
  "POST /api/order": REQUEST_EXAMPLES.order,
  "POST /api/gift-link": REQUEST_EXAMPLES.giftLinks,
  "POST /api/order/cancel": { order_ref_id: REQUEST_EXAMPLES.giftLinks.order_ref_id },
  "POST /api/quote": REQUEST_EXAMPLES.quote,
  "POST /api/gift-link/renew": REQUEST_EXAMPLES.renewal,
  "POST /api/order/correct": REQUEST_EXAMPLES.correction,
  "POST /api/webhook": REQUEST_EXAMPLES.webhook,
};

/**
 * The example request of the endpoint, with the changes of the call. An order gets the `reference`. `suborderId` is that
 * of the first gift that was placed first.
 */
export function bodyOf(
  { request, changes, recipients, selects, raw }: Call,
  reference: string,
  suborderId?: number,
) {
  if (raw) return raw.body;
  if (!request.startsWith("POST")) return undefined;
  const example = BODIES[request] ?? {};
  return JSON.stringify({
    ...example,
    ...("order_ref_id" in example && { order_ref_id: reference }),
    ...(recipients && {
      recipient_details: Array.from(
        { length: recipients },
        () => REQUEST_EXAMPLES.order.recipient_details[0],
      ),
    }),
    ...(selects === "gift" && { suborder_id: suborderId }),
    ...(selects === "order" && { order_ref_id: reference }),
    ...(selects === "gift of the order" && {
      order_ref_id: reference,
      suborder_ids: [suborderId],
    }),
    ...changes,
  });
}

const gift = (changes: Record<string, unknown> = {}): Call => ({
  request: "POST /api/gift-link",
  changes,
});

const cancel = (changes: Record<string, unknown> = {}): Call => ({
  request: "POST /api/order/cancel",
  changes,
});

const pay: Call = { request: "POST /api/sandbox/pay-order", selects: "order" };
const fail: Call = { request: "POST /api/sandbox/fail-order", selects: "order" };
const redeem: Call = { request: "POST /api/sandbox/redeem-gift", selects: "gift" };
const expire: Call = { request: "POST /api/sandbox/expire-gift", selects: "gift" };

const ship: Call = { request: "POST /api/sandbox/ship-gift", selects: "gift" };
const deliver: Call = { request: "POST /api/sandbox/deliver-gift", selects: "gift" };

const correct: Call = { request: "POST /api/order/correct", selects: "gift" };

const renew: Call = { request: "POST /api/gift-link/renew", selects: "gift" };

/** A request with a simulated fault. */
const simulate = (fault: string): Call => ({
  request: "GET /api/credit-balance",
  headers: { [SIMULATE_HEADER]: fault },
});

/** A response whose field has this value. */
const showing = (name: string, value: string): Trial["response"] => ({
  shows: `\`"${name}": "${value}"\``,
  expect: ({ json }) => field(json, name) === value,
});

const field = (json: unknown, name: string) => (json as Record<string, unknown>)[name];

export const TRIALS: Trial[] = [
  {
    title: "A placed order",
    call: gift(),
    response: { shows: "two gift links", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "A repeated request",
    first: gift(),
    call: gift(),
    response: {
      shows: "the first response, with `Idempotent-Replayed: true`",
      expect: ({ headers }) => headers.get("Idempotent-Replayed") === "true",
    },
  },
  {
    title: "An order that you will pay by invoice",
    call: gift(),
    invoice: true,
    response: {
      shows: "the header `Regalo-Order-Status: created`",
      expect: ({ headers }) => headers.get("Regalo-Order-Status") === "created",
    },
  },
  {
    title: "A reference with different content",
    first: gift(),
    call: gift({ gift_of_choice: "N" }),
    response: { code: "order_ref_conflict" },
  },
  { title: "Out of stock", call: gift({ product_id: 1006 }), response: { code: "out_of_stock" } },
  {
    title: "Less stock than recipients",
    call: gift({ product_id: 1005 }),
    response: { code: "out_of_stock" },
  },
  {
    title: "Credit too low (for a balance below 223,080.00 AUD)",
    call: { ...gift({ product_id: 1048, variation_id: 20058 }), recipients: 500 },
    response: { code: "insufficient_credit" },
  },
  {
    title: "A quote for more than the stock",
    call: { request: "POST /api/quote", changes: { product_id: 1006 } },
    response: {
      shows: '`"stock_sufficient": false`',
      expect: ({ json }) => field(json, "stock_sufficient") === false,
    },
  },
  {
    title: "A quote for a country where the product is not available",
    call: { request: "POST /api/quote", changes: { base_location: "US" } },
    response: { code: "location_not_available" },
  },
  {
    title: "Null in an optional field",
    call: gift({ variation_id: null }),
    response: { shows: "two gift links", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "An order in another currency (with credit in it)",
    call: gift({ product_id: 1057, currency: "USD", base_location: "US" }),
    response: { shows: "totals in USD", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "A currency that is not the product's",
    call: gift({ currency: "USD" }),
    response: { code: "currency_not_available" },
  },
  {
    title: "A country where the product is not available",
    call: gift({ base_location: "US" }),
    response: { code: "location_not_available" },
  },
  {
    title: "A recipient in a country where the product is not available",
    call: gift({
      recipient_details: [
        {
          first_name: "Ada",
          last_name: "Byron",
          email: "ada@example.com",
          delivery_address: { country: "Germany" },
        },
      ],
    }),
    response: { code: "validation_error" },
  },
  {
    title: "An unknown product",
    call: gift({ product_id: 999999 }),
    response: { code: "product_not_found" },
  },
  {
    title: "A variable product without its variation",
    call: gift({ product_id: 1003 }),
    response: { code: "variation_required" },
  },
  {
    title: "A variation of another product",
    call: gift({ product_id: 1003, variation_id: 20005 }),
    response: { code: "variation_not_found" },
  },
  {
    title: "A variation that is sold out",
    call: gift({ product_id: 1003, variation_id: 20003 }),
    response: { code: "out_of_stock" },
  },
  {
    title: "A simple product with a variation",
    call: gift({ variation_id: 20001 }),
    response: { code: "variation_not_allowed" },
  },
  {
    title: "A company branding that is not set up",
    call: gift({ order_branding: "company" }),
    response: { code: "branding_not_available" },
  },
  {
    title: "Gifts with a last day",
    call: gift({ redeem_by: REQUEST_EXAMPLES.giftLinksWithLastDay.redeem_by }),
    response: { shows: "two gift links", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "A last day in the past",
    call: gift({ redeem_by: "2020-01-31" }),
    response: { code: "validation_error" },
  },
  {
    title: "A last day that does not exist",
    call: gift({ redeem_by: "2030-02-30" }),
    response: { code: "validation_error" },
  },
  {
    title: "No `product_id`",
    call: gift({ product_id: undefined }),
    response: { code: "product_id_required" },
  },
  {
    title: "Invalid fields",
    call: gift({ currency: "aud", base_location: undefined }),
    response: { code: "validation_error" },
  },
  {
    title: "Metadata with a value that is not a string",
    call: gift({ metadata: { cost_centre: 4711 } }),
    response: { code: "validation_error" },
  },
  {
    title: "A physical product without an address",
    call: {
      request: "POST /api/order",
      changes: {
        recipient_details: [{ first_name: "Ada", last_name: "Byron", email: "ada@example.com" }],
      },
    },
    response: { code: "validation_error" },
  },
  {
    title: "A body that is not JSON",
    call: { request: "POST /api/order", raw: { body: "{", description: "the body `{`" } },
    response: { code: "invalid_json" },
  },
  {
    title: "Another media type",
    call: { request: "POST /api/order", headers: { "Content-Type": "text/plain" } },
    response: { code: "unsupported_media_type" },
  },
  {
    title: "A body that is too large",
    call: {
      request: "POST /api/order",
      raw: { body: " ".repeat(2_000_000), description: "two million spaces as the body" },
    },
    response: { code: "payload_too_large" },
  },
  {
    title: "A product that does not exist",
    call: { request: "GET /api/product?product_id=999999" },
    response: { code: "not_found" },
  },
  {
    title: "An order that does not exist",
    call: { request: "GET /api/order?order_ref_id=never-placed" },
    response: { code: "not_found" },
  },
  {
    title: "An order whose invoice is paid",
    first: gift(),
    call: pay,
    response: showing("order_status", "paid"),
    invoice: true,
  },
  {
    title: "An order whose invoice is not paid",
    first: gift(),
    call: fail,
    response: showing("order_status", "failed"),
    invoice: true,
  },
  {
    title: "A payment of a failed order",
    first: [gift(), fail],
    call: pay,
    response: { code: "not_allowed_in_state" },
    invoice: true,
  },
  {
    title: "A redeemed gift",
    first: gift(),
    call: redeem,
    response: showing("redemption_status", "redeemed"),
  },
  {
    title: "An expired gift",
    first: gift(),
    call: expire,
    response: showing("redemption_status", "expired"),
  },
  {
    title: "An expiry of a redeemed gift",
    first: [gift(), redeem],
    call: expire,
    response: { code: "not_allowed_in_state" },
  },
  {
    title: "A shipped gift",
    first: [gift(), redeem],
    call: {
      ...ship,
      changes: { carrier: "Australia Post", tracking_url: "https://carrier.example/33ABC0012345" },
    },
    response: showing("shipment_status", "shipped"),
  },
  {
    title: "A delivered gift",
    first: [gift(), redeem, ship],
    call: deliver,
    response: showing("shipment_status", "delivered"),
  },
  {
    title: "A shipment of a gift that is not redeemed",
    first: gift(),
    call: ship,
    response: { code: "not_allowed_in_state" },
  },
  {
    title: "A delivery of a gift that is not shipped",
    first: [gift(), redeem],
    call: deliver,
    response: { code: "not_allowed_in_state" },
  },
  {
    title: "A tracking URL without https",
    first: [gift(), redeem],
    call: { ...ship, changes: { tracking_url: "http://carrier.example/33ABC0012345" } },
    response: { code: "validation_error" },
  },
  {
    title: "The shipments of an order that does not exist",
    call: { request: "GET /api/shipments?order_ref_id=never-placed" },
    response: { code: "not_found" },
  },
  {
    title: "Shipments that will change in the future",
    call: { request: "GET /api/shipments?updated_from=2099-01-01" },
    response: {
      shows: '`"shipments": []`, `"has_more": false` and a `next_cursor`',
      expect: ({ json }) =>
        length(field(json, "shipments")) === 0 && typeof field(json, "next_cursor") === "string",
    },
  },
  {
    title: "A list of shipments without an order or a time",
    call: { request: "GET /api/shipments" },
    response: { code: "validation_error" },
  },
  {
    title: "A cancelled order",
    call: { request: "GET /api/order?order_id=5" },
    response: {
      shows: '`"order_status": "cancieled"`',
      expect: ({ json }) => field(json, "order_status") === "cancieled",
    },
    localOnly: true,
  },
  {
    title: "Cancelling an order",
    first: gift(),
    call: cancel(),
    response: {
      shows: '`"order_status": "cancieled"`, and all of the total `refunded`',
      expect: ({ json }) => field(json, "order_status") === "cancieled",
    },
  },
  {
    title: "Cancelling one of two gifts",
    first: gift(),
    call: { ...cancel(), selects: "gift of the order" },
    response: {
      shows: '`"order_status": "paid"`, and half of the total `refunded`',
      expect: ({ json }) =>
        field(json, "order_status") === "paid" && length(field(json, "recipients")) === 1,
    },
  },
  {
    title: "Cancelling a cancelled order again",
    call: cancel({ order_ref_id: undefined, order_id: 5 }),
    response: {
      shows: "the order, unchanged",
      expect: ({ json }) => field(json, "order_status") === "cancieled",
    },
    localOnly: true,
  },
  {
    title: "Cancelling a redeemed gift",
    call: cancel({ order_ref_id: undefined, order_id: 3, suborder_ids: [3001] }),
    response: { code: "not_cancellable" },
    localOnly: true,
  },
  {
    title: "Cancelling a failed order",
    call: cancel({ order_ref_id: undefined, order_id: 4 }),
    response: { code: "not_cancellable" },
    localOnly: true,
  },
  {
    title: "Cancelling a gift of another order",
    first: gift(),
    call: cancel({ suborder_ids: [3001] }),
    response: { code: "validation_error" },
  },
  {
    title: "Cancelling an order that does not exist",
    call: cancel({ order_ref_id: "never-placed" }),
    response: { code: "not_found" },
  },
  {
    title: "A corrected address",
    first: gift(),
    call: correct,
    response: {
      shows: "the corrected data",
      expect: ({ json }) =>
        JSON.stringify(field(json, "recipient")).includes(
          REQUEST_EXAMPLES.correction.delivery_address.address_line_1,
        ),
    },
  },
  {
    title: "Correcting a gift that is shipped",
    first: [gift(), redeem, ship],
    call: correct,
    response: { code: "not_correctable" },
  },
  {
    title: "A renewed link",
    first: gift(),
    call: renew,
    response: {
      shows: "another `gift_url`",
      expect: ({ json }) => /-[1-9][0-9]*-/.test(JSON.stringify(field(json, "recipient"))),
    },
  },
  {
    title: "The link of a cancelled gift",
    first: [gift(), { ...cancel(), selects: "gift of the order" }],
    call: renew,
    response: { code: "not_renewable" },
  },
  {
    title: "The link of a gift that does not exist",
    call: { request: "POST /api/gift-link/renew", changes: { suborder_id: 999999001 } },
    response: { code: "not_found" },
  },
  {
    title: "The newest order",
    first: gift(),
    call: { request: "GET /api/orders?limit=1" },
    response: {
      shows: "the order that was placed last",
      expect: ({ json }) => length(field(json, "orders")) === 1,
    },
  },
  {
    title: "Orders of a day without orders",
    call: { request: "GET /api/orders?created_from=2020-01-01&created_until=2020-01-02" },
    response: {
      shows: '`"orders": []` and `"next_cursor": null`',
      expect: ({ json }) =>
        length(field(json, "orders")) === 0 && field(json, "next_cursor") === null,
    },
  },
  {
    title: "Orders with an expired gift",
    call: { request: "GET /api/orders?redemption_status=expired" },
    response: {
      shows: "the orders with an `expired_count` above 0",
      expect: ({ status }) => status === 200,
    },
  },
  {
    title: "A day that does not exist",
    call: { request: "GET /api/orders?created_from=2026-02-30" },
    response: { code: "validation_error" },
  },
  {
    title: "A cursor that is not a `next_cursor`",
    call: { request: "GET /api/orders?cursor=page-2" },
    response: { code: "validation_error" },
  },
  {
    title: "A page past the end",
    call: { request: "GET /api/products?page=1000" },
    response: {
      shows: "an empty list",
      expect: ({ json }) => field(json, "total_products_in_query") === 0,
    },
  },
  {
    title: "A page that has not changed",
    call: { request: "GET /api/products", headers: { "If-None-Match": "*" } },
    response: { shows: "304, without a body", expect: ({ status }) => status === 304 },
  },
  {
    title: "The first event, after an order was placed",
    call: { request: "GET /api/events?limit=1" },
    response: {
      shows: "the event with the sequence 1",
      expect: ({ json }) =>
        JSON.stringify(field(json, "events")).startsWith('[{"sequence":1,') &&
        field(json, "next_after") === 1,
    },
  },
  {
    title: "A position beyond the last event",
    call: { request: "GET /api/events?after=999999999" },
    response: { code: "validation_error" },
  },
  {
    title: "A webhook endpoint",
    call: { request: "POST /api/webhook" },
    response: {
      shows: "the endpoint with its `secret`",
      expect: ({ json }) => String(field(json, "secret")).startsWith("whsec_"),
    },
  },
  {
    title: "A webhook endpoint in a private network",
    call: { request: "POST /api/webhook", changes: { url: "https://192.168.0.10/events" } },
    response: { code: "validation_error" },
  },
  {
    title: "A webhook endpoint that does not exist",
    call: { request: "GET /api/webhook?webhook_id=999999" },
    response: { code: "not_found" },
  },
  {
    title: "A currency without credit",
    call: { request: "GET /api/credit-balance?currency=JPY" },
    response: {
      shows: "a balance of 0",
      expect: ({ json }) => field(json, "credit_balance") === 0,
    },
  },
  {
    title: "A method that the path does not support",
    call: { request: "DELETE /api/order" },
    response: { code: "method_not_allowed" },
  },
  {
    title: "Wrong credentials",
    call: { request: "GET /api/products", headers: { "API-PASSWORD": "wrong" } },
    response: { code: "unauthorized" },
  },
  {
    title: "A service that is temporarily unavailable",
    call: simulate("service_unavailable"),
    response: { code: "service_unavailable" },
  },
  {
    title: "An unexpected error",
    call: simulate("internal_error"),
    response: { code: "internal_error" },
  },
  {
    title: "A suspended client",
    call: simulate("forbidden"),
    response: { code: "forbidden" },
  },
  {
    title: "A rate limit that is exceeded",
    call: simulate("too_many_requests"),
    response: { code: "too_many_requests" },
  },
  {
    title: "A slow response",
    call: simulate("slow"),
    response: {
      shows: `the usual response, after ${String(SLOW_MS / SECOND_MS)} seconds`,
      expect: ({ json }) => field(json, "credit_balance") !== undefined,
    },
  },
  {
    title: "A fault that cannot be simulated",
    call: simulate("not_found"),
    response: { code: "validation_error" },
  },
  {
    title: "Too many requests",
    call: { request: "GET /api/credit-balance", untilLimit: true },
    response: { code: "too_many_requests" },
  },
];

function links(json: unknown): number {
  return length(field(json, "recipient_return"));
}

function length(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** The requests of a trial in the order in which they are sent. */
export const callsOf = ({ first = [], call }: Trial): Call[] => [first, call].flat();

/** The table as Markdown. `limit` is the number of requests a minute that the sandbox allows. */
export function trialTable(limit: number): string {
  const rows = TRIALS.map((trial) => {
    const { title, response, localOnly, invoice } = trial;
    const shown =
      "code" in response ? `${STATUS[response.code]} \`${response.code}\`` : response.shows;
    const where = localOnly ? " (local demo data only)" : "";
    const who = invoice ? " (for a client that pays by invoice)" : "";
    const sent = callsOf(trial).map((call, index) => {
      const repeats = index > 0 && "order_ref_id" in (BODIES[call.request] ?? {});
      return `${repeats ? "with the same `order_ref_id`, " : ""}${describe(call, limit)}`;
    });
    return `| ${title}${where}${who} | ${sent.join("; then ")} | ${shown} |`;
  });
  return ["| Case | Request | Response |", "|---|---|---|", ...rows].join("\n");
}

/** JSON with spaces, so that table cells can wrap. */
const spaced = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\s+/g, " ");

const SELECTIONS = {
  order: "the `order_ref_id` of the order",
  gift: "the `suborder_id` of its first gift",
  "gift of the order":
    "its `order_ref_id` and the `suborder_id` of its first gift in `suborder_ids`",
};

function describe(
  { request, headers, changes, selects, recipients, raw, untilLimit }: Call,
  limit: number,
) {
  const differences = [
    ...(selects ? [SELECTIONS[selects]] : []),
    ...Object.entries(changes ?? {}).map(([name, value]) =>
      value === undefined ? `no \`${name}\`` : `\`"${name}": ${spaced(value)}\``,
    ),
    ...(recipients ? [`${String(recipients)} recipients`] : []),
    ...(raw ? [raw.description] : []),
    ...Object.entries(headers ?? {}).map(([name, value]) => `\`${name}: ${value}\``),
  ];
  const sent = untilLimit ? ` more than ${String(limit)} times a minute` : "";
  return `\`${request}\`${sent}${differences.length > 0 ? ` with ${differences.join(", ")}` : ""}`;
}
