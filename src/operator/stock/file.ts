// Reads files with the quantities of products, such as the list of low stock after a count.
import { parseId } from "../../core/values/ids.ts";
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import { type CountedStock, MAX_QUANTITY } from "../catalogue/stock-queries.ts";
import type { CsvRow } from "../files/csv.ts";
import { damageIn } from "../files/damage.ts";
import { type DeskField, mostly } from "../files/desk/columns.ts";
import type { Desk, DeskRequest } from "../files/desk/desk.ts";
import { excerpt } from "../files/unreadable-file.ts";
import { STOCK_LIST_COLUMNS } from "./list.ts";
import { type IdsOf, stockName } from "./target.ts";

/** The fields that name what is sold. */
export const PRODUCT_FIELDS = {
  product: { label: "Product (its id)", names: "product, product id" },
  variation: { label: "Variation (its id)", names: "variation, variation id" },
  key: { label: "Product (its SKU or key)", names: "sku, key, handle, product sku" },
} as const satisfies Record<string, DeskField>;

const QUANTITY = /^(?:\d+|untracked)$/i;

export const STOCK_FIELDS = {
  ...PRODUCT_FIELDS,
  quantity: {
    label: "Quantity",
    names: "quantity, qty, stock",
    isStrict: true,
    looks: (texts) => mostly(texts, (text) => QUANTITY.test(text)),
  },
} as const satisfies Record<string, DeskField>;

/** The fields of which a file needs one. Without a catalogue, ids are more likely than keys. */
export const namingFields = (idsOf: IdsOf | null) =>
  idsOf ? (["product", "key"] as const) : (["key", "product"] as const);

export type StockFault = {
  row: number;
  /** The product as it was named. */
  product: string;
  reason: string;
};

export interface CountedRow extends CountedStock {
  row: number;
  product: string;
  source: CsvRow;
}

export type StockFile = ReturnType<typeof readStockFile>;

export const stockDesk = (idsOf: IdsOf | null): DeskRequest<keyof typeof STOCK_FIELDS> => ({
  fields: STOCK_FIELDS,
  needs: [{ keys: namingFields(idsOf) }, { keys: ["quantity"] }],
  counts: "are quantities to set",
  mayIgnore: true,
  own: [Object.keys(STOCK_LIST_COLUMNS)],
  maxRows: 50_000,
});

/** A product is named by its id, or by its key in a shop. */
export function readStockFile(desk: Desk<keyof typeof STOCK_FIELDS>, idsOf: IdsOf | null) {
  const counted: CountedRow[] = [];
  const faults: StockFault[] = [];
  const leftOut: StockFault[] = [];
  for (const source of desk.rows) {
    const get = desk.cells(source);
    const product = excerpt(get("product") || get("key"));
    const fault = (to: StockFault[], reason: string) =>
      to.push({ row: source.number, product, reason: excerpt(reason) });
    const answer = desk.leftOut(source);
    const read = source.fault ?? countedIn(get, idsOf);
    if (answer !== null) fault(leftOut, answer);
    else if (typeof read === "string") fault(faults, read);
    else counted.push({ ...read, row: source.number, product, source });
  }
  const same = [...Map.groupBy(counted, stockName).values()];
  const rows = same.filter(({ length }) => length === 1).flat();
  // It is not known which one is right.
  const repeated = same.filter(({ length }) => length > 1).flat();
  for (const { row, product } of repeated)
    faults.push({
      row,
      product,
      reason: "is one of several rows of the same product or variation",
    });
  return { rows, repeated, faults, leftOut };
}

/** The record, or why the row does not name one. */
function countedIn(
  get: (key: keyof typeof STOCK_FIELDS) => string,
  idsOf: IdsOf | null,
): CountedStock | string {
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
