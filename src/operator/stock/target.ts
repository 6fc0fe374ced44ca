// The product or variation that an operator names.
import * as z from "zod/mini";
import { notFound, refusal, validationError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { line } from "../../core/validation/fields.ts";
import { parseId } from "../../core/values/ids.ts";
import type { StockLevel } from "../../features/catalogue/product.ts";
import type { OperatorContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readSourceKeys, type SourceIds } from "../catalogue/publish/plan-queries.ts";
import { requireCatalogue } from "../catalogue/queries.ts";
import { readProductStock, type StockChange, type StockKey } from "../catalogue/stock-queries.ts";

const MAX_KEY_LENGTH = 10_000;

/** The inputs that name a product: by its id, or by its key in the file of a shop. */
export const PRODUCT_INPUTS = {
  product: kinds.argument({
    ...kinds.text("Product", {
      hint: "Its id. With a catalogue: its SKU, Shopify handle or WooCommerce id (id:42) in the shop.",
    }),
    schema: lazy(() =>
      z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), line(MAX_KEY_LENGTH)),
    ),
  }),
  // Not an object of links, which name the product by its id.
  catalogue: kinds.option(
    kinds.optional(
      kinds.catalogue("Catalogue", { hint: "Only if the product is named by its key in a shop." }),
    ),
  ),
};

/** The inputs that name the stock of a product or variation. */
export const RECORD_INPUTS = {
  ...PRODUCT_INPUTS,
  variation: kinds.argument(
    kinds.optional(kinds.id("Variation", { hint: "Of a variable product." })),
  ),
};

/** Either the id of a product, or a key of it in a catalogue's shop file. */
type ProductReference = Partial<kinds.InputOf<typeof RECORD_INPUTS>> & { product: string };

/** The ids of a source key, SKU or handle of the catalogue's shop. Several if a SKU is used more than once. */
export type IdsOf = (key: string) => readonly SourceIds[];

/** Reads the keys of the catalogue. Errors: `not_found`. */
export async function readIdsOf(d1: D1Database, name: string): Promise<IdsOf> {
  const { id } = await requireCatalogue(d1, name);
  const keys = await readSourceKeys(d1, id);
  // The SKU of a Shopify variant is the end of its key, which begins with the product's handle.
  const bySku = Map.groupBy(
    [...keys].flatMap(([key, ids]) => {
      const [, sku] = / sku:(.*)/s.exec(key) ?? [];
      return sku === undefined ? [] : [{ sku, ids }];
    }),
    ({ sku }) => sku,
  );
  return (key) => {
    const found = [key, `sku:${key}`, `handle:${key}`].flatMap((each) => keys.get(each) ?? []);
    const all: readonly SourceIds[] =
      found.length > 0 ? found : (bySku.get(key.replace(/^sku:/, "")) ?? []).map(({ ids }) => ids);
    return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  };
}

const invalidProduct = (message: string) => validationError([{ field: "product", message }]);

/** The product and, if the reference selects it, the variation. Errors: `not_allowed_in_state`, `validation_error`. */
export async function findTarget(
  d1: D1Database,
  { product: key, catalogue, variation: variationId }: ProductReference,
): Promise<{ productId: number; variationId: number | undefined }> {
  const productId = parseId(key);
  if (catalogue === undefined) {
    if (productId !== undefined) return { productId, variationId };
    throw invalidProduct("must be the id of a product, or a key of the shop with its catalogue");
  }
  if (productId !== undefined) {
    throw invalidProduct(`is an id, which needs no catalogue. Write sku:${key} for a SKU`);
  }
  const idsOf = await readIdsOf(d1, catalogue);
  const [found, ...others] = idsOf(key);
  if (!found) {
    throw notFound(
      `catalogue ${catalogue} has no source key, SKU or handle ${key}. ` +
        "Products of a file with its own ids are found by their id only.",
    );
  }
  if (others.length > 0) {
    const all = [found, ...others].map(stockName).join("; ");
    throw refusal(`${key} is not unique in catalogue ${catalogue}: ${all}. Use the id.`);
  }
  if (found.variationId === 0) return { productId: found.productId, variationId };
  if (variationId !== undefined && variationId !== found.variationId) {
    throw refusal(`${key} is ${stockName(found)}, not variation ${String(variationId)}.`);
  }
  return found;
}

type StockContext = Pick<OperatorContext, "DB" | "user">;

type StockTarget = Awaited<ReturnType<typeof requireRecord>>;

/** The stock record that an operator changes. Errors: those of `findTarget`; `not_allowed_in_state` if there is no such record. */
export async function requireRecord({ DB, user }: StockContext, reference: ProductReference) {
  const { productId, variationId = 0 } = await findTarget(DB, reference);
  const stock = await requireStock({ DB, user }, productId);
  // All records of an unpublished product can be changed, because its orders may still return stock.
  const records = stock.records.filter(({ published }) => published || stock.type === null);
  const record = records.find((each) => each.variationId === variationId);
  const key = { productId, variationId };
  if (record && consistsOfCodes(record)) throw refusal(`${stockName(key)}: ${OF_CODES}.`);
  if (record) return { key, record, stock };
  const variations = records
    .filter((each) => each.variationId > 0)
    .map(({ variationId: id, options }) => `${String(id)}${options ? ` (${options})` : ""}`);
  const name = `product ${String(productId)}`;
  if (variations.length === 0) throw refusal(`${name} has no variations.`);
  throw refusal(`a change needs one of the variations of ${name}: ${variations.join(", ")}.`);
}

/** Errors: `not_found` if there is no such product. */
export async function requireStock({ DB, user }: StockContext, productId: number) {
  const stock = await readProductStock(DB, productId, user);
  if (!stock) throw unknownProduct(productId);
  return stock;
}

export const unknownProduct = (productId: number) =>
  notFound(`there is no product ${String(productId)}.`);

/** Why a quantity is not changed. */
export const OF_CODES = "its stock is the number of its codes. Use code upload";

export const consistsOfCodes = ({ codeDays = null }: { codeDays?: number | null | undefined }) =>
  codeDays !== null;

/** A record as a row of a list. */
export const recordRow = <Row extends StockLevel>({ variationId, sellable, ...each }: Row) => ({
  ...each,
  codes: consistsOfCodes(each),
  variation: variationId || null,
  on_sale: sellable,
});

export function stockName({ productId, variationId }: StockKey): string {
  const product = `product ${String(productId)}`;
  return variationId === 0 ? product : `${product}, variation ${String(variationId)}`;
}

/** `product 1001 (Mug)` */
export const titleOf = ({ key, stock }: StockTarget) =>
  stockName(key) + (stock.name === null ? "" : ` (${stock.name})`);

export const quantityText = (quantity: number | null) =>
  quantity === null ? "untracked" : String(quantity);

/** What the plans of all changes of a record have. */
export const plannedStock = ({ key, record }: StockTarget, after: number | null) => ({
  key,
  changes: [
    { label: "Quantity", before: quantityText(record.quantity), after: quantityText(after) },
  ],
  subjects: [{ type: "stock" as const, keys: [key.productId] }],
  confirms: key,
});

/** What a change of a record shows. */
export const CHANGED_STOCK = {
  product: kinds.product("Product"),
  variation: kinds.id("Variation"),
  before: kinds.count("Before"),
  after: kinds.count("Now"),
};

/** What a change of a record has done. */
export function changedStock({ productId, variationId }: StockKey, change: StockChange) {
  const { before, after } = change;
  const name = stockName({ productId, variationId });
  return {
    text: `The stock of ${name} is ${quantityText(after)}. Before, it was ${quantityText(before)}.`,
    facts: { product: productId, variation: variationId || null, before, after },
  };
}

/** Errors: `not_allowed_in_state` if there is no such stock of pieces. */
export function orMissing(key: StockKey, change: StockChange | null): StockChange {
  if (!change) throw refusal(`${stockName(key)} has no stock of pieces.`);
  return change;
}
