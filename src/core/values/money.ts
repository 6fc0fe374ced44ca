// Amounts are integers in the minor unit of their currency.
import { type Currency, decimalsOf } from "./iso.ts";

const BASIS_POINTS = 10_000;

/**
 * The largest price or shipping cost of a product, which is some hundred US dollars in rials. The sum of 500 of them is
 * still exact.
 */
export const MAX_UNIT_MINOR = 99_999_999_999;

/** The largest balance that the operator can book. Even with the refunds of all orders, a balance is still exact. */
export const MAX_BALANCE_MINOR = 999_999_999_999_999;

/** The digits of MAX_BALANCE_MINOR. */
const MAX_DIGITS = 15;

/**
 * `"110.00"` of AUD → 11000, `"110"` of JPY → 110. `undefined` if the text is not a non-negative number, or if it has more
 * decimals than the currency.
 */
export const parseAmount = (text: string, currency: Currency): number | undefined =>
  parseDecimal(text, decimalsOf(currency));

/** `"2.75"` with two decimals → 275. */
export function parseDecimal(text: string, decimals: number): number | undefined {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  if (whole.length + decimals > MAX_DIGITS) return undefined;
  return Number(whole + fraction.padEnd(decimals, "0"));
}

/** 11000 of AUD → `"110.00"`, of JPY → `"11000"`. */
export function formatAmount(minor: number, currency: Currency): string {
  const decimals = decimalsOf(currency);
  const sign = minor < 0 ? "-" : "";
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return sign + digits.slice(0, point) + (decimals > 0 ? `.${digits.slice(point)}` : "");
}

/** 11000 of AUD → `"110.00 AUD"`. */
export const amountWithCode = (minor: number, currency: Currency) =>
  `${formatAmount(minor, currency)} ${currency}`;

/** `-1856.30` → `-1,856.30` */
export const grouped = (amount: string) =>
  amount.replace(/\B(?=(\d{3}){1,5}(?!\d))(?<!\.\d{0,4})/g, ",");

/** 185630 of AUD → `"1,856.30 AUD"`, as operators read it. */
export const amountText = (minor: number, currency: Currency) =>
  grouped(amountWithCode(minor, currency));

/** 968 of AUD → 9.68, for JSON. */
export const amountAsNumber = (minor: number, currency: Currency): number =>
  minor / 10 ** decimalsOf(currency);

/** The rule that a text breaks which is not an amount of the currency, or one above the maximum. */
export function amountRule(text: string, currency: Currency, maxMinor = MAX_BALANCE_MINOR): string {
  const decimals = decimalsOf(currency);
  const isAmount = /^\d+(?:\.(\d+))?$/.exec(text);
  return isAmount && (isAmount[1] ?? "").length <= decimals
    ? `must be at most ${amountWithCode(maxMinor, currency)}`
    : `must be an amount in ${currency}, which has ${String(decimals)} decimals`;
}

const formatters = new Map<Currency, Intl.NumberFormat>();

/** 9906444 of AUD → `"A$99,064.44"`. */
export function formatCurrency(minor: number, currency: Currency): string {
  let formatter = formatters.get(currency);
  if (!formatter) {
    const decimals = decimalsOf(currency);
    formatter = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formatters.set(currency, formatter);
  }
  return formatter.format(amountAsNumber(minor, currency));
}

/**
 * A share of an amount in basis points, rounded half up. An order's totals are not rounded
 * anywhere else. The division has two parts, so that every product is a safe integer.
 */
export function shareOf(minor: number, basisPoints: number): number {
  const whole = Math.floor(minor / BASIS_POINTS);
  const rest = minor % BASIS_POINTS;
  return whole * basisPoints + Math.floor((rest * basisPoints + BASIS_POINTS / 2) / BASIS_POINTS);
}
