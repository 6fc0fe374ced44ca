// Schemas of fields that several contracts use.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";
import { asciiEmail, normalEmail } from "../values/email-address.ts";
import { MAX_ID, parseId } from "../values/ids.ts";
import { COUNTRIES, CURRENCIES, type Currency } from "../values/iso.ts";
import { LANGUAGE_RULE, languageOf, MAX_LANGUAGE_LENGTH } from "../values/language-tag.ts";
import { normalName } from "../values/name.ts";
import { codePointOf, withoutInvisible } from "../values/plain-text.ts";
import { DAY_OR_TIMESTAMP, parseDayOrTimestamp, parseUtc } from "../values/time.ts";

/**
 * A field of a JSON body that may be left out. Null counts as leaving it out, and so does each value that `nullAs` reads
 * as null.
 */
export function optionalField<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(nullAs(undefined, schema));
}

/**
 * A field that is either null, which is replaced by `value`, or valid under `schema`. A blank text or an empty list that
 * the schema refuses is null.
 */
export function nullAs<Schema extends z.ZodMiniType, const Value>(value: Value, schema: Schema) {
  const isNull = (given: unknown) => isBlank(given) && !schema.safeParse(given).success;
  return read(
    (given) => (isNull(given) ? null : given),
    z.pipe(
      z.nullable(schema),
      z.transform((given) => given ?? value),
    ),
  );
}

export const isBlank = (given: unknown): boolean =>
  Array.isArray(given)
    ? given.length === 0
    : typeof given === "string" && withoutInvisible(given) === "";

/** Validates the result of `reader`. The OpenAPI document contains only the schema. */
const read = <Output, Input>(
  reader: (given: unknown) => unknown,
  schema: z.ZodMiniType<Output, Input>,
) => z.pipe(z.transform(reader), schema) as z.ZodMiniType<Output, Input>;

/** Requires that one of the object's fields `names` is set, or allows only one of them. */
const numberSet = (rule: { isRequired: boolean; isSingle: boolean }, names: readonly string[]) =>
  z.superRefine<Record<string, unknown>>((value, context) => {
    const refuse = (name: string, message: string) => {
      context.addIssue({ code: "custom", path: [name], message });
    };
    const [first = "", ...alternatives] = names;
    const [given, ...others] = names.filter((name) => value[name] !== undefined);
    if (given === undefined && rule.isRequired)
      refuse(first, `is required unless ${alternatives.join(" or ")} is set`);
    for (const name of rule.isSingle ? others : [])
      refuse(name, `must not be set together with ${String(given)}`);
  });

export const exactlyOne = (...names: readonly string[]) =>
  numberSet({ isRequired: true, isSingle: true }, names);
export const atLeastOne = (...names: readonly string[]) =>
  numberSet({ isRequired: true, isSingle: false }, names);
export const atMostOne = (...names: readonly string[]) =>
  numberSet({ isRequired: false, isSingle: true }, names);

/** Refuses all other fields than `allowed` together with the field `name`. */
export const onlyWith = (name: string, ...allowed: readonly string[]) =>
  z.superRefine<Record<string, unknown>>((value, context) => {
    for (const other of value[name] === undefined ? [] : Object.keys(value)) {
      if (other === name || allowed.includes(other) || value[other] === undefined) continue;
      const message = `must not be set together with ${name}`;
      context.addIssue({ code: "custom", path: [other], message });
    }
  });

/** A list without duplicates. `rule` is the message if there is one. */
export function distinct<Item extends z.ZodMiniType>(list: z.ZodMiniArray<Item>, rule: string) {
  return list
    .check(z.refine((items) => new Set(items).size === items.length, rule))
    .register(z.globalRegistry, { uniqueItems: true });
}

/** Lone surrogates, and control characters other than tab and line breaks. */
// eslint-disable-next-line no-control-regex
const DISALLOWED = /[\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/**
 * Text in any script, at most `max` characters (DECISIONS.md: Text is returned unchanged or refused). `normal` replaces
 * the text before it is checked.
 */
export function textField(max: number, normal = (given: string) => given) {
  return z.string().check(
    z.overwrite(normal),
    z.maxLength(max),
    z.refine((value) => !DISALLOWED.test(value), {
      error: ({ input }) => `must be well-formed text, without ${firstDisallowed(input as string)}`,
    }),
  );
}

/** The first character that is not allowed, such as `U+0081`. */
const firstDisallowed = (value: string) => codePointOf(DISALLOWED.exec(value)?.[0] ?? "");

/**
 * Text that is not blank. The rule is a pattern, so that the OpenAPI document contains it. Published patterns match whole
 * texts, and compile in RE2, Go, Python and .NET.
 */
export function requiredText(max: number, normal = withoutInvisible) {
  return textField(max, normal).check(z.regex(/^[\s\S]*\S[\s\S]*$/, "must not be empty"));
}

/** Stored and compared in its normal form, so that partners' typing does not split a campaign. */
export const campaignName = () => requiredText(100, normalName);

/** One line of text that is not blank. */
export function line(max: number) {
  return textField(max, withoutInvisible).check(
    z.regex(/^[^\S\t\n\r]*\S[^\t\n\r]*$/, "must be one line of text"),
  );
}

const MAX_METADATA_KEYS = 20;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

/**
 * The maximum size of the metadata as JSON in UTF-8, without spaces. It limits the size of a page of events, each of
 * which has the metadata of its order and its recipient.
 */
const MAX_METADATA_BYTES = 4_096;

/**
 * The caller's own keys and values, sorted by key, so that the order of the keys does not change the digest of a
 * placement. An object without keys becomes undefined. `z.record` is not used, because it drops the key `__proto__`.
 */
export const metadata = lazy(() =>
  optionalField(
    z
      .pipe(
        z.unknown().check(
          z.superRefine((value, context) => {
            const message = metadataProblem(value);
            if (message !== null) context.addIssue({ code: "custom", message });
          }),
        ),
        z.transform((value) => sorted(value as Record<string, string>)),
      )
      .register(z.globalRegistry, {
        type: "object",
        maxProperties: MAX_METADATA_KEYS,
        propertyNames: { minLength: 1, maxLength: MAX_METADATA_KEY_LENGTH },
        additionalProperties: { type: "string", maxLength: MAX_METADATA_VALUE_LENGTH },
      }),
  ),
);

/** Whether the text has more than `max` characters. Like `z.maxLength`, it counts code points and not UTF-16 units. */
function isLonger(value: string, max: number): boolean {
  return value.length > max && Array.from(value).length > max;
}

/** The rule that the metadata breaks, or null. */
function metadataProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "must be an object";
  }
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MAX_METADATA_KEYS) {
    return `must have at most ${String(MAX_METADATA_KEYS)} keys`;
  }
  for (const [key, item] of entries) {
    if (key === "" || isLonger(key, MAX_METADATA_KEY_LENGTH)) {
      return `must have keys of 1 to ${String(MAX_METADATA_KEY_LENGTH)} characters`;
    }
    if (DISALLOWED.test(key)) {
      return `must have keys of well-formed text, without ${firstDisallowed(key)}`;
    }
    if (typeof item !== "string") return `must have strings as values: ${key} is not a string`;
    if (isLonger(item, MAX_METADATA_VALUE_LENGTH)) {
      return `must have values of at most ${String(MAX_METADATA_VALUE_LENGTH)} characters: ${key} has more`;
    }
    if (DISALLOWED.test(item)) {
      return `must have values of well-formed text: ${key} contains ${firstDisallowed(item)}`;
    }
  }
  const bytes = new TextEncoder().encode(JSON.stringify(value)).byteLength;
  return bytes > MAX_METADATA_BYTES
    ? `must have at most ${String(MAX_METADATA_BYTES)} bytes as JSON in UTF-8: it has ${String(bytes)}`
    : null;
}

/** `Object.fromEntries` also sets the key `__proto__`, which an assignment would not. */
function sorted(value: Record<string, string>): Record<string, string> | undefined {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * A host name or an IP address. Other hosts may contain characters that have a meaning in a Content-Security-Policy.
 */
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/;

/** The URL, if a browser can load an image from it. */
export function webUrl(address: string): URL | null {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) ? url : null;
}

/** A path on this service. It must not begin with two slashes, which browsers read as another host. */
const OWN_PATH = /^\/(?![/\\])\S*$/;
const WEB_URL = /^https?:\/\/\S+$/i;

/** Pages such as `image.php` may return images. */
const NO_IMAGE =
  /^[^?#]*\.(?:pdf|mp[34]|m4[av]|mov|avi|mkv|mpe?g|webm|og[gv]|wav|docx?|xlsx?|pptx?|odt|rtf|txt|csv|json|xml|html?|css|m?js|zip|rar|7z|gz|tar|exe)(?:$|[?#])/i;
/** The formats of cameras and printers. */
const NOT_SHOWN = /^[^?#]*\.(?:hei[cf]|tiff?|psd|eps|ai|dng|raw|cr2|nef)(?:$|[?#])/i;
/** The URL requests another format from an image service. */
const CONVERTED = /[?&](?:format|fm|auto)=|\bf_auto\b/i;

/** Whether browsers show the format of the image. A shop's image service may convert other formats, unknown from the URL. */
export const isShownImage = (address: string) =>
  !NOT_SHOWN.test(address) || CONVERTED.test(address);

/** The URL of an image of any format, or the path of an image on this service. */
export const imageUrl = (emptyRule = "must not be empty") =>
  textField(2_000).check(
    z.refine((address) => address !== "", emptyRule),
    z.refine(
      (address) => OWN_PATH.test(address) || (WEB_URL.test(address) && webUrl(address) !== null),
      "must be an http(s) URL, or a path that starts with one /",
    ),
    z.refine((address) => !NO_IMAGE.test(address) || CONVERTED.test(address), "must be an image"),
  );

/** The URL of an image that is shown as it is. */
export const shownImageUrl = () =>
  imageUrl().check(z.refine(isShownImage, "must be an image such as JPEG, PNG or WebP"));

/** A day such as `2027-01-31`, in a JSON body. */
export const dayField = lazy(() =>
  z
    .string()
    .check(z.refine((value) => parseUtc(value) !== undefined, "must be a day such as 2027-01-31"))
    .register(z.globalRegistry, { format: "date" }),
);

/** An RFC 3339 timestamp in a JSON body. */
export const timestamp = lazy(() => {
  const rule = "must be a timestamp with an offset such as 2027-01-31T09:00:00+10:00";
  const isTime = (value: string) => value.length > 10 && parseDayOrTimestamp(value) !== undefined;
  return z
    .string()
    .check(z.refine(isTime, rule))
    .register(z.globalRegistry, { format: "date-time" });
});

/** An id in a JSON body, also as text, as some responses have it. The upper limit of `z.int()` is MAX_ID. */
export const idField = lazy(() =>
  read(
    (given) => (typeof given === "string" ? (parseId(withoutInvisible(given)) ?? given) : given),
    z.int().check(z.minimum(1)),
  ),
);

/** One of the codes in `codes`, separated by spaces. The OpenAPI document contains `pattern` instead of the list. */
const codeOf = <Code extends string = string>(codes: string, pattern: string, rule: string) =>
  lazy(() => {
    const listed = new Set(codes.split(" "));
    const schema = z
      .string()
      .check(
        z.overwrite(withoutInvisible),
        z.refine((value) => listed.has(value), rule),
      )
      .register(z.globalRegistry, { pattern });
    return schema as unknown as z.ZodMiniType<Code, string>;
  });

export const currencyCode = codeOf<Currency>(
  CURRENCIES,
  "^[A-Z]{3}$",
  "must be an ISO 4217 code, such as AUD",
);

export const countryCode = codeOf(
  COUNTRIES,
  "^[A-Z]{2}$",
  "must be an ISO 3166-1 alpha-2 code, such as AU",
);

/** A language that `languageOf` recognises. */
export const languageTag = lazy(() =>
  z
    .string()
    .check(
      z.maxLength(MAX_LANGUAGE_LENGTH),
      z.refine((text) => languageOf(text) !== undefined, LANGUAGE_RULE),
    )
    .register(z.globalRegistry, { pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$" }),
);

/** An e-mail address, of which spaces, width and the case of the domain do not matter. The domain may be international. */
export const emailField = lazy(() =>
  textField(254, normalEmail)
    .check(
      z.refine(
        (address) => asciiEmail(address) !== null,
        "must be an e-mail address such as ada@example.com, without a name or spaces",
      ),
    )
    .register(z.globalRegistry, { format: "email" }),
);

/** In responses: an integer of at least 1, such as an id. */
export const positive = () => z.int().check(z.minimum(1));

/** In responses: a number of things, which may be 0. */
export const countField = () => z.int().check(z.minimum(0));

/** In responses: the partner's own keys and values. */
export const metadataObject = () => z.record(z.string(), z.string());

/** In responses: an amount as a string, with all decimals of its currency. */
export const amountTextField = () => z.string().check(z.regex(/^\d+(\.\d{2,4})?$/));

/** An integer in a query string. The OpenAPI document shows it as an integer. */
export function queryInteger(min: number, max: number) {
  const rule = `must be an integer from ${String(min)} to ${String(max)}`;
  return z
    .pipe(z.string().check(z.regex(/^\d{1,16}$/, rule)), z.transform(Number))
    .check(z.refine((value) => value >= min && value <= max, rule))
    .register(z.globalRegistry, { type: "integer", minimum: min, maximum: max });
}

/** A day or an RFC 3339 timestamp in a query string, as epoch milliseconds. */
export const queryTime = lazy(() => {
  const rule = "must be a day such as 2026-05-01, or a timestamp such as 2026-05-01T09:30:00Z";
  return z
    .pipe(
      z.string().check(z.refine((value) => parseDayOrTimestamp(value) !== undefined, rule)),
      z.transform((value) => parseDayOrTimestamp(value) as number),
    )
    .register(z.globalRegistry, { pattern: DAY_OR_TIMESTAMP.source });
});

/** A comma-separated list of these values in a query string, which becomes an array. */
export function queryList<const Value extends string>(values: readonly Value[]) {
  const item = `(${values.join("|")})`;
  const [first, second] = values;
  const rule =
    second === undefined
      ? `must be ${String(first)}`
      : `must be a comma-separated list of ${values.join(", ")}`;
  return z.pipe(
    z.string().check(z.regex(new RegExp(`^${item}(,${item})*$`), rule)),
    z.transform((list) => [...new Set(list.split(","))] as Value[]),
  );
}

/** An id in a query string. */
export const queryId = lazy(() => queryInteger(1, MAX_ID));
