// Reads the stock of the variants in a Shopify export.
import { type CsvRow, findColumn } from "../../../files/csv.ts";
import type { FileProblem, SourceDefaults } from "../source.ts";
import { columnNames } from "./columns.ts";
import { optionValues } from "./inventory.ts";

export interface StockReader {
  /** Whether the shop tracks the stock of the variant. */
  isTracked: (variant: CsvRow) => boolean;
  /** Empty if the variant has no quantity. Null if no variant has one, or if quantities are ignored. */
  quantityOf: (variant: CsvRow) => string | null;
  /** Whether neither the file nor the defaults have quantities. */
  lacksQuantities: boolean;
}

/** Reads quantities from the inventory file if there is one, otherwise from the product export. */
export function stockReader(columns: string[], { stock }: SourceDefaults): StockReader {
  const has = (column: string) => findColumn(columns, columnNames(column)) !== undefined;
  const [hasTracker, hasQuantity] = [has("Inventory tracker"), has("Inventory quantity")];
  const quantityOf = (variant: CsvRow): string | null => {
    if (stock === "untracked") return null;
    if (stock) {
      const quantity = stock.quantityOf(variant.get("URL handle"), optionValues(variant));
      return quantity === undefined ? "" : String(quantity);
    }
    return hasQuantity ? variant.get("Inventory quantity") : null;
  };
  // If the file has no column for trackers, a variant with a quantity is tracked.
  const isTracked = (variant: CsvRow) =>
    hasTracker ? variant.get("Inventory tracker") !== "" : (quantityOf(variant) ?? "") !== "";
  return { quantityOf, isTracked, lacksQuantities: stock === undefined && !hasQuantity };
}

/**
 * The stock of a variant. A quantity below 0 becomes 0. A variant without stock is not tracked if the shop continues to
 * sell it.
 */
export function stockOf(
  { isTracked, quantityOf }: StockReader,
  variant: CsvRow,
  { stock }: SourceDefaults,
  problems: FileProblem[],
) {
  const untracked = { tracked: false, status: "in_stock" as const, quantity: "" };
  const text = quantityOf(variant);
  if (text === null || !isTracked(variant)) return untracked;
  if (!/^-?\d{1,9}$/.test(text)) {
    const missing = stock
      ? "is not in the inventory file"
      : "is required if an inventory tracker is set";
    const reason = text === "" ? missing : `must be a whole number: ${text}`;
    problems.push({ row: variant.number, field: "Inventory quantity", reason });
    return untracked;
  }
  const quantity = Number(text);
  const policy = variant.get("Continue selling when out of stock").toLowerCase();
  if (quantity <= 0 && (policy === "continue" || policy === "true")) return untracked;
  return {
    tracked: true,
    status: quantity > 0 ? ("in_stock" as const) : ("out_of_stock" as const),
    quantity: String(Math.max(0, quantity)),
  };
}
