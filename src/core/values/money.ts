// Amounts are integers in minor units. Every supported currency has two decimals.

const MINOR_PER_MAJOR = 100;
const BASIS_POINTS = 10_000;

/** The largest price or shipping cost of a product. The sum of 500 of them is still exact. */
export const MAX_UNIT_MINOR = 9_999_999_999;

/** The largest balance that the operator can book. Even with the refunds of all orders, a balance is still exact. */
export const MAX_BALANCE_MINOR = 999_999_999_999_999;

/** `"110.00"` → 11000. `undefined` if the text is not a non-negative number with at most two decimals. */
export function parseAmount(text: string): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * MINOR_PER_MAJOR + Number((match[2] ?? "").padEnd(2, "0"));
}

/** 11000 → `"110.00"`. */
export function formatAmount(minor: number): string {
  const sign = minor < 0 ? "-" : "";
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** 968 → 9.68, for JSON. */
export function amountAsNumber(minor: number): number {
  return minor / MINOR_PER_MAJOR;
}

const formatters = new Map<string, Intl.NumberFormat>();

/** 9906444 of AUD → `"A$99,064.44"`. `currency` is a well-formed ISO 4217 code. */
export function formatCurrency(minor: number, currency: string): string {
  let formatter = formatters.get(currency);
  if (!formatter) {
    formatter = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    formatters.set(currency, formatter);
  }
  return formatter.format(amountAsNumber(minor));
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

/** The share of `part` of `whole` gifts in an amount, rounded down. The product may be larger than a safe integer. */
export function shareOfGifts(minor: number, part: number, whole: number): number {
  return Number((BigInt(minor) * BigInt(part)) / BigInt(whole));
}
