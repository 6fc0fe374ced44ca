// Reads CSV files with the quantities of products, such as the list of low stock after a count.
import { parseId } from "../../core/values/ids.ts";
import type { CsvRow } from "../files/csv.ts";
import { cellReader, findColumns, readSpreadsheet } from "../files/table.ts";
import { damageIn } from "../files/damage.ts";
import { excerpt, UnreadableFile } from "../files/unreadable-file.ts";
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import { STOCK_LIST_COLUMNS } from "./list.ts";
import { type CountedStock, MAX_QUANTITY } from "../catalogue/stock-queries.ts";
import type { IdsOf } from "./target.ts";

const MAX_ROWS = 50_000;

/** The names of each column. Case, spaces, hyphens, underscores and full stops do not matter. */
const STOCK_COLUMNS = {
  product: ["product", "product_id"],
  variation: ["variation", "variation_id"],
  key: ["sku", "key"],
  quantity: ["quantity", "qty", "stock"],
} as const;

type Cells = ReturnType<typeof cellReader<keyof typeof STOCK_COLUMNS>>;

export type StockFault = {
  row: number;
  /** The product as it was named. */
  product: string;
  reason: string;
};

export interface CountedRow extends CountedStock {
  row: number;
  product: string;
}

export interface StockFile {
  rows: CountedRow[];
  faults: StockFault[];
  /** The columns that are neither read nor those of `stock list`. */
  unread: string[];
}

/** A product is named by its id, or by its key in a shop. Errors: `UnreadableFile`. */
export function readStockFile(bytes: Uint8Array, idsOf: IdsOf | null): StockFile {
  const table = readSpreadsheet(bytes, { maxRows: MAX_ROWS });
  const columns = findColumns(table.columns, STOCK_COLUMNS);
  if (columns.quantity === undefined || (columns.product ?? columns.key) === undefined) {
    throw new UnreadableFile(
      `needs the column quantity, and product or sku. Its columns are: ${table.columns.join(", ")}`,
    );
  }
  const rows = new Map<string, CountedRow>();
  const faults: StockFault[] = [];
  for (const row of table.rows) {
    const get = cellReader(row, columns);
    const product = get("product") || get("key");
    const read = countedIn(row, get, idsOf);
    const key =
      typeof read === "string" ? "" : `${String(read.productId)}/${String(read.variationId)}`;
    const first = rows.get(key);
    const fault =
      typeof read === "string" ? read : first && `is the same as row ${String(first.row)}`;
    if (fault !== undefined) {
      faults.push({ row: row.number, product: excerpt(product), reason: excerpt(fault) });
    } else rows.set(key, { ...(read as CountedStock), row: row.number, product });
  }
  const unread = table.unread([...Object.keys(STOCK_LIST_COLUMNS), ...Object.values(columns)]);
  return { rows: [...rows.values()], faults, unread };
}

/** The record, or why the row does not name one. */
function countedIn(row: CsvRow, get: Cells, idsOf: IdsOf | null): CountedStock | string {
  if (row.fault !== undefined) return row.fault;
  const damage = damageIn(get("product")) ?? damageIn(get("key"));
  if (damage !== undefined) return `has a cell that ${damage}`;
  const ids = idsIn(get, idsOf);
  if (typeof ids === "string") return ids;
  const text = get("quantity").toLowerCase();
  if (text === "untracked") return { ...ids, quantity: null };
  const quantity = Number(text);
  return /^\d+$/.test(text) && quantity <= MAX_QUANTITY
    ? { ...ids, quantity }
    : `must have a whole number, or untracked, as its quantity: ${text}`;
}

/** The product that the cells name, or why they name none. */
export function idsIn(
  get: (key: "product" | "key" | "variation") => string,
  idsOf: IdsOf | null,
): SourceIds | string {
  const [product, key, variation] = [get("product"), get("key"), get("variation")];
  const variationId = variation === "" || variation === "0" ? 0 : parseId(variation);
  if (variationId === undefined) return `must have the id of a variation: ${variation}`;
  const productId = parseId(product);
  if (productId !== undefined) return { productId, variationId };
  const name = key || product;
  if (name === "") return "names no product";
  if (!idsOf) {
    return key === ""
      ? `must have the id of a product: ${product}`
      : "names its product by a key, which needs the catalogue";
  }
  const [found, ...others] = idsOf(name);
  if (!found) return `names a product that the catalogue does not have: ${name}`;
  if (others.length > 0) return `names several products: ${name}`;
  return found;
}
