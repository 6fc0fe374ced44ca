// The kinds of values that operators enter and read. A kind parses a value from the text of a form or a command line, or
// from JSON, and writes it as JSON. The console and the commands show the JSON by its type.
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import * as core from "../../core/validation/fields.ts";
import {
  giftNumber,
  orderNumber,
  parseId,
  parseNumber,
  parseSuborder,
} from "../../core/values/ids.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { DAY_MS, HOUR_MS, optionalTimestamp, parseDayOrTimestamp } from "../../core/values/time.ts";

/** How a value is shown and entered. */
export type KindType =
  | "order"
  | "gift"
  | "client"
  | "product"
  | "catalogue"
  | "webhook"
  | "id"
  | "text"
  | "lines"
  | "email"
  | "url"
  | "image"
  | "status"
  | "choice"
  | "flag"
  | "count"
  | "percent"
  | "amount"
  | "money"
  | "time"
  | "day"
  | "month"
  | "age"
  | "secret"
  | "position"
  | "json"
  | "file";

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { [name: string]: Json };

/** What does not depend on the value. It is part of the API's document, from which the commands are built. */
export interface FieldInfo {
  type: KindType;
  label: string;
  hint?: string;
  /** Whether an input may be left out. */
  isOptional?: boolean;
  /** Whether an input may be removed: null in JSON, empty in a form, `none` in a command. */
  isNullable?: boolean;
  /** Whether an input has several values. */
  isMany?: boolean;
  /** Whether an input selects an object: links have it, and a required one is an argument of the command, not an option. */
  isArgument?: boolean;
  /** The values of a choice. */
  options?: readonly string[];
  /** The value of an input that is left out, in words. */
  preset?: string;
  /** The largest file. */
  maxBytes?: number;
  /** The field in whose place pages show the value: more about it, or the URL of its link. */
  beside?: string;
  /** Whether pages show the options of a choice as tabs. */
  isTabs?: boolean;
}

export interface Kind<Value = unknown> extends FieldInfo {
  /** The schema of an input, from text or JSON. */
  schema: () => z.ZodMiniType<Value>;
  /** The property of a row that a column shows, if it has another name than the column. */
  from?: string;
  /** Called as a method, so that fields of different kinds have a common type. */
  toJson(value: Value): Json;
}

/** The fields of an input, or the columns of a table, by their names in JSON. */
export type Fields = Readonly<Record<string, Kind>>;

export type KindOptions = Pick<FieldInfo, "hint" | "preset" | "beside" | "isTabs">;

/** The file of a form or a command. */
export interface InputFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const same = (value: Json): Json => value;

/** The kinds whose inputs select an object. A command takes them as arguments. */
const ARGUMENTS: readonly KindType[] = [
  ...(["order", "gift", "client", "product", "catalogue", "webhook", "file"] as const),
];

const kind = <Value>(
  type: KindType,
  label: string,
  options: KindOptions,
  schema: () => z.ZodMiniType<Value>,
  toJson: (value: Value) => Json,
): Kind<Value> => ({
  type,
  label,
  ...options,
  ...(ARGUMENTS.includes(type) && { isArgument: true }),
  schema,
  toJson,
});

/** A text that `parse` accepts. */
const parsedText = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  lazy(() =>
    z.pipe(
      z
        .pipe(z.union([z.string(), z.number()]), z.transform(String))
        .check(z.refine((text) => parse(text.trim()) !== undefined, rule)),
      z.transform((text) => parse(text.trim()) as Value),
    ),
  );

const orderOf = (text: string) => {
  const found = parseNumber(text);
  return found ? (found.sequence === null ? found.orderId : undefined) : parseId(text);
};

const ORDER = parsedText(orderOf, "must be the number of an order, such as GO-00042");
const GIFT = parsedText(parseSuborder, "must be the number of a gift, such as GO-00042-3");
const ORDER_OR_GIFT = parsedText(
  (text) => parseNumber(text)?.orderId ?? parseId(text),
  "must be the number of an order or of a gift, such as GO-00042",
);
const ID = parsedText(parseId, "must be an id");
const COUNT = parsedText(
  (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  "must be a whole number",
);

/** An order, by its id. */
export const order = (label: string, options: KindOptions = {}) =>
  kind("order", label, options, ORDER, orderNumber);

/** The order of a reading, also by the number of one of its gifts. */
export const orderOrGift = (label: string, options: KindOptions = {}) =>
  matching(order(label, options), ORDER_OR_GIFT);

/** A gift, by its id. */
export const gift = (label: string, options: KindOptions = {}) =>
  kind("gift", label, options, GIFT, giftNumber);

/** A client, by its id. */
export const client = (label: string, options: KindOptions = {}) =>
  kind("client", label, options, () => core.line(64), same);

/** A product, by its id. */
export const product = (label: string, options: KindOptions = {}) =>
  kind("product", label, options, ID, same);

/** A catalogue, by its name. */
export const catalogue = (label: string, options: KindOptions = {}) =>
  kind("catalogue", label, options, () => core.line(64), same);

/** A webhook endpoint, by its id. */
export const webhook = (label: string, options: KindOptions = {}) =>
  kind("webhook", label, options, ID, same);

/** Another id. */
export const id = (label: string, options: KindOptions = {}) =>
  kind("id", label, options, ID, same);

/** One line of text. */
export const text = (
  label: string,
  { max = 200, ...options }: KindOptions & { max?: number } = {},
) => kind("text", label, options, () => core.line(max), same);

/** Why something is done. The audit log keeps it. */
export const reason = (): Kind<string> => ({
  ...text("Reason", {
    max: 200,
    hint: "Such as the number of a request. It is stored in the audit log. Do not enter personal data.",
  }),
  schema: lazy(() =>
    core
      .line(200)
      .check(z.refine((given) => !given.includes("@"), "must not contain an e-mail address")),
  ),
});

/** A text that may have several lines. */
export const lines = (
  label: string,
  { max = 2_000, ...options }: KindOptions & { max?: number } = {},
) => kind("lines", label, options, () => core.requiredText(max, String), same);

export const email = (label: string, options: KindOptions = {}) =>
  kind("email", label, options, core.email, same);

/** An address on the web. */
export const url = (label: string, options: KindOptions = {}) =>
  kind("url", label, options, () => core.text(2_000), same);

/** The picture of a product, by its URL. Only shown. */
export const image = (label: string) => kind("image", label, {}, () => core.text(2_000), same);

/** The state of an object. Only shown. */
export const status = (label: string) =>
  kind("status", label, {}, () => core.line(100), statusLabel);

/** One of these values, which operators enter and read as `text` writes them. */
export function choice<const Value extends string>(
  label: string,
  values: readonly Value[],
  { text: textOf = String, ...options }: KindOptions & { text?: (value: Value) => string } = {},
): Kind<Value> {
  const byText = new Map(values.map((value) => [textOf(value), value]));
  const schema = lazy(() =>
    z.pipe(
      z.enum([...byText.keys()]),
      z.transform((given) => byText.get(given) as Value),
    ),
  );
  return { ...kind("choice", label, options, schema, textOf), options: [...byText.keys()] };
}

const YES = ["yes", "true", "on"];
const NO = ["no", "false", "off"];

/** Yes or no. */
export const flag = (label: string, options: KindOptions = {}) =>
  kind(
    "flag",
    label,
    options,
    lazy(() =>
      z.pipe(
        z
          .pipe(z.union([z.boolean(), z.string()]), z.transform(String))
          .check(z.refine((given) => [...YES, ...NO].includes(given), "must be yes or no")),
        z.transform((given) => YES.includes(given)),
      ),
    ),
    same,
  );

/** A number of things. */
export const count = (
  label: string,
  { min = 0, max, ...options }: KindOptions & { min?: number; max?: number } = {},
) =>
  kind(
    "count",
    label,
    options,
    () => COUNT().check(z.minimum(min), ...(max === undefined ? [] : [z.maximum(max)])),
    same,
  );

/** A share in basis points, entered in percent. */
export const percent = (label: string, options: KindOptions = {}) =>
  kind(
    "percent",
    label,
    options,
    parsedText((given) => {
      const basisPoints = Math.round(Number(given) * 100);
      return /^\d{1,3}(\.\d{1,2})?$/.test(given) && basisPoints <= 10_000 ? basisPoints : undefined;
    }, "must be a percentage from 0 to 100 with at most two decimals"),
    (basisPoints) => String(basisPoints / 100),
  );

/** A decimal amount, whose currency another field has. The operation checks its decimals. */
export const amount = (label: string, options: KindOptions = {}) =>
  kind(
    "amount",
    label,
    options,
    parsedText((given) => {
      // U+2212 is the minus sign of some spreadsheets.
      const text = given.replace("\u2212", "-");
      return /^-?\d{1,15}(\.\d{1,4})?$/.test(text) ? text : undefined;
    }, "must be an amount such as 110.00"),
    same,
  );

/** An amount in minor units. Only shown. */
export const money = (label: string, options: KindOptions = {}) =>
  kind<{ minor: number; currency: Currency }>(
    "money",
    label,
    options,
    () => z.object({ minor: z.int(), currency: core.currencyCode() }),
    ({ minor, currency }) => ({ amount: formatAmount(minor, currency), currency }),
  );

/** The code of a currency, in any case. */
export const currency = (label: string, options: KindOptions = {}): Kind<Currency> =>
  kind(
    "text",
    label,
    options,
    lazy(() =>
      z.pipe(
        z.pipe(
          z.string(),
          z.transform((text) => text.toUpperCase()),
        ),
        core.currencyCode(),
      ),
    ),
    same,
  );

/** A time in epoch milliseconds, in JSON as an RFC 3339 timestamp. A day means its start in UTC. */
export const time = (label: string, options: KindOptions = {}) =>
  kind(
    "time",
    label,
    options,
    parsedText(
      parseDayOrTimestamp,
      "must be a day such as 2026-05-01, or a timestamp such as 2026-05-01T09:30:00Z",
    ),
    optionalTimestamp,
  );

/** A day such as `2027-01-31`. */
export const day = (label: string, options: KindOptions = {}) =>
  kind("day", label, options, core.day, same);

/** A month such as `2027-01`. */
export const month = (label: string, options: KindOptions = {}) =>
  kind(
    "month",
    label,
    options,
    parsedText(
      (given) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined),
      "must be a month such as 2026-05",
    ),
    same,
  );

/** An age in milliseconds, entered as a number of days or hours. */
export const age = (label: string, options: KindOptions = {}) =>
  kind(
    "age",
    label,
    options,
    parsedText((given) => {
      const [, number = "", unit] = /^([1-9]\d{0,3})([dh])$/.exec(given) ?? [];
      if (unit === undefined) return undefined;
      return Number(number) * (unit === "d" ? DAY_MS : HOUR_MS);
    }, "must be a number of days or hours, such as 2d or 12h"),
    (ms) => `${String(ms / HOUR_MS)}h`,
  );

/** A secret that is shown once. */
export const secret = (label: string) => kind("secret", label, {}, () => core.line(500), same);

/** The position of a page in the table of a view. It is no field of a form. */
export const position = (label: string) => kind("position", label, {}, COUNT, same);

/** Other data, such as metadata. Only shown. */
export const json = (label: string) =>
  kind<unknown>(
    "json",
    label,
    {},
    () => z.unknown(),
    (value) => value as Json,
  );

/** A file of a form, of at most `maxBytes` bytes. */
export const file = (
  label: string,
  { maxBytes, ...options }: KindOptions & { maxBytes: number },
): Kind<InputFile> => ({
  ...kind(
    "file",
    label,
    options,
    () =>
      z
        .custom<InputFile>(
          (value) =>
            value instanceof Object && "bytes" in value && value.bytes instanceof Uint8Array,
          "must be a file",
        )
        .check(
          z.refine(
            ({ bytes }) => bytes.length <= maxBytes,
            `must have at most ${String(maxBytes / 1e6)} MB`,
          ),
        ),
    ({ name }) => name,
  ),
  maxBytes,
});

/** An input that may be left out. */
export const optional = <Value>(field: Kind<Value>): Kind<Value | undefined> => ({
  ...(field as Kind<Value | undefined>),
  isOptional: true,
});

/** An input that may be left out or removed. */
export const nullable = <Value>(field: Kind<Value>): Kind<Value | null | undefined> => ({
  ...(field as Kind<Value | null | undefined>),
  isOptional: true,
  isNullable: true,
});

function presetText(value: Json): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An input that may be left out. The operation then uses this value. */
export const withDefault = <Value>(field: Kind<Value>, value: Value): Kind<Value> => ({
  ...field,
  isOptional: true,
  preset: presetText(field.toJson(value)),
  schema: () => z._default(field.schema(), value as never),
});

/** An input with several values. */
export const many = <Value>(field: Kind<Value>): Kind<Value[]> => ({
  ...field,
  isMany: true,
  schema: () => z.array(field.schema()).check(z.minLength(1)),
  toJson: (values) => values.map((value) => field.toJson(value)),
});

/** A field with another schema, which may be stricter. */
export const matching = <Value>(
  field: Kind<Value>,
  schema: () => z.ZodMiniType<Value>,
): Kind<Value> => ({ ...field, schema });

/** An object that the operation does not act on: a field of the form, and an option of the command. */
export const option = <Value>(field: Kind<Value>): Kind<Value> => ({
  ...field,
  isArgument: false,
});

/** A column that shows this property of the row. */
export const from = <const Name extends string, Value>(
  name: Name,
  column: Kind<Value>,
): Kind<Value> & { from: Name } => ({ ...column, from: name });

/** An input that the command takes as an argument. */
export const argument = <Value>(field: Kind<Value>): Kind<Value> => ({
  ...field,
  isArgument: true,
});

/** The values of an input, as the operation gets them. */
export type InputOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Kind<infer Value> ? Value : never;
};

/** The present values of inputs. */
export type PresentOf<F extends Fields> = {
  [Name in keyof F]?: InputOf<F>[Name] | null | undefined;
};

/** The values of facts or of a row. Null for a value that does not exist. */
export type OutputOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends { from: infer From extends string } ? From : Name]:
    (F[Name] extends Kind<infer Value> ? Value : never) | null;
};
