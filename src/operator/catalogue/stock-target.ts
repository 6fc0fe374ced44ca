// The product or variation that an operator names.
import { Refusal } from "../refusal.ts";
import { requireCatalogue } from "./find.ts";
import { findBySourceKey, type ProductStock, readProductStock, type StockKey } from "./stock.ts";

/** Either the id of a product, or a key of it in a catalogue's shop file. */
export type ProductReference = {
  /** Undefined for a simple product, and if the key selects the variation. */
  variationId: number | undefined;
} & (
  | { productId: number; source: null }
  | { productId: undefined; source: { catalogue: string; key: string } }
);

/** The product and, if the reference selects it, the variation. Errors: `Refusal`. */
export async function findTarget(
  d1: D1Database,
  { productId, variationId, source }: ProductReference,
): Promise<{ productId: number; variationId: number | undefined }> {
  if (productId !== undefined) return { productId, variationId };
  const { catalogue, key } = source;
  const [found, ...others] = await findBySourceKey(d1, catalogue, key);
  if (!found) {
    await requireCatalogue(d1, catalogue);
    throw new Refusal(
      `catalogue ${catalogue} has no source key, SKU or handle ${key}. ` +
        "Products of a file with its own ids are found by their id only.",
    );
  }
  if (others.length > 0) {
    const all = [found, ...others].map(nameOf).join("; ");
    throw new Refusal(`${key} is not unique in catalogue ${catalogue}: ${all}. Use the id.`);
  }
  if (found.variationId === 0) return { productId: found.productId, variationId };
  if (variationId !== undefined && variationId !== found.variationId) {
    throw new Refusal(`${key} is ${nameOf(found)}, not variation ${String(variationId)}.`);
  }
  return found;
}

export type StockTarget = Awaited<ReturnType<typeof selectRecord>>;

/** The stock record that an operator changes. Errors: `Refusal` if there is no such record. */
export async function selectRecord(d1: D1Database, reference: ProductReference) {
  const { productId, variationId = 0 } = await findTarget(d1, reference);
  const stock = await requireStock(d1, productId);
  // All records of an unpublished product can be changed, because its orders may still return stock.
  const records = stock.records.filter(({ published }) => published || stock.type === null);
  const record = records.find((each) => each.variationId === variationId);
  if (record) return { key: { productId, variationId }, record, stock };
  const variations = records
    .filter((each) => each.variationId > 0)
    .map(({ variationId: id, options }) => `${String(id)}${options ? ` (${options})` : ""}`);
  const name = `product ${String(productId)}`;
  if (variations.length === 0) throw new Refusal(`${name} has no variations.`);
  throw new Refusal(`a change needs one of the variations of ${name}: ${variations.join(", ")}.`);
}

/** Errors: `Refusal` if there is no such product. */
export async function requireStock(d1: D1Database, productId: number): Promise<ProductStock> {
  const stock = await readProductStock(d1, productId);
  if (!stock) throw new Refusal(`there is no product ${String(productId)}.`);
  return stock;
}

export function nameOf({ productId, variationId }: StockKey): string {
  const product = `product ${String(productId)}`;
  return variationId === 0 ? product : `${product}, variation ${String(variationId)}`;
}
