// The kinds of values that operators enter and read. `KINDS` has all that the console, the commands, files and documents
// need of a kind. A field has a kind and a label.
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import * as core from "../../core/validation/fields.ts";
import { giftNumber, orderNumber, parseGift, parseId, parseNumber } from "../../core/values/ids.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import type { Currency } from "../../core/values/iso.ts";
import { languageOf } from "../../core/values/language-tag.ts";
import { formatAmount, grouped } from "../../core/values/money.ts";
import { nameKey } from "../../core/values/name.ts";
import { DAY_MS, HOUR_MS, optionalTimestamp, parseDayOrTimestamp } from "../../core/values/time.ts";
import { wordsOf } from "../words.ts";

/** A value of JSON. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { [name: string]: JsonValue };

/** What does not depend on the value. It is part of docs/operator-api.json, from which the commands are built. */
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
  /** What pages show instead of an address on the web. */
  linkText?: string;
  /** Whether pages show the options of a choice as tabs. */
  isTabs?: boolean;
  /** Whether pages leave out a column, which the API and files have. */
  isInFilesOnly?: boolean;
  /** Whether pages show the sum of a column's amounts. */
  hasSum?: boolean;
}

/** How a form asks for a value. A `localDate` is a day of the viewer's time zone. */
export type Control =
  "text" | "textarea" | "email" | "colour" | "number" | "date" | "localDate" | "checkbox" | "file";

/** What all fields of a kind have in common. Its functions are methods, so that different kinds have a common type. */
interface Traits<Value = unknown> {
  /** The schema of an input, from text or JSON. */
  schema: () => z.ZodMiniType<Value>;
  /** By default, the value is its JSON. */
  toJson?(value: Value): JsonValue;
  /** The text of the JSON in tables and sentences. */
  text?(json: JsonValue): string;
  /** Its text in CSV files, by default the same. */
  csv?(json: JsonValue): string;
  /** Its text in forms, by default the JSON. */
  form?(json: JsonValue): string;
  /** The properties that have columns of their own in CSV files, with the ends of the columns' names. */
  parts?: Readonly<Record<string, string>>;
  /** Whether a list of JSON is one value. */
  isWhole?: boolean;
  /** Whether several values are separated by line breaks only, because they may contain commas. */
  isWholeLine?: boolean;
  /** The classes of the cells in tables. `labelled`: the values are unclear without the label. */
  look?: "number" | "number labelled" | "short" | "short labelled";
  /** Whether pages show the value as a picture, or as a link. */
  isPicture?: boolean;
  isLink?: boolean;
  control?: Control;
  /** Whether forms have no field for it. */
  isHidden?: boolean;
  /** Whether it is a time, which as a filter may belong to one tab only. */
  isTime?: boolean;
  /** The value in the help of a command, and a sentence about it. */
  placeholder?: string;
  help?: string;
  /** Whether inputs select an object, which commands take as an argument. */
  isArgument?: boolean;
  /** Whether there are so few objects that forms suggest all of them. */
  isSuggested?: boolean;
  /** The view of an object, if it has another name than `<kind> show`. */
  view?: string;
  /** Whether the name of a CSV file has the input. */
  inFileName?: "object" | "month";
}

export interface Kind<Value = unknown>
  extends FieldInfo, Required<Pick<Traits<Value>, "schema" | "toJson">> {
  /** The property of a row that a column shows, if it has another name than the column. */
  from?: string;
}

/** The fields of an input, or the columns of a table, by their names in JSON. */
export type Fields = Readonly<Record<string, Kind>>;

export type KindOptions = Pick<
  FieldInfo,
  "hint" | "preset" | "beside" | "linkText" | "isTabs" | "isInFilesOnly" | "hasSum"
>;

/** The file of a form or a command. */
export interface InputFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

type Money = Record<"amount" | "currency", string>;

/** A text that `parse` accepts. */
const parsedText = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  lazy(() =>
    z.pipe(
      z
        .pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String))
        .check(z.refine((text) => parse(text.trim()) !== undefined, rule)),
      z.transform((text) => parse(text.trim()) as Value),
    ),
  );

const orderOf = (text: string) => {
  const found = parseNumber(text);
  return found ? (found.sequence === null ? found.orderId : undefined) : parseId(text);
};

const ORDER = parsedText(orderOf, "must be the number of an order, such as GO-00042");
const GIFT = parsedText(parseGift, "must be the number of a gift, such as GO-00042-3");
const ORDER_OR_GIFT = parsedText(
  (text) => parseNumber(text)?.orderId ?? parseId(text),
  "must be the number of an order or of a gift, such as GO-00042",
);
const ID = parsedText(parseId, "must be an id");
const COUNT = parsedText(
  (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  "must be a whole number",
);

const FILE = () =>
  z.custom<InputFile>(
    (value) => value instanceof Object && "bytes" in value && value.bytes instanceof Uint8Array,
    "must be a file",
  );

const YES = ["yes", "true", "on"];
const NO = ["no", "false", "off"];
const yesOrNo = (json: JsonValue) => (json === true ? "yes" : "no");

/** Pages, texts and files have the words of an identifier. */
const WORDS = { text: wordsOf, look: "short" } as const;

/** An object that has a number. */
const NUMBERED = { look: "short", isArgument: true } as const;

/** An object that has a name. */
const NAMED = {
  schema: () => core.line(64),
  isArgument: true,
  isSuggested: true,
  inFileName: "object",
} as const;

const TABLE = {
  order: { ...NUMBERED, schema: ORDER, toJson: orderNumber, inFileName: "object" },
  gift: { ...NUMBERED, schema: GIFT, toJson: giftNumber },
  client: NAMED,
  catalogue: NAMED,
  /** As an input, the key by which vendors are compared. */
  vendor: { ...NAMED, schema: () => core.requiredText(600, nameKey) },
  product: { schema: ID, isArgument: true, view: "stock show" },
  webhook: { schema: ID, isArgument: true },
  /** Another id. */
  id: { schema: ID, look: "short" },
  /** One line of text. */
  text: { schema: () => core.line(200), placeholder: "<text>" },
  /** An answer to a question about a file, such as `code = Claim Code`. */
  answer: { schema: () => core.line(500), isWholeLine: true, placeholder: "<answer>" },
  /** A text that may have several lines. */
  lines: {
    schema: () => core.requiredText(2_000, String),
    control: "textarea",
    placeholder: "<text>",
  },
  email: { schema: core.emailField, control: "email", placeholder: "<address>" },
  /** An address on the web. */
  url: { schema: () => core.textField(2_000), isLink: true, placeholder: "<url>" },
  /** A colour such as `#1f4d5c`. */
  colour: {
    schema: () => z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1f4d5c")),
    look: "short",
    control: "colour",
    placeholder: "<colour>",
  },
  /** The picture of a product, by its URL. Only shown. */
  image: { schema: () => core.textField(2_000), isPicture: true },
  /** The state of an object. Only shown. */
  status: { ...WORDS, schema: () => core.line(100), toJson: statusLabel },
  choice: { ...WORDS, schema: () => z.string() },
  flag: {
    schema: parsedText(
      (given) => YES.includes(given) || (NO.includes(given) ? false : undefined),
      "must be yes or no",
    ),
    text: yesOrNo,
    form: yesOrNo,
    look: "short labelled",
    control: "checkbox",
    placeholder: "[yes|no]",
  },
  /** A number of things. */
  count: { schema: COUNT, look: "number labelled", control: "number", placeholder: "<number>" },
  /** A share in basis points, entered in percent. */
  percent: {
    schema: parsedText((given) => {
      const basisPoints = Math.round(Number(given) * 100);
      return /^\d{1,3}(\.\d{1,2})?$/.test(given) && basisPoints <= 10_000 ? basisPoints : undefined;
    }, "must be a percentage from 0 to 100 with at most two decimals"),
    toJson: (basisPoints: number) => String(Math.round(basisPoints) / 100),
    text: (percent: string) => `${percent} %`,
    look: "number labelled",
    placeholder: "<percent>",
  },
  /** A decimal amount, whose currency another field has. The operation checks its decimals. */
  amount: {
    schema: parsedText((given) => {
      // U+2212 is the minus sign of some spreadsheets.
      const text = given.replace("\u2212", "-");
      return /^-?\d{1,15}(\.\d{1,4})?$/.test(text) ? text : undefined;
    }, "must be an amount such as 110.00"),
    look: "number",
    placeholder: "<amount>",
  },
  /** An amount in minor units. Only shown. */
  money: {
    schema: () => z.object({ minor: z.int(), currency: core.currencyCode() }),
    toJson: ({ minor, currency }: { minor: number; currency: Currency }) => ({
      amount: formatAmount(minor, currency),
      currency,
    }),
    text: ({ amount, currency }: Money) => `${grouped(amount)} ${currency}`,
    parts: { amount: "", currency: "_currency" },
    look: "number",
  },
  /** A time in epoch milliseconds, in JSON as an RFC 3339 timestamp. A day means its start in UTC. */
  time: {
    schema: parsedText(
      parseDayOrTimestamp,
      "must be a day such as 2026-05-01, or a timestamp such as 2026-05-01T09:30:00Z",
    ),
    toJson: optionalTimestamp,
    text: (time: string) => time.slice(0, 16).replace("T", " "),
    // Programs read times with their zone.
    csv: (time: string) => `${time.slice(0, 19).replace("T", " ")}Z`,
    form: (time: string) => time.slice(0, 10),
    look: "short labelled",
    control: "localDate",
    isTime: true,
    placeholder: "<date>",
    help: "A day begins at 0:00 UTC",
  },
  /** A day such as `2027-01-31`. */
  day: { schema: core.dayField, look: "short labelled", control: "date", placeholder: "<day>" },
  /** A month such as `2027-01`. */
  month: {
    schema: parsedText(
      (given) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined),
      "must be a month such as 2026-05",
    ),
    inFileName: "month",
    placeholder: "<month>",
  },
  /** An age in milliseconds, entered as a number of days or hours. */
  age: {
    schema: parsedText((given) => {
      const [, number = "", unit] = /^([1-9]\d{0,3})([dh])$/.exec(given) ?? [];
      if (unit === undefined) return undefined;
      return Number(number) * (unit === "d" ? DAY_MS : HOUR_MS);
    }, "must be a number of days or hours, such as 2d or 12h"),
    toJson: (ms: number) => `${String(ms / HOUR_MS)}h`,
    isTime: true,
    placeholder: "<days>",
  },
  /** A secret that is shown once. */
  secret: { schema: () => core.line(500) },
  /** The position of a page in the table of a view. */
  position: { schema: COUNT, isHidden: true },
  /** Other data, such as metadata. Only shown. */
  json: { schema: () => z.unknown(), isWhole: true },
  /** The file of a form. */
  file: {
    schema: FILE,
    toJson: ({ name }: InputFile) => name,
    control: "file",
    isArgument: true,
    placeholder: "<file>",
  },
} satisfies Record<string, Traits>;

export type KindType = keyof typeof TABLE;

export const KINDS: Readonly<Record<KindType, Traits>> = TABLE;

/** A field of each kind. */
const FIELDS = Object.fromEntries(
  Object.entries<Traits>(TABLE).map(([type, kind]) => [
    type,
    (label: string, options: KindOptions = {}) => ({
      type,
      label,
      ...options,
      ...(kind.isArgument && { isArgument: true }),
      schema: kind.schema,
      toJson: (value: unknown) => (kind.toJson ? kind.toJson(value) : value),
    }),
  ]),
) as {
  [Type in KindType]: (
    label: string,
    options?: KindOptions,
  ) => Kind<z.output<ReturnType<(typeof TABLE)[Type]["schema"]>>>;
};

export const { order, gift, client, product, catalogue, vendor, webhook, id, position } = FIELDS;
export const { answer, email, url, colour, image, status, secret, json } = FIELDS;
export const { flag, percent, amount, money, time, day, month, age } = FIELDS;

/** The order of a reading, also by the number of one of its gifts. */
export const orderOrGift = (label: string, options?: KindOptions) =>
  matching(order(label, options), ORDER_OR_GIFT);

/** One line of text. */
export const text = (
  label: string,
  { max = 200, ...options }: KindOptions & { max?: number } = {},
) => matching(FIELDS.text(label, options), () => core.line(max));

/** Why something is done. The audit log keeps it. */
export const reason = () =>
  matching(
    text("Reason", {
      hint: "Such as the number of a request. It is stored in the audit log. Do not enter personal data.",
    }),
    lazy(() =>
      core
        .line(200)
        .check(z.refine((given) => !given.includes("@"), "must not contain an e-mail address")),
    ),
  );

/** A text that may have several lines. */
export const lines = (
  label: string,
  { max = 2_000, ...options }: KindOptions & { max?: number } = {},
) => matching(FIELDS.lines(label, options), () => core.requiredText(max, String));

/** One of these values, which operators enter and read as `textField` writes them. */
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
  const field = FIELDS.choice(label, options);
  return { ...field, schema, toJson: textOf, options: [...byText.keys()] };
}

export const count = (
  label: string,
  { min = 0, max, ...options }: KindOptions & { min?: number; max?: number } = {},
) =>
  matching(FIELDS.count(label, options), () =>
    COUNT().check(z.minimum(min), ...(max === undefined ? [] : [z.maximum(max)])),
  );

/** The code of a currency, in any case. */
export const currency = (label: string, options?: KindOptions): Kind<Currency> => ({
  ...FIELDS.text(label, options),
  schema: lazy(() => z.pipe(z.string().check(z.toUpperCase()), core.currencyCode())),
});

/** A language, by its canonical tag. */
export const language = (label: string, options?: KindOptions) =>
  matching(
    FIELDS.text(label, options),
    lazy(() =>
      z.pipe(
        core.languageTag(),
        z.transform((tag) => languageOf(tag) as string),
      ),
    ),
  );

/** A file of at most `maxBytes` bytes. */
export function file(
  label: string,
  { maxBytes, ...options }: KindOptions & { maxBytes: number },
): Kind<InputFile> {
  const rule = `must have at most ${String(maxBytes / 1e6)} MB`;
  const schema = () => FILE().check(z.refine(({ bytes }) => bytes.length <= maxBytes, rule));
  return { ...FIELDS.file(label, options), schema, maxBytes };
}

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

/** The text of a value that is not null, unless its kind has another. */
export const valueText = (json: JsonValue): string =>
  typeof json === "object" ? JSON.stringify(json) : String(json);

/** An input that may be left out. The operation then uses this value. */
export function withDefault<Value>(field: Kind<Value>, value: Value): Kind<Value> {
  const json = field.toJson(value);
  const preset = KINDS[field.type].form?.(json) ?? valueText(json);
  const schema = () => z._default(field.schema(), value as never);
  return { ...field, isOptional: true, preset, schema };
}

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
