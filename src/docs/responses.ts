// The parts of the document that all operations share: headers of responses, and errors.
import type { ErrorCode } from "../core/api-error.ts";
import { CHALLENGE } from "../features/clients/authenticate.ts";
import { BOOKMARK_HEADER } from "../platform/http/bookmark.ts";
import {
  BOOKMARK_OF_RESPONSE,
  COMMON_ERRORS,
  ERROR_CODES,
  errorExample,
  ERROR_MEANINGS,
} from "../platform/http/docs.ts";
import type { ResponseHeader } from "../platform/http/documentation.ts";
import { ErrorResponse, STATUS } from "../platform/http/error-response.ts";
import { openList, ref } from "./json-schema.ts";

export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the request. Include it when you write to us about a response.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Cache-Control": {
    description: "Responses are for your client only. Shared caches must not store them.",
    required: true,
    schema: { type: "string", ...openList(["private, no-store", "private, no-cache"]) },
  },
  "RateLimit-Policy": {
    description:
      "Your rate limit: `q` requests in `w` seconds. Set on every response to a request with valid credentials. The number of remaining requests is not available.",
    required: false,
    schema: { type: "string", pattern: '^"client";q=[0-9]+;w=60$' },
  },
};

/** The headers of some responses. */
export const SHARED_HEADERS = {
  [BOOKMARK_HEADER]: {
    description: BOOKMARK_OF_RESPONSE,
    required: false,
    schema: { type: "string" },
  },
};

export const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** The headers of a response: those of all responses, and its own. */
export function headers(own: Record<string, ResponseHeader> = {}) {
  const common = Object.assign({}, ...Object.keys(HEADERS).map(headerRef)) as object;
  const described = Object.entries(own).map(([name, { values, ...header }]) => [
    name,
    { ...header, schema: { type: "string", ...(values && openList(values)) } },
  ]);
  return { ...common, ...(Object.fromEntries(described) as object) };
}

/** A JSON body with examples by name. */
export function jsonContent(schema: Parameters<typeof ref>[0], examples: Record<string, unknown>) {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    "application/json": { schema: ref(schema), examples: Object.fromEntries(named) as object },
  };
}

const RETRY_AFTER = { "Retry-After": { description: "Seconds to wait.", required: true } };

/** Headers that only responses with one code have. */
const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, ResponseHeader>>> = {
  unauthorized: {
    "WWW-Authenticate": {
      description: "Names the three headers that every request needs.",
      required: true,
      values: [CHALLENGE],
    },
  },
  too_many_requests: {
    RateLimit: {
      description:
        "You have no requests left in this minute. Not set if the 429 is because of your network's limit, which counts requests with new or invalid credentials.",
      required: false,
      values: ['"client";r=0'],
    },
    ...RETRY_AFTER,
  },
  service_unavailable: RETRY_AFTER,
};

/** One response for each status. Its description and its examples have an entry for each code with the status. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => STATUS[code]))].sort((a, b) => a - b);
  const responses = statuses.map((status) => {
    const withStatus = codes.filter((code) => STATUS[code] === status);
    const own = withStatus.map((code) => ERROR_HEADERS[code]);
    const examples = withStatus.map((code) => [code, errorExample(code)]);
    return [
      status,
      {
        description: withStatus.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join("\n\n"),
        headers: headers(Object.assign({}, ...own) as Record<string, ResponseHeader>),
        content: jsonContent(
          ErrorResponse(),
          Object.fromEntries(examples) as Record<string, unknown>,
        ),
      },
    ];
  });
  return Object.fromEntries(responses) as Record<number, object>;
}

/** The codes that every operation may return, by status. The first code of a status names its response component. */
const COMMON_BY_STATUS = Map.groupBy(COMMON_ERRORS, (code) => STATUS[code]);

export const COMMON_RESPONSES = Object.fromEntries(
  [...COMMON_BY_STATUS].map(([status, codes]) => [codes[0], errorResponses(codes)[status]]),
) as Record<string, object>;

/** The responses that every operation may return, by status. */
export const COMMON_REFS = Object.fromEntries(
  [...COMMON_BY_STATUS].map(([status, [name]]) => [
    status,
    { $ref: `#/components/responses/${String(name)}` },
  ]),
) as Record<string, object>;

/** The table of all codes, as Markdown, in the order of their statuses. */
export function errorTable(): string {
  const rows = ERROR_CODES.map(
    (code) => `| ${STATUS[code]} | \`${code}\` | ${ERROR_MEANINGS[code]} |`,
  );
  return ["| Status | `code` | When, and what to do |", "|---|---|---|", ...rows].join("\n");
}

/** A table of headers, as Markdown. */
export function headerTable(headers: Record<string, { description: string }>): string {
  const rows = Object.entries(headers).map(
    ([name, { description }]) => `| \`${name}\` | ${description} |`,
  );
  return ["| Header | Meaning |", "|---|---|", ...rows].join("\n");
}
