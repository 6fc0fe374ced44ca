// Amounts of responses, and the currencies of property tests. It shares no table with src.
import fc from "fast-check";

/** The currencies of tests that do not have two decimals. */
const DECIMALS: Record<string, number> = { JPY: 0, VND: 0, KWD: 3, CLF: 4 };
const decimalsOf = (currency: string) => DECIMALS[currency] ?? 2;

export type TestCurrency = "JPY" | "AUD" | "KWD";

/** A currency with no decimals, with two and with three. */
export const anyCurrency = fc.constantFrom<TestCurrency>("JPY", "AUD", "KWD");

const inMinor = (amount: number, decimals: number) => Math.round(amount * 10 ** decimals);

/** Whether the amount has exactly the currency's decimals as text, and no more as a number. */
export function hasDecimals(amount: string | number, currency: string): boolean {
  const decimals = decimalsOf(currency);
  if (typeof amount === "number") return inMinor(amount, decimals) / 10 ** decimals === amount;
  const [whole = "", fraction = "", ...rest] = amount.split(".");
  return /^\d+$/.test(whole) && fraction.length === decimals && rest.length === 0;
}

/** The minor units of an amount of a response. */
export function minorOf(amount: string | number, currency: string): number {
  if (!hasDecimals(amount, currency)) throw new Error(`${String(amount)} is not in ${currency}`);
  return inMinor(Number(amount), decimalsOf(currency));
}
