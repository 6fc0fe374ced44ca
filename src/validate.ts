// Zod's verdict in our words: what comes from outside is valid, or one error names every field at fault.
// The messages read on after the field's name: "qty must be an integer".
import * as z from "zod/mini";
import { validationError } from "./errors.ts";
import { MAX_ID } from "./ids.ts";
import { COUNTRIES, CURRENCIES, CURRENCIES_WITHOUT_TWO_DECIMALS } from "./iso.ts";

/** Errors: `validation_error` with each field's path (`recipient_details[0].email`) and its rule. */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const result = schema.safeParse(input, { error: messageOf });
  if (result.success) return result.data;
  const messages = new Map<string, string>();
  for (const issue of result.error.issues) {
    const field = fieldPath(issue.path);
    if (!messages.has(field)) messages.set(field, issue.message);
  }
  throw validationError([...messages].map(([field, message]) => ({ field, message })));
}

/** `["recipient_details", 0, "email"]` → `recipient_details[0].email`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${String(part)}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  array: "an array",
  object: "an object",
};

function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input == null) return "is required";
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      // A blank value stands for none where a schema allows it: not worth a word.
      return `must be ${issue.values
        .filter((value) => value !== "")
        .map(String)
        .join(" or ")}`;
    case "too_small":
      if (issue.origin === "array") return `must have at least ${String(issue.minimum)} element`;
      if (issue.origin === "string") return "must not be empty";
      return `must be at least ${String(issue.minimum)}`;
    case "too_big":
      if (issue.origin === "array") return `must have at most ${String(issue.maximum)} elements`;
      if (issue.origin === "string") return `must have at most ${String(issue.maximum)} characters`;
      return `must be at most ${String(issue.maximum)}`;
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address" : "has the wrong format";
    default:
      return "is not valid";
  }
}

/**
 * A schema that is built when it is first asked for. To build all of them would take longer than all the rest
 * of the Worker's start, and no request needs more than one.
 */
export function lazy<Schema>(build: () => Schema): () => Schema {
  let built: Schema | undefined;
  return () => (built ??= build());
}

/** A field of a JSON body that may be left out. Null is the same as leaving it out. */
export function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(nullAs(undefined, schema));
}

/** `schema`, and null for `value`. */
export function nullAs<Schema extends z.ZodMiniType, const Value>(value: Value, schema: Schema) {
  return z.pipe(
    z.nullable(schema),
    z.transform((given) => given ?? value),
  );
}

/** Halves of surrogate pairs, and control characters other than tab and line breaks. */
// eslint-disable-next-line no-control-regex
const NOT_TEXT = /[\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/** Text in any script, at most `max` characters. The database could not return `NOT_TEXT` as it came. */
export function text(max: number) {
  return z.string().check(
    z.maxLength(max),
    z.refine((value) => !NOT_TEXT.test(value), {
      error: ({ input }) => `must be well-formed text, without ${firstNotText(input as string)}`,
    }),
  );
}

/** `U+0081`. */
function firstNotText(value: string): string {
  const code = NOT_TEXT.exec(value)?.[0].codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Text that says something: not empty, not only spaces. A pattern, so that the API's document tells it. */
export function requiredText(max: number) {
  return text(max).check(z.regex(/\S/, "must not be empty"));
}

/** Hosts by name or number. Those of other URLs may hold characters that have a meaning in a policy header. */
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/;

/** The URL, if a browser can load an image from it. */
export function webUrl(address: string): URL | null {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) ? url : null;
}

/** A path of this service: one slash first, since two would name another host. */
const OWN_PATH = /^\/(?![/\\])\S*$/;
const WEB_URL = /^https?:\/\/\S+$/i;

/** The address of an image: a URL on the web, or the path of one that this service holds. */
export const imageUrl = (emptyRule = "must not be empty") =>
  text(2_000).check(
    z.refine((address) => address !== "", emptyRule),
    z.refine(
      (address) => OWN_PATH.test(address) || (WEB_URL.test(address) && webUrl(address) !== null),
      "must be an http(s) URL, or a path that starts with one /",
    ),
  );

/** An id in a JSON body: never a string, never a fraction. `z.int()` ends at MAX_ID. */
export const id = lazy(() => z.int().check(z.minimum(1)));

/** One of a list of codes that are told apart by spaces; `pattern` is how the API's document tells them. */
const codeOf = (codes: string, pattern: string, rule: string) =>
  lazy(() => {
    const known = new Set(codes.split(" "));
    return z
      .string()
      .check(z.refine((value) => known.has(value), rule))
      .register(z.globalRegistry, { pattern });
  });

export const currencyCode = codeOf(
  CURRENCIES,
  "^[A-Z]{3}$",
  "must be an ISO 4217 code, such as AUD",
);

/** A currency that prices and credit accounts may have. All amounts are kept with two decimals. */
export const supportedCurrency = lazy(() => {
  const unsupported = new Set(CURRENCIES_WITHOUT_TWO_DECIMALS.split(" "));
  return currencyCode().check(
    z.refine((code) => !unsupported.has(code), {
      error: ({ input }) =>
        `must be a currency with two decimals: ${String(input)} is not supported`,
    }),
  );
});

export const countryCode = codeOf(
  COUNTRIES,
  "^[A-Z]{2}$",
  "must be an ISO 3166-1 alpha-2 code, such as AU",
);

/**
 * A mailbox that mail can go to: RFC 5321's dot-string (every character that RFC 5322 has for it, 64 at most) and
 * a domain name with a dot. Zod's own pattern refuses some that exist.
 */
const MAILBOX =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

export const email = lazy(() => z.email({ pattern: MAILBOX }).check(z.maxLength(254)));

/** A whole number in a query string; the API's document calls it the integer that it means. */
export function queryInteger(min: number, max: number) {
  const rule = `must be an integer from ${String(min)} to ${String(max)}`;
  return z
    .pipe(z.string().check(z.regex(/^\d{1,16}$/, rule)), z.transform(Number))
    .check(z.refine((value) => value >= min && value <= max, rule))
    .register(z.globalRegistry, { type: "integer", minimum: min, maximum: max });
}

/** An id in a query string. */
export const queryId = lazy(() => queryInteger(1, MAX_ID));
