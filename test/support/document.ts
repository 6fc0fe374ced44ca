// Compares responses with the OpenAPI document. A response that the document does not describe fails the test that
// receives it.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import openapi from "../../public/openapi.json";
import { hasDecimals } from "./money.ts";

interface Response {
  $ref?: string;
  content?: Record<string, { examples?: Record<string, unknown> }>;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
}
interface Operation {
  parameters?: { $ref?: string }[];
  responses: Record<string, Response>;
}
export const DOCUMENT = openapi as unknown as {
  paths: Record<string, Partial<Record<string, Operation>>>;
  components: { schemas: Record<string, unknown> };
};

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats(ajv);
// Partners must ignore unknown fields and values, but here they are errors.
ajv.addSchema(closed(DOCUMENT) as object, "openapi");

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  if (copy["x-extensible-enum"]) copy["enum"] = copy["x-extensible-enum"];
  return copy["type"] === "object" && copy["properties"]
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Why `value` does not match the schema at this path of the document; empty if it matches. */
export function faultsOf(value: unknown, place: readonly string[]): string {
  const pointer = place
    .map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  const validate = ajv.getSchema(`openapi#${encodeURI(pointer)}`);
  if (!validate) throw new Error(`the document has nothing at ${pointer}`);
  return validate(value) ? "" : ajv.errorsText(validate.errors);
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** Throws unless the document describes this response. Paths outside of /api are not checked. */
export function expectDocumented(method: string, url: URL, answer: Answered): void {
  if (!url.pathname.startsWith("/api/")) return;
  const fault = faultOfAnswer(method, url.pathname, answer) ?? faultOfAmounts(answer.json);
  if (fault === undefined) return;
  const { status, text } = answer;
  throw new Error(
    `${method} ${url.pathname} answered what the document does not tell: ${fault}\n${String(status)} ${text}`,
  );
}

const AMOUNT =
  /^(price|product_price|subtotal|shipping_cost|order_fee|order_total|refunded|refund|charge|credit_balance|alert_below)$/;

/** The first amount that does not have the decimals of its currency: all of them as text, and no more as a number. */
function faultOfAmounts(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields: Record<string, unknown> = { ...value };
  const currency = fields["currency"] ?? fields["price_currency"];
  if (typeof currency === "string") {
    for (const [name, amount] of Object.entries(fields)) {
      if (!AMOUNT.test(name) || hasDecimals(amount as string | number, currency)) continue;
      return `${name} ${String(amount)} is not an amount in ${currency}`;
    }
  }
  for (const part of Object.values(fields)) {
    const fault = faultOfAmounts(part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfAnswer(method: string, path: string, answer: Answered): string | undefined {
  // HEAD is GET without the body.
  const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
  const operation = DOCUMENT.paths[path]?.[verb];
  if (!operation) {
    if (answer.status < 400) return "there is no such operation";
    return method === "HEAD" ? undefined : faultsOf(answer.json, ERROR) || undefined;
  }
  const status = String(answer.status);
  const described = operation.responses[status];
  if (!described) return `there is no answer ${status}`;
  const place = described.$ref
    ? placeOf(described.$ref)
    : ["paths", path, verb, "responses", status];
  const response = follow(described);

  for (const [name, described] of Object.entries(response.headers ?? {})) {
    const value = answer.headers.get(name);
    const header = follow(described);
    if (value === null && header.required) return `the header ${name} is missing`;
    const headerPlace = described.$ref ? placeOf(described.$ref) : [...place, "headers", name];
    const faults = value !== null && faultsOf(value, [...headerPlace, "schema"]);
    if (faults) return `the header ${name}: ${faults}`;
  }
  if (method === "HEAD" || !response.content) {
    return answer.text === "" ? undefined : "there should be no body";
  }
  if (answer.headers.get("Content-Type")?.startsWith("text/csv")) {
    return response.content["text/csv"] ? undefined : "there should be no CSV";
  }
  const faults = faultsOf(answer.json, [...place, "content", "application/json", "schema"]);
  if (faults) return faults;
  // The examples of an error response are named after its codes.
  const codes = Object.keys(response.content["application/json"]?.examples ?? {});
  const { code } = answer.json as { code?: string };
  if (code !== undefined && !codes.includes(code)) return `the code ${code} is not named`;
  return undefined;
}

const ERROR = ["components", "schemas", "Error"];

function follow<T extends { $ref?: string }>(value: T): Omit<T, "$ref"> {
  return value.$ref === undefined
    ? value
    : (placeOf(value.$ref).reduce<unknown>((part, key) => (part as Keyed)[key], DOCUMENT) as T);
}

type Keyed = Record<string, unknown>;

function placeOf(ref: string): string[] {
  return ref.slice("#/".length).split("/");
}
