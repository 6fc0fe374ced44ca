// Reads the stock of the variants in a Shopify export.
import { type CsvRow, findColumn } from "../../../files/csv.ts";
import { readFlag } from "../../../files/numbers.ts";
import type { ReportProblem } from "../check.ts";
import { type ShopStock, trackedStock, untracked } from "../shop-product.ts";
import type { ShopDefaults } from "../source.ts";
import { shopifyNames } from "./columns.ts";
import { optionValues } from "./inventory.ts";

/** Reads quantities from the inventory file if there is one, otherwise from the product export. */
export function stockReader(columns: string[], { stock }: ShopDefaults) {
  const has = (column: string) => findColumn(columns, shopifyNames(column)) !== undefined;
  const [hasTracker, hasQuantity] = [has("Inventory tracker"), has("Inventory quantity")];
  /** Empty if the variant has no quantity. Null if no variant has one, or if quantities are ignored. */
  const quantityOf = (variant: CsvRow): string | null => {
    if (stock === "untracked") return null;
    if (!stock) return hasQuantity ? variant.get("Inventory quantity") : null;
    const quantity = stock.quantityOf(variant.get("URL handle"), optionValues(variant));
    return String(quantity ?? "");
  };
  /** Whether the shop tracks the stock. If the file has no column for trackers, a variant with a quantity is tracked. */
  const isTracked = (variant: CsvRow) =>
    hasTracker ? variant.get("Inventory tracker") !== "" : (quantityOf(variant) ?? "") !== "";
  const stockOf = (variant: CsvRow, report: ReportProblem): ShopStock => {
    const text = quantityOf(variant);
    if (text === null || !isTracked(variant)) return untracked("in_stock");
    if (!/^-?\d{1,9}(\.0+)?$/.test(text)) {
      const missing = stock
        ? "is not in the inventory file"
        : "is required if an inventory tracker is set";
      const reason = text === "" ? missing : `must be a whole number: ${text}`;
      report(variant, "Inventory quantity", reason);
      return untracked("in_stock");
    }
    const policy = variant.get("Continue selling when out of stock").toLowerCase();
    return trackedStock(
      Number(text),
      "in_stock",
      policy === "continue" || readFlag(policy) === true,
    );
  };
  /** Whether the shop tracks stock, but neither the file nor the defaults have quantities. */
  const lacksQuantities = (rows: CsvRow[]) =>
    stock === undefined && !hasQuantity && rows.some(isTracked);
  return { stockOf, lacksQuantities };
}
