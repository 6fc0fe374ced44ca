// Compares the content of a version with that of the version before it.
import { sha256Hex } from "../../../core/values/digest.ts";
import type { Product, ProductWithStock } from "../../../features/catalogue/product.ts";
import type { Database } from "../../../platform/db/sql.ts";
import { readCatalogueEntries } from "./plan-queries.ts";

/** Whether a product was added, changed or removed, and its id. */
export type ProductChange = [change: "added" | "changed" | "removed", productId: number];

export interface DatedProduct extends ProductWithStock {
  revision: string;
  /** When the product was added, or its content was last changed. */
  changedAtMs: number;
}

/**
 * The digest of the product's content and, after a hyphen, of its translations, if it has any. 64 bits suffice, because
 * a revision must be unique only within its product. The order of the properties does not matter, because the
 * database returns them in another one.
 */
export async function revisionOf({ translations, ...product }: Product): Promise<string> {
  const parts = [product, ...(translations ? [translations] : [])];
  const sorted = parts.map((part) => Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  const texts = sorted.map((entries) => JSON.stringify(Object.fromEntries(entries)));
  const digests = await Promise.all(texts.map(sha256Hex));
  return digests.map((digest) => digest.slice(0, 16)).join("-");
}

/**
 * Compares with the version `current`, which is 0 if there is none. The stock is not compared. `dated` are the given
 * products, in their order.
 */
export async function findChanges(
  d1: Database,
  current: { id: number; version: number },
  products: readonly ProductWithStock[],
  nowMs: number,
): Promise<{ changes: ProductChange[]; dated: DatedProduct[] }> {
  const entries = await readCatalogueEntries(d1, current.id, current.version);
  const changes: ProductChange[] = [];
  const dated: DatedProduct[] = [];
  for (const each of products) {
    const { id } = each.product;
    const before = entries.get(id);
    entries.delete(id);
    // One after the other, because the JSON of all products is as large as their file.
    const revision = await revisionOf(each.product);
    // Partners do not see translations.
    const isSame = before?.revision.split("-")[0] === revision.split("-")[0];
    if (!isSame) changes.push([before ? "changed" : "added", id]);
    dated.push({ ...each, revision, changedAtMs: (isSame && before?.changedAtMs) || nowMs });
  }
  for (const id of entries.keys()) changes.push(["removed", id]);
  return { changes, dated };
}
