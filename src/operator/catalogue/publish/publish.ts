// Publishes a catalogue. The new version is staged in chunks, which clients do not see, and then becomes current in one
// transaction. The rows of an interrupted publication are deleted by the next one.
import type { CatalogueSettings } from "../../../platform/db/schema.ts";
import type { SourceProduct } from "../import/source.ts";
import type { ProductWithStock } from "../../../features/catalogue/product.ts";
import { deleteOldRows } from "./cleanup-queries.ts";
import { assignIds } from "./ids.ts";
import type { Comparison } from "./compare.ts";
import {
  checkTracking,
  planProducts,
  planSources,
  type PlanOptions,
  type PublicationPlan,
} from "./plan.ts";
import { stageProducts, stageSourceKeys, SupersededPublication } from "./staging.ts";
import {
  makeCurrent,
  type StagedVersion,
  startVersion,
  type StockMode,
} from "./staging-queries.ts";

export interface PublishOptions extends PlanOptions {
  stock?: StockMode;
  /** Allows the file to end the tracking of stock. */
  untracked?: boolean;
  /** Stored with the catalogue when the version becomes current. By default, the stored settings are kept. */
  settings?: CatalogueSettings;
  /** Called with the plan before the first write. It may throw to refuse the plan. */
  confirm?: (plan: PublicationPlan) => void | Promise<void>;
  /** Called after each chunk with the number of products staged so far. */
  onProgress?: (staged: number) => void;
}

/** A version that has become current. */
export interface Publication {
  version: number;
  /** The changes to the version before it. */
  comparison: Comparison;
}

/** Publishes a file's products. Errors: those of `planSources` and `publishPlan`. */
export function publishSources(
  d1: D1Database,
  catalogueName: string,
  sources: readonly SourceProduct[],
  nowMs: number,
  options: PublishOptions = {},
): Promise<Publication> {
  return publishPlan(d1, () => planSources(d1, catalogueName, sources, options), nowMs, options);
}

/**
 * Publishes products, given in ascending order of their ids. Errors: those of `planProducts` and `publishPlan`.
 */
export function publish(
  d1: D1Database,
  catalogueName: string,
  products: readonly ProductWithStock[],
  nowMs: number,
  options: PublishOptions = {},
): Promise<Publication> {
  return publishPlan(d1, () => planProducts(d1, catalogueName, products, options), nowMs, options);
}

/**
 * Publishes the plan's products. Plans again if another publication of the catalogue has completed after planning.
 * Errors: those of `checkTracking`, `SupersededPublication`.
 */
async function publishPlan(
  d1: D1Database,
  makePlan: () => Promise<PublicationPlan>,
  nowMs: number,
  options: PublishOptions,
): Promise<Publication> {
  let plan: PublicationPlan;
  let staged: StagedVersion | null;
  do {
    plan = await makePlan();
    if (!options.untracked) checkTracking(plan);
    await options.confirm?.(plan);
    staged = await startVersion(d1, plan.catalogueName, plan.currentVersion);
  } while (!staged);

  await deleteOldRows(d1, staged.catalogueId, staged.version - 1);
  await stageAndMakeCurrent(d1, staged, await assignIds(d1, plan), nowMs, options);
  await deleteOldRows(d1, staged.catalogueId, staged.version);
  return { version: staged.version, comparison: plan.comparison };
}

/** Errors: `SupersededPublication`. */
async function stageAndMakeCurrent(
  d1: D1Database,
  staged: StagedVersion,
  { products, sourceKeys, shareStock }: PublicationPlan,
  nowMs: number,
  { stock: stockMode = "keep", untracked = false, settings, onProgress }: PublishOptions,
): Promise<void> {
  await stageProducts(d1, staged, products, stockMode, onProgress);
  await stageSourceKeys(d1, staged, sourceKeys);

  const total = products.length;
  const physical = products.filter(({ product }) => product.delivery === "physical").length;
  const { changed, isNewest } = await makeCurrent(
    d1,
    {
      ...staged,
      total,
      physical,
      digital: total - physical,
      shareStock: Number(shareStock),
      untracked: Number(untracked),
      nowMs,
    },
    stockMode,
    settings,
  );
  if (changed) return;
  throw isNewest
    ? new SupersededPublication(
        "another catalogue has published some of these ids, or the tracking of stock has begun, at the same time. " +
          "Run this publication again.",
      )
    : new SupersededPublication();
}
