// The price and the stock of a row in a WooCommerce export.
import type { Currency } from "../../../../core/values/iso.ts";
import { parseUtc, SECOND_MS } from "../../../../core/values/time.ts";
import type { ReportProblem } from "../check.ts";
import { parsePrice } from "../convert.ts";
import type { ShopDefaults } from "../source.ts";
import { priceIn, type ShopStock, trackedStock, untracked } from "../shop-product.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { readFlag } from "../../../files/numbers.ts";

/**
 * The sale price during a sale, otherwise the regular price. Undefined if it is empty. A sale price of zero is ignored.
 * Reports an invalid price.
 */
export function priceOf(
  row: CsvRow,
  { nowMs, currency }: ShopDefaults,
  report: ReportProblem,
): string | undefined {
  const isZero = Number(row.get("Sale price").replace(",", ".")) === 0;
  const isOffered = !isZero && isOnSale(row, nowMs, report);
  const onSale = isOffered && !isNotLower(row, currency);
  return priceIn(row, onSale ? "Sale price" : "Regular price", currency, report);
}

/** WooCommerce ignores a sale price that is not lower than the regular price. */
function isNotLower(row: CsvRow, currency: Currency): boolean {
  const sale = parsePrice(row.get("Sale price"), currency);
  const regular = parsePrice(row.get("Regular price"), currency);
  return sale !== undefined && regular !== undefined && sale >= regular;
}

/** A sale ends at the end of its last second. A date without a time includes the whole day. */
function isOnSale(row: CsvRow, nowMs: number, report: ReportProblem): boolean {
  const readTime = (field: string, defaultTime: string) => {
    const text = row.get(field);
    if (text === "") return undefined;
    const ms = parseDateTime(text, defaultTime);
    if (ms === undefined) report(row, field, `must be a date such as 2026-05-31: ${text}`);
    return ms;
  };
  const startMs = readTime("Date sale price starts", "00:00:00") ?? -Infinity;
  const lastSecondMs = readTime("Date sale price ends", "23:59:59") ?? Infinity;
  return startMs <= nowMs && nowMs < lastSecondMs + SECOND_MS;
}

/** Parses `2026-05-31` (at `defaultTime`) or `2026-05-31 9:30:00`, in UTC. Undefined if the time is not valid. */
function parseDateTime(text: string, defaultTime: string): number | undefined {
  const [, date = "", hour, rest = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[ T]([01]?\d|2[0-3])(:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  return parseUtc(date, hour === undefined ? defaultTime : hour.padStart(2, "0") + rest);
}

/** The stock of a row. It is tracked if the row has a quantity. */
export function stockOf(row: CsvRow, report: ReportProblem): ShopStock {
  const text = row.get("Stock");
  const inStock = readFlag(row.get("In stock?")) !== false;
  const status = inStock ? "in_stock" : "out_of_stock";
  if (text === "") return untracked(status);
  if (!/^-?\d{1,9}(\.0+)?$/.test(text)) {
    const reason =
      text === "parent"
        ? "shared with the parent is not supported: each variation needs its own"
        : `must be a whole number: ${text}`;
    report(row, "Stock", reason);
    return untracked(status);
  }
  const backorders = row.get("Backorders allowed?").toLowerCase();
  const continues = inStock && (backorders === "notify" || readFlag(backorders) === true);
  return trackedStock(Number(text), status, continues);
}
