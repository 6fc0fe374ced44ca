// Requests and their answers, for partners who test in the sandbox. The guide shows them as a table, and a test
// sends each of them.
import type { ErrorCode } from "../api-error.ts";
import { STATUS } from "../http/error-status.ts";
import { REQUEST_EXAMPLES } from "./examples.ts";

export interface Trial {
  /** What the row shows, in a few words. */
  title: string;
  /** A request that is sent before, with the same order_ref_id. */
  first?: Call;
  call: Call;
  answer: { code: ErrorCode } | { shows: string; expect: (answer: TrialAnswer) => boolean };
  /** Needs an order of the local demo data. */
  localOnly?: true;
}

export interface TrialAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

export interface Call {
  request: `${"GET" | "POST" | "DELETE"} /api/${string}`;
  headers?: Record<string, string>;
  /** Changes to the example request of the endpoint. An undefined field is left out. */
  changes?: Record<string, unknown>;
  /** Number of recipients, each of them the first of the example. */
  recipients?: number;
  /** A body that is not JSON. `tell` describes it. */
  raw?: { body: string; tell: string };
  /** Repeated until the rate limit refuses it. */
  untilLimit?: true;
}

/** The endpoint's example request with the call's changes and a reference of its own. */
export function bodyOf({ request, changes, recipients, raw }: Call, reference: string) {
  if (raw) return raw.body;
  if (!request.startsWith("POST")) return undefined;
  const { order, giftLinks } = REQUEST_EXAMPLES;
  const example = request === "POST /api/order" ? order : giftLinks;
  return JSON.stringify({
    ...example,
    order_ref_id: reference,
    ...(recipients && {
      recipient_details: Array.from({ length: recipients }, () => example.recipient_details[0]),
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
    answer: { shows: "two gift links", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "A repeated request",
    first: gift(),
    call: gift(),
    answer: {
      shows: "the first answer, with `Idempotent-Replayed: true`",
      expect: ({ headers }) => headers.get("Idempotent-Replayed") === "true",
    },
  },
  {
    title: "A reference with different content",
    first: gift(),
    call: gift({ gift_of_choice: "N" }),
    answer: { code: "order_ref_conflict" },
  },
  { title: "Out of stock", call: gift({ product_id: 1006 }), answer: { code: "out_of_stock" } },
  {
    title: "Fewer left than recipients",
    call: gift({ product_id: 1005 }),
    answer: { code: "out_of_stock" },
  },
  {
    title: "Credit too low (for a balance below 223,080.00 AUD)",
    call: { ...gift({ product_id: 1048, variation_id: 20058 }), recipients: 500 },
    answer: { code: "insufficient_credit" },
  },
  {
    title: "Null in an optional field",
    call: gift({ variation_id: null }),
    answer: { shows: "two gift links", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "An order in another currency (with credit in it)",
    call: gift({ product_id: 1057, currency: "USD", base_location: "US" }),
    answer: { shows: "totals in USD", expect: ({ json }) => links(json) === 2 },
  },
  {
    title: "A currency that is not the product's",
    call: gift({ currency: "USD" }),
    answer: { code: "currency_not_available" },
  },
  {
    title: "A country where the product is not available",
    call: gift({ base_location: "US" }),
    answer: { code: "location_not_available" },
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
    answer: { code: "validation_error" },
  },
  {
    title: "An unknown product",
    call: gift({ product_id: 999999 }),
    answer: { code: "product_not_found" },
  },
  {
    title: "A variable product without its variation",
    call: gift({ product_id: 1003 }),
    answer: { code: "variation_required" },
  },
  {
    title: "A variation of another product",
    call: gift({ product_id: 1003, variation_id: 20005 }),
    answer: { code: "variation_not_found" },
  },
  {
    title: "A variation that is sold out",
    call: gift({ product_id: 1003, variation_id: 20003 }),
    answer: { code: "out_of_stock" },
  },
  {
    title: "A simple product with a variation",
    call: gift({ variation_id: 20001 }),
    answer: { code: "variation_not_allowed" },
  },
  {
    title: "A company branding that is not set up",
    call: gift({ order_branding: "company" }),
    answer: { code: "branding_not_available" },
  },
  {
    title: "No `product_id`",
    call: gift({ product_id: undefined }),
    answer: { code: "product_id_required" },
  },
  {
    title: "Invalid fields",
    call: gift({ currency: "aud", base_location: undefined }),
    answer: { code: "validation_error" },
  },
  {
    title: "A physical product without an address",
    call: {
      request: "POST /api/order",
      changes: {
        recipient_details: [{ first_name: "Ada", last_name: "Byron", email: "ada@example.com" }],
      },
    },
    answer: { code: "validation_error" },
  },
  {
    title: "A body that is not JSON",
    call: { request: "POST /api/order", raw: { body: "{", tell: "the body `{`" } },
    answer: { code: "invalid_json" },
  },
  {
    title: "Another media type",
    call: { request: "POST /api/order", headers: { "Content-Type": "text/plain" } },
    answer: { code: "unsupported_media_type" },
  },
  {
    title: "A body that is too large",
    call: {
      request: "POST /api/order",
      raw: { body: " ".repeat(2_000_000), tell: "two million spaces" },
    },
    answer: { code: "payload_too_large" },
  },
  {
    title: "A product that does not exist",
    call: { request: "GET /api/product?product_id=999999" },
    answer: { code: "not_found" },
  },
  {
    title: "An order that does not exist",
    call: { request: "GET /api/order?order_ref_id=never-placed" },
    answer: { code: "not_found" },
  },
  {
    title: "A failed order",
    call: { request: "GET /api/order?order_id=4" },
    answer: {
      shows: '`"order_status": "failed"`',
      expect: ({ json }) => field(json, "order_status") === "failed",
    },
    localOnly: true,
  },
  {
    title: "A cancelled order",
    call: { request: "GET /api/order?order_id=5" },
    answer: {
      shows: '`"order_status": "cancieled"`',
      expect: ({ json }) => field(json, "order_status") === "cancieled",
    },
    localOnly: true,
  },
  {
    title: "A page past the end",
    call: { request: "GET /api/products?page=1000" },
    answer: {
      shows: "an empty list",
      expect: ({ json }) => field(json, "total_products_in_query") === 0,
    },
  },
  {
    title: "A page that you have already",
    call: { request: "GET /api/products", headers: { "If-None-Match": "*" } },
    answer: { shows: "304, without a body", expect: ({ status }) => status === 304 },
  },
  {
    title: "A currency without credit",
    call: { request: "GET /api/credit-balance?currency=JPY" },
    answer: { shows: "a balance of 0", expect: ({ json }) => field(json, "credit_balance") === 0 },
  },
  {
    title: "A method that the path does not have",
    call: { request: "DELETE /api/order" },
    answer: { code: "method_not_allowed" },
  },
  {
    title: "Wrong credentials",
    call: { request: "GET /api/products", headers: { "API-PASSWORD": "wrong" } },
    answer: { code: "unauthorized" },
  },
  {
    title: "Too many requests",
    call: { request: "GET /api/credit-balance", untilLimit: true },
    answer: { code: "too_many_requests" },
  },
];

function links(json: unknown): number {
  const recipients = field(json, "recipient_return");
  return Array.isArray(recipients) ? recipients.length : 0;
}

/** Codes that no request of a partner causes. */
export const UNPROVOKED: ErrorCode[] = ["forbidden", "internal_error", "service_unavailable"];

/** The table as Markdown. `limit` is the requests a minute that the sandbox allows. */
export function trialTable(limit: number): string {
  const rows = TRIALS.map(({ title, first, call, answer, localOnly }) => {
    const shown = "code" in answer ? `${STATUS[answer.code]} \`${answer.code}\`` : answer.shows;
    const where = localOnly ? " (local demo data only)" : "";
    const before = first ? `${tell(first, limit)}; then, with the same \`order_ref_id\`, ` : "";
    return `| ${title}${where} | ${before}${tell(call, limit)} | ${shown} |`;
  });
  return ["| To see | Send | Answer |", "|---|---|---|", ...rows].join("\n");
}

/** JSON that can be broken into lines. */
const spaced = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\s+/g, " ");

function tell({ request, headers, changes, recipients, raw, untilLimit }: Call, limit: number) {
  const differences = [
    ...Object.entries(changes ?? {}).map(([name, value]) =>
      value === undefined ? `no \`${name}\`` : `\`"${name}": ${spaced(value)}\``,
    ),
    ...(recipients ? [`${String(recipients)} recipients`] : []),
    ...(raw ? [raw.tell] : []),
    ...Object.entries(headers ?? {}).map(([name, value]) => `\`${name}: ${value}\``),
  ];
  const sent = untilLimit ? ` more than ${String(limit)} times a minute` : "";
  return `\`${request}\`${sent}${differences.length > 0 ? ` with ${differences.join(", ")}` : ""}`;
}
