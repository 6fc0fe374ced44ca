// Compares the content of a version with that of the version before it.
import { memoryCache } from "../../../platform/cache/memory.ts";
import type { Database } from "../../../platform/db/statement.ts";
import { readIndex } from "../../../features/catalogue/index-queries.ts";
import {
  decodePositions,
  type Posting,
  startingWith,
  valueOf,
} from "../../../features/catalogue/terms.ts";
import { readEntries } from "./plan-queries.ts";
import type { RevisedProduct } from "./staging.ts";

/** Whether a product was added, changed or removed, and its id. */
export type ProductChange = [change: "added" | "changed" | "removed", productId: number];

export interface Changes {
  changes: ProductChange[];
  /** When the content of each product was last changed, in the order of the products. */
  changedAtMs: number[];
}

/** Compares with the version `current`, which is 0 if there is none. The stock is not compared. */
export async function findChanges(
  d1: Database,
  current: { id: number; version: number },
  products: readonly RevisedProduct[],
  nowMs: number,
): Promise<Changes> {
  const entries = await readEntries(d1, current.id, current.version);
  const changedAtMs = await readChangeTimes(d1, current, nowMs);
  const changes: ProductChange[] = [];
  const times = products.map(({ product, revision }) => {
    const before = entries.get(product.id);
    entries.delete(product.id);
    // Partners do not see translations.
    if (before?.revision.split("-")[0] === revision.split("-")[0]) {
      return changedAtMs.get(before?.position ?? 0) ?? nowMs;
    }
    changes.push([before ? "changed" : "added", product.id]);
    return nowMs;
  });
  for (const id of entries.keys()) changes.push(["removed", id]);
  return { changes, changedAtMs: times };
}

/** When the product at each position of the version was last changed. */
async function readChangeTimes(
  d1: Database,
  version: { id: number; version: number },
  nowMs: number,
): Promise<Map<number, number>> {
  const uncached = { cache: memoryCache<Posting[]>(0), nowMs };
  const index = await readIndex(d1, version, [startingWith("changed")], false, uncached);
  const times = new Map<number, number>();
  for (const [term, positions] of index?.postings[0] ?? []) {
    for (const position of decodePositions(positions)) times.set(position, Number(valueOf(term)));
  }
  return times;
}
