// What publishing would change for the readers of a catalogue: its current version beside a file's products.
import type { CatalogueVersion } from "../../clients/profile.ts";
import type { ProductResponse, VariationResponse } from "../contract.ts";
import type { StockLevel } from "../product.ts";
import { type Listed, readPage } from "../queries.ts";
import { productResponse } from "../response.ts";

export interface Comparison {
  added: { name: string }[];
  /** `fields` as the interface names them, such as `price` and `variations.sku`. */
  changed: { id: number; name: string; fields: string[] }[];
  unpublished: { id: number; name: string }[];
  unchanged: number;
}

/** Products in one query. */
const PAGE = 500;

/** `products` have the ids of the published ones where they are the same. Reads the version once, by pages. */
export async function compare(
  d1: D1Database,
  version: CatalogueVersion,
  products: readonly Listed[],
): Promise<Comparison> {
  const next = new Map(products.map((each) => [each.product.id, each]));
  const known = new Set<number>();
  const comparison: Comparison = { added: [], changed: [], unpublished: [], unchanged: 0 };
  for (let page = 1; (page - 1) * PAGE < version.totals.all; page++) {
    const { listed } = await readPage(d1, version, { limit: PAGE, page, delivery: null });
    for (const before of listed) {
      const { id } = before.product;
      known.add(id);
      const after = next.get(id);
      const fields = after ? changedFields(before, after) : [];
      if (!after) comparison.unpublished.push({ id, name: before.product.name });
      else if (fields.length > 0) {
        comparison.changed.push({ id, name: after.product.name, fields });
      } else comparison.unchanged += 1;
    }
  }
  for (const { product } of products) {
    if (!known.has(product.id)) comparison.added.push({ name: product.name });
  }
  return comparison;
}

function changedFields(before: Listed, after: Listed): string[] {
  // Without stock, which orders change as well.
  const [old, next] = [
    productResponse(before.product, [], ""),
    productResponse(after.product, [], ""),
  ];
  const fields = differing(old, next).flatMap((field) =>
    field === "variations" ? variationFields(variationsOf(old), variationsOf(next)) : [field],
  );
  return [...fields, ...stockFields(before.stock, after.stock)];
}

function differing(before: object, after: object): string[] {
  const [old, next] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(next?.[name]));
}

const variationsOf = (wire: ProductResponse) =>
  wire.product_type === "variable" ? wire.variations : [];

/** `variations` alone when there are others than before. */
function variationFields(before: VariationResponse[], after: VariationResponse[]): string[] {
  const ids = (variations: VariationResponse[]) => variations.map(({ id }) => id).join();
  if (ids(before) !== ids(after)) return ["variations"];
  const fields = before.flatMap((old, index) => differing(old, after[index] ?? {}));
  return [...new Set(fields)].map((field) => `variations.${field}`);
}

/** Publishing follows the file in whether stock is counted and sold; quantities stay, unless they are replaced. */
function stockFields(before: StockLevel[], after: StockLevel[]): string[] {
  const pairs = after.flatMap((next) => {
    const old = before.find(({ variationId }) => variationId === next.variationId);
    return old ? [{ old, next }] : [];
  });
  const isTracked = ({ quantity }: StockLevel) => quantity !== null;
  return [
    ...(pairs.some(({ old, next }) => isTracked(old) !== isTracked(next))
      ? ["track_inventory"]
      : []),
    ...(pairs.some(({ old, next }) => old.sellable !== next.sellable) ? ["stock_status"] : []),
  ];
}
