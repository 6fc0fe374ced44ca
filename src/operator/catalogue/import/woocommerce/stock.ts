// The stock of a row in a WooCommerce export.
import type { ReportProblem } from "../check.ts";
import { type ShopStock, trackedStock, untracked } from "../shop-product.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { readFlag } from "../../../files/numbers.ts";

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
