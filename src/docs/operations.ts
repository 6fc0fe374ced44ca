// The paths of the document: parameters, bodies and answers of each endpoint.
import type * as z from "zod";
import { PageQuery, ProductQuery } from "../catalogue/wire.ts";
import { BalanceQuery } from "../credit/wire.ts";
import type { ErrorCode } from "../api-error.ts";
import { CHALLENGE } from "../http/security-headers.ts";
import { STATUS } from "../http/error-status.ts";
import { OrderQuery } from "../orders/wire.ts";
import { COMMON_ERRORS, ERROR_MEANINGS } from "./error-codes.ts";
import { type AnswerExamples, errorExample, REQUEST_EXAMPLES } from "./examples.ts";
import { type ComponentName, querySchemas, ref } from "./schemas.ts";

interface Parameter {
  description: string;
  example: string | number;
  required?: true;
  /** A blank value means the same as none. */
  allowEmptyValue?: true;
}

interface Operation {
  path: string;
  method: "get" | "post";
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  query?: {
    schema: z.core.$ZodObject;
    parameters: Record<string, Parameter>;
    /** Names of the parameters in the sample request. */
    sample: string[];
  };
  /** Request headers besides those of security. */
  headers?: Record<string, Parameter>;
  body?: { schema: ComponentName; examples: Record<string, unknown> };
  answer: { schema: ComponentName; description: string; examples: Record<string, unknown> };
  /** Headers of the 200 answer; those that are always there are `required`. */
  answerHeaders?: Record<string, { description: string; required: boolean; value?: string }>;
  /** Answers without a body, by status. */
  emptyAnswers?: Record<string, string>;
  /** In addition to `COMMON_ERRORS`. */
  errors: ErrorCode[];
}

const CACHE_CONTROL = "Answers are for your client only. Shared caches must not store them.";

/** The three headers of every request. The examples are the local demo client's. */
const CREDENTIALS = [
  { name: "CLIENT-ID", description: "Identifies your client.", example: "demo" },
  { name: "API-KEY", description: "First half of your secret.", example: "demo-key" },
  { name: "API-PASSWORD", description: "Second half of your secret.", example: "demo-password" },
];

const CREDENTIAL_OPTIONS = CREDENTIALS.map(
  ({ name }) => `-H "${name}: $${name.replace("-", "_")}"`,
);

/**
 * The headers as `security`. Tools that support one scheme only, such as Postman's import, take the first: what
 * they call the API key is ours.
 */
export const SECURITY = [{ "API-KEY": [], "CLIENT-ID": [], "API-PASSWORD": [] }];

export const SECURITY_SCHEMES = Object.fromEntries(
  CREDENTIALS.map(({ name, description }) => [
    name,
    { type: "apiKey", in: "header", name, description },
  ]),
);

/** The headers once more as parameters, for the same tools. Not `required`: others take them from `security`. */
export const CREDENTIAL_PARAMETERS = Object.fromEntries(
  CREDENTIALS.map(({ name, ...parameter }) => [
    name,
    { name, in: "header", required: false, ...parameter, schema: { type: "string" } },
  ]),
);

const PLACING_ERRORS: ErrorCode[] = [
  "invalid_json",
  "product_id_required",
  "validation_error",
  "insufficient_credit",
  "out_of_stock",
  "order_ref_conflict",
  "payload_too_large",
  "unsupported_media_type",
  "product_not_found",
  "variation_not_found",
  "variation_required",
  "variation_not_allowed",
  "currency_not_available",
  "location_not_available",
];

const REPLAYED = {
  "Idempotent-Replayed": {
    description: "Set if an earlier request placed this order. The answer is the same as then.",
    required: false,
    value: "true",
  },
};

const PLACING = `If you send the same request again, at any time, you get the same answer and no second order. So
it is safe to repeat it after a timeout. A refused request does not use up its \`order_ref_id\`.`;

function operations(examples: AnswerExamples): Operation[] {
  return [
    {
      path: "/api/products",
      method: "get",
      operationId: "listProducts",
      tag: "Catalogue",
      summary: "List products",
      description: `Returns a page of your catalogue in ascending order of \`product_id\`. A page, and a 304, may be
up to a minute old, or 5 minutes while our database cannot be reached. Stock in the list is therefore a hint: it is
checked when you order. A newly published catalogue is listed within a minute. Answers are compressed with gzip for
callers that accept it.`,
      query: {
        schema: PageQuery(),
        sample: ["limit"],
        parameters: {
          limit: { description: "Products per page.", example: 50 },
          page: { description: "Page number. A page past the end is empty.", example: 1 },
          product_type: {
            description: "Only products of this kind. Leave it out or blank for all products.",
            example: "physical",
            allowEmptyValue: true,
          },
        },
      },
      headers: {
        "If-None-Match": {
          description:
            "The `ETag` of a page you have. If the page is still the same, the answer is 304.",
          example: 'W/"1f0c3a5e7b9d2468ace013579bdf0246"',
        },
      },
      answer: {
        schema: "ProductList",
        description: "A page of products.",
        examples: { page: examples.productList },
      },
      answerHeaders: {
        ETag: {
          description: "Identifies this content of the page, for `If-None-Match`.",
          required: true,
        },
        Vary: {
          description: "The answer depends on the encodings that the caller accepts.",
          required: true,
          value: "Accept-Encoding",
        },
      },
      emptyAnswers: { "304": "The page that you have is still the same." },
      errors: ["validation_error"],
    },
    {
      path: "/api/product",
      method: "get",
      operationId: "getProduct",
      tag: "Catalogue",
      summary: "Get a product",
      description: "Returns one product of your catalogue, with its stock at this moment.",
      query: {
        schema: ProductQuery(),
        sample: ["product_id"],
        parameters: {
          product_id: {
            description: "The product's id.",
            example: REQUEST_EXAMPLES.order.product_id,
            required: true,
          },
        },
      },
      answer: {
        schema: "Product",
        description: "The product.",
        examples: { simple: examples.simpleProduct, variable: examples.variableProduct },
      },
      errors: ["product_id_required", "validation_error", "not_found"],
    },
    {
      path: "/api/order",
      method: "post",
      operationId: "placeOrder",
      tag: "Orders",
      summary: "Place an order",
      description: `Orders one piece of a product for each recipient, delivered to the address in the request.

${PLACING}`,
      body: { schema: "OrderRequest", examples: { order: REQUEST_EXAMPLES.order } },
      answer: {
        schema: "PlacedOrder",
        description: "The order is placed.",
        examples: { order: examples.placedOrder },
      },
      answerHeaders: REPLAYED,
      errors: PLACING_ERRORS,
    },
    {
      path: "/api/gift-link",
      method: "post",
      operationId: "placeGiftLinks",
      tag: "Orders",
      summary: "Place a gift-link order",
      description: `Orders one piece of a product for each recipient, and returns one redemption link for each. You send
the links to the recipients. Addresses are optional, since recipients enter theirs when they accept the gift.

${PLACING}`,
      body: { schema: "GiftLinkRequest", examples: { giftLinks: REQUEST_EXAMPLES.giftLinks } },
      answer: {
        schema: "PlacedGiftLinks",
        description: "The order is placed.",
        examples: { giftLinks: examples.placedGiftLinks },
      },
      answerHeaders: REPLAYED,
      errors: [...PLACING_ERRORS, "branding_not_available"],
    },
    {
      path: "/api/order",
      method: "get",
      operationId: "getOrder",
      tag: "Orders",
      summary: "Get an order",
      description: "Returns one of your orders. Set exactly one of the three parameters.",
      query: {
        schema: OrderQuery(),
        sample: ["order_ref_id"],
        parameters: {
          order_id: { description: "The order's id.", example: 42 },
          order_number: { description: "The order's number.", example: "GO-00042" },
          order_ref_id: {
            description: "Your own reference of the order, exactly as you sent it.",
            example: REQUEST_EXAMPLES.order.order_ref_id,
          },
        },
      },
      answer: {
        schema: "Order",
        description: "The order.",
        examples: { giftLinks: examples.order },
      },
      errors: ["validation_error", "not_found"],
    },
    {
      path: "/api/credit-balance",
      method: "get",
      operationId: "getCreditBalance",
      tag: "Credit",
      summary: "Get the credit balance",
      description: "Returns your credit in one currency at this moment.",
      query: {
        schema: BalanceQuery(),
        sample: ["currency"],
        parameters: {
          currency: {
            description: "ISO 4217 code. Without it, the answer is in your client's own currency.",
            example: REQUEST_EXAMPLES.order.currency,
          },
        },
      },
      answer: {
        schema: "CreditBalance",
        description: "The balance.",
        examples: { balance: examples.creditBalance },
      },
      errors: ["validation_error"],
    },
  ];
}

export const TAGS = [
  { name: "Catalogue", description: "The products that you can order." },
  { name: "Orders", description: "Place orders and gift links, and read them back." },
  { name: "Credit", description: "What you can spend on orders." },
];

export function paths(examples: AnswerExamples): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations(examples)) {
    (paths[operation.path] ??= {})[operation.method] = toOpenApi(operation);
  }
  return paths;
}

function toOpenApi(operation: Operation) {
  const { answer, body } = operation;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curl(operation) }],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref(body.schema), ...named(body.examples) } },
      },
    }),
    responses: {
      "200": {
        description: answer.description,
        headers: { ...COMMON_HEADERS, ...headers(operation.answerHeaders) },
        content: { "application/json": { schema: ref(answer.schema), ...named(answer.examples) } },
      },
      ...Object.fromEntries(
        Object.entries(operation.emptyAnswers ?? {}).map(([status, description]) => [
          status,
          { description, headers: { ...COMMON_HEADERS, ...headers(operation.answerHeaders) } },
        ]),
      ),
      ...errorResponses(operation.errors),
      ...Object.fromEntries(
        COMMON_ERRORS.map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }]),
      ),
    },
  };
}

function parameters({ query, headers = {} }: Operation) {
  const inQuery = Object.entries(query ? querySchemas(query.schema) : {}).map(([name, schema]) => {
    const parameter = query?.parameters[name];
    if (!parameter) throw new Error(`parameter ${name} is not described`);
    return { name, in: "query", required: false, ...parameter, schema };
  });
  const inHeader = Object.entries(headers).map(([name, parameter]) => ({
    name,
    in: "header",
    required: false,
    ...parameter,
    schema: { type: "string" },
  }));
  const credentials = CREDENTIALS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inQuery, ...inHeader, ...credentials];
}

/** A request that works as it stands, with the variables that the guide sets. */
function curl({ path, query, body }: Operation): string {
  const sent = query?.sample.map((name) => `${name}=${String(query.parameters[name]?.example)}`);
  const url = `$REGALO_URL${path}${sent ? `?${sent.join("&")}` : ""}`;
  const lines = [`curl "${url}"`, ...CREDENTIAL_OPTIONS];
  if (body) {
    const [example] = Object.values(body.examples);
    lines.push(
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(example, null, 2).replaceAll("\n", "\n  ")}'`,
    );
  }
  return lines.join(" \\\n  ");
}

function named(examples: Record<string, unknown>) {
  return {
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { value }]),
    ),
  };
}

function headers(described: NonNullable<Operation["answerHeaders"]> = {}) {
  return Object.fromEntries(
    Object.entries(described).map(([name, { value, ...header }]) => [
      name,
      { ...header, schema: { type: "string", ...(value !== undefined && { enum: [value] }) } },
    ]),
  );
}

const COMMON_HEADERS = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "Cache-Control": { $ref: "#/components/headers/Cache-Control" },
};

export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the request. Give it when you ask us about an answer.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Cache-Control": {
    description: CACHE_CONTROL,
    required: true,
    schema: { type: "string", enum: ["private, no-store", "private, no-cache"] },
  },
};

/** The answers of `COMMON_ERRORS`, each as a component. */
export function commonResponses() {
  return Object.fromEntries(
    COMMON_ERRORS.map((code) => [code, errorResponses([code])[STATUS[code]]]),
  );
}

/** Codes whose answers say in Retry-After when to try again. */
const TRY_LATER: ErrorCode[] = ["too_many_requests", "service_unavailable"];

/** One response for each status. Its description and its examples name the codes that have the status. */
function errorResponses(codes: ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => STATUS[code] === status);
      return [
        status,
        {
          description: here.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join("\n\n"),
          headers: {
            ...COMMON_HEADERS,
            ...(here.includes("unauthorized") &&
              headers({
                "WWW-Authenticate": {
                  description: "Names the three headers that a request needs.",
                  required: true,
                  value: CHALLENGE,
                },
              })),
            ...(here.some((code) => TRY_LATER.includes(code)) &&
              headers({
                "Retry-After": { description: "Seconds to wait.", required: true },
              })),
          },
          content: {
            "application/json": {
              schema: ref("Error"),
              ...named(
                Object.fromEntries(
                  here.map((code) => [code, errorExample(code, ERROR_MEANINGS[code])]),
                ),
              ),
            },
          },
        },
      ];
    }),
  );
}
