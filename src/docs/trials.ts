// Trials: requests that partners can send in the sandbox, and the expected responses. The guide shows them as a table,
// and a test sends each of them.
import type { ErrorCode } from "../api-error.ts";
import { STATUS } from "../http/error-status.ts";
import { CANCELLED_DEMO_GIFT, REQUEST_EXAMPLES } from "./examples.ts";

export interface Trial {
  /** The case that the request demonstrates, in a few words. */
  title: string;
  /** A request to send first, with the same order_ref_id. */
  first?: Call;
  call: Call;
  response: { code: ErrorCode } | { shows: string; expect: (response: TrialResponse) => boolean };
  /** The request needs an order of the local demo data. */
  localOnly?: true;
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
  "POST /api/quote": REQUEST_EXAMPLES.quote,
  "POST /api/gift-link/renew": REQUEST_EXAMPLES.renewal,
  "POST /api/webhook": REQUEST_EXAMPLES.webhook,
};

/** The example request of the endpoint, with the changes of the call. An order gets the `reference`. */
export function bodyOf({ request, changes, recipients, raw }: Call, reference: string) {
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
    ...changes,
  });
}

const gift = (changes: Record<string, unknown> = {}): Call => ({
  request: "POST /api/gift-link",
  changes,
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
    title: "A failed order",
    call: { request: "GET /api/order?order_id=4" },
    response: {
      shows: '`"order_status": "failed"`',
      expect: ({ json }) => field(json, "order_status") === "failed",
    },
    localOnly: true,
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
    title: "A renewed link",
    call: { request: "POST /api/gift-link/renew" },
    response: {
      shows: "a link with another number",
      expect: ({ json }) => /-[1-9][0-9]*-/.test(JSON.stringify(field(json, "recipient"))),
    },
    localOnly: true,
  },
  {
    title: "The link of a cancelled gift",
    call: {
      request: "POST /api/gift-link/renew",
      changes: { suborder_id: CANCELLED_DEMO_GIFT },
    },
    response: { code: "not_renewable" },
    localOnly: true,
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

/** Error codes that partners cannot cause with a request, so they have no trial. */
export const CODES_WITHOUT_TRIAL: ErrorCode[] = [
  "forbidden",
  "internal_error",
  "service_unavailable",
];

/** The table as Markdown. `limit` is the number of requests a minute that the sandbox allows. */
export function trialTable(limit: number): string {
  const rows = TRIALS.map(({ title, first, call, response, localOnly }) => {
    const shown =
      "code" in response ? `${STATUS[response.code]} \`${response.code}\`` : response.shows;
    const where = localOnly ? " (local demo data only)" : "";
    const before = first ? `${describe(first, limit)}; then, with the same \`order_ref_id\`, ` : "";
    return `| ${title}${where} | ${before}${describe(call, limit)} | ${shown} |`;
  });
  return ["| Case | Request | Response |", "|---|---|---|", ...rows].join("\n");
}

/** JSON with spaces, so that table cells can wrap. */
const spaced = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\s+/g, " ");

function describe({ request, headers, changes, recipients, raw, untilLimit }: Call, limit: number) {
  const differences = [
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
