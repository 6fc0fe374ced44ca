// Converts values of shop exports to values of a catalogue file.
import { type Currency, decimalsOf } from "../../../core/values/iso.ts";
import { parseAmount } from "../../../core/values/money.ts";

/**
 * The minor units of a price such as "25", "19.9", "19,90" or "12.5000". Undefined if the text is not an amount of the
 * currency, or if it has three digits after the point in a currency with fewer decimals: "1.500" means 1500 in some
 * countries.
 */
export function parsePrice(text: string, currency: Currency): number | undefined {
  if (/\.\d{3}$/.test(text) && decimalsOf(currency) < 3) return undefined;
  const amount = text.replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  return parseAmount(amount.replace(/(?:\.|(?<=\.\d*[1-9]))0+$/, ""), currency);
}

/**
 * The id of an attribute, for shops that identify attributes by name: 31 bits of a hash of the name. An attribute has
 * the same id on all products and in later files.
 */
export function attributeId(name: string): number {
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name.trim().toLowerCase())) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 1) + 1;
}

/**
 * A number in another unit, as text with at most four decimals. Empty if the text is empty or the unit is unknown. Text
 * that is not a number is returned as it is.
 */
export function convertUnit(text: string, factor: number | undefined): string {
  const value = Number(text.replace(",", "."));
  if (text === "" || factor === undefined) return "";
  if (!Number.isFinite(value)) return text;
  return String(Math.round(value * factor * 10_000) / 10_000);
}

/** The paths without the spaces that a shop adds: `A>B ` → `A > B`. Empty ones are left out. */
export const categoryPaths = (paths: readonly string[]): string[] => {
  const named = paths.map((path) =>
    path
      .split(">")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .join(" > "),
  );
  return [...new Set(named)].filter((path) => path !== "");
};
