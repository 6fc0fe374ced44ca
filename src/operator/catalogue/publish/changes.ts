// Compares the content of a version with that of the version before it.
import type { Database } from "../../../platform/db/statement.ts";
import { readEntries } from "./plan-queries.ts";
import type { RevisedProduct } from "./revision.ts";

/** Whether a product was added, changed or removed, and its id. */
export type ProductChange = [change: "added" | "changed" | "removed", productId: number];

export interface DatedProduct extends RevisedProduct {
  /** When the product was added, or its content was last changed. */
  changedAtMs: number;
}

export interface Changes {
  changes: ProductChange[];
  /** In the order of the given products. */
  dated: DatedProduct[];
}

/** Compares with the version `current`, which is 0 if there is none. The stock is not compared. */
export async function findChanges(
  d1: Database,
  current: { id: number; version: number },
  products: readonly RevisedProduct[],
  nowMs: number,
): Promise<Changes> {
  const entries = await readEntries(d1, current.id, current.version);
  const changes: ProductChange[] = [];
  const dated = products.map((each) => {
    const { id } = each.product;
    const before = entries.get(id);
    entries.delete(id);
    // Partners do not see translations.
    if (before?.revision.split("-")[0] === each.revision.split("-")[0]) {
      return { ...each, changedAtMs: before?.changedAtMs ?? nowMs };
    }
    changes.push([before ? "changed" : "added", id]);
    return { ...each, changedAtMs: nowMs };
  });
  for (const id of entries.keys()) changes.push(["removed", id]);
  return { changes, dated };
}
