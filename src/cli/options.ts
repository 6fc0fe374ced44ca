// Validates options that several commands have. Errors: `UsageError`.
import { currencyCode, requiredText } from "../core/validation/fields.ts";
import { brokenRule } from "../core/validation/validate.ts";
import { parseId, parseNumber, parseSuborder, suborderId } from "../core/values/ids.ts";
import type { Currency } from "../core/values/iso.ts";
import { amountRule, MAX_BALANCE_MINOR, parseAmount } from "../core/values/money.ts";
import { DAY_MS, HOUR_MS, parseUtc } from "../core/values/time.ts";
import { UsageError } from "./errors.ts";
import { isPrintable } from "./terminal.ts";

/** Options with a text, none of them required. */
export type Texts<Names extends string> = Partial<Record<Names, string>>;

/** The parser of an option that may be repeated. */
export const repeated = (text: string, earlier: string[] = []): string[] => [...earlier, text];

export function currencyOption(code: string | undefined): Currency | undefined {
  if (code === undefined) return undefined;
  const { data, error } = currencyCode().safeParse(code);
  if (error) throw new UsageError(`--currency ${code} ${error.issues[0]?.message ?? ""}.`);
  return data;
}

/** An amount in minor units. Before its currency is known, only whether it is a number: no currency has five decimals. */
export function amountOption(
  option: string,
  text: string,
  currency: Currency | undefined,
  maxMinor = MAX_BALANCE_MINOR,
): number {
  if (currency === undefined) {
    return parsed(text, numberIn, `${option} must be an amount such as 110.00`);
  }
  const minorIn = () => {
    const minor = parseAmount(text, currency);
    return minor !== undefined && minor <= maxMinor ? minor : undefined;
  };
  return parsed(text, minorIn, `${option} ${amountRule(text, currency, maxMinor)}`);
}

const numberIn = (text: string) => (/^\d+(\.\d{1,4})?$/.test(text) ? Number(text) : undefined);

/** Throws if the text is blank or has more than `max` characters. */
export function textOption(option: string, value: string, max: number): void {
  const rule = brokenRule(requiredText(max), value);
  if (rule !== undefined) throw new UsageError(`${option} ${rule}.`);
}

const MAX_OPERATOR_NAME = 100;

/**
 * The operator's name for the audit log: --as, otherwise the variable REGALO_OPERATOR, otherwise the user of the
 * computer. A deployed environment requires a name.
 */
export function operatorOption(given: string | undefined, isDeployed: boolean): string {
  const { REGALO_OPERATOR, USER, USERNAME } = process.env;
  const name = (given ?? (REGALO_OPERATOR || USER || USERNAME || "")).trim();
  if (given === undefined && name === "") {
    if (!isDeployed) return "unknown";
    throw new UsageError("give your name for the audit log with --as, or set REGALO_OPERATOR.");
  }
  textOption("--as", name, MAX_OPERATOR_NAME);
  if (!isPrintable(name)) {
    throw new UsageError("--as must be one line of text, without characters that reorder it.");
  }
  return name;
}

/**
 * What `parse` makes of the text of an option or argument. Undefined for an option that is not given. Errors: `UsageError`
 * with the rule if the text cannot be parsed.
 */
export function parsed<T, Text extends string | undefined>(
  text: Text,
  parse: (text: string) => T | undefined,
  rule: string,
): T | Extract<Text, undefined> {
  if (text === undefined) return undefined as Extract<Text, undefined>;
  const value = parse(text);
  if (value === undefined) throw new UsageError(`${rule}: ${text}`);
  return value;
}

/** Errors: `UsageError`, unless exactly one of the two is given. `names` is their part of the message. */
export function requireOne(names: string, one: unknown, other: unknown): void {
  if ((one === undefined) === (other === undefined)) throw new UsageError(`give either ${names}.`);
}

export const limitOption = <Text extends string | undefined>(text: Text) =>
  parsed(text, parseLimit, "--limit must be a number from 1 to 10000");

function parseLimit(text: string): number | undefined {
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= 10_000 ? limit : undefined;
}

/** Parses a day, and returns its start in UTC. */
export const dayOption = (option: string, day: string | undefined) =>
  parsed(day, (text) => parseUtc(text), `${option} must be a day such as 2026-05-01`);

/** Parses an age, and returns it in milliseconds. */
export const ageOption = (option: string, age: string | undefined) =>
  parsed(age, parseAge, `${option} must be a number of days or hours, such as 2d or 12h`);

function parseAge(age: string): number | undefined {
  const [, count = "", unit] = /^([1-9]\d{0,3})([dh])$/.exec(age) ?? [];
  return unit === undefined ? undefined : Number(count) * (unit === "d" ? DAY_MS : HOUR_MS);
}

/** Parses the sequence of an event. */
export const sequenceOption = (option: string, text: string | undefined, parse = parseId) =>
  parsed(text, parse, `${option} must be the sequence of an event`);

/**
 * The order or gift in an argument, which is a number as commands print it, such as `GO-00042` or `GO-00042-3`, in any
 * case and with or without the zeros, or the id of an order. The sequence of an order is null. Errors: `UsageError`.
 */
export const orderOrGiftOf = <Text extends string | undefined>(text: Text, option = "<order>") =>
  parsed(
    text,
    parseOrderOrGift,
    `${option} must be an order number such as GO-00042, a sub-order number such as GO-00042-3, or the id of an order`,
  );

function parseOrderOrGift(text: string) {
  const orderId = parseId(text);
  return orderId === undefined ? parseNumber(text) : { orderId, sequence: null };
}

/**
 * The sub-order id in an argument, which is a sub-order number such as `GO-00042-3`, in any case and with or without the
 * zeros, or an id. Errors: `UsageError`.
 */
export function suborderIdOf(gift: string, argument: string): number {
  const { orderId, sequence = null } = parseNumber(gift) ?? {};
  return parsed(
    gift,
    () =>
      orderId === undefined || sequence === null
        ? parseSuborder(gift)
        : suborderId(orderId, sequence),
    `${argument} must be a sub-order number such as GO-00042-3, or an id`,
  );
}
