// Publishes a catalogue. The new version is staged in chunks, which clients do not see, and then becomes current in one
// transaction. The rows of an interrupted publication are deleted by the next one.
import { ApiError } from "../../../core/api-error.ts";
import type { CatalogueSettings } from "../../../platform/db/schema.ts";
import { buildIndex } from "./build-index.ts";
import { findChanges } from "./changes.ts";
import { deleteOldRows } from "./cleanup-queries.ts";
import { type KeyedProduct, withIds } from "./identity.ts";
import { planPublication, type PlanOptions, type PublicationPlan, trackingFault } from "./plan.ts";
import { reserveIds } from "./plan-queries.ts";
import { stageChanges, stageIndex, stageProducts, stageSourceKeys } from "./staging.ts";
import { makeCurrent, startVersion, type StockMode } from "./staging-queries.ts";

export interface StageOptions {
  stock?: StockMode;
  /** Allows the file to end the tracking of stock. */
  untracked?: boolean;
  /** Test codes are made when none is left, so the stock of codes is not tracked. */
  testCodes?: boolean;
  /** Stored with the catalogue when the version becomes current. By default, the stored settings are kept. */
  settings?: CatalogueSettings;
  /** The operator who publishes, and the name of the file. */
  publishedBy?: string;
  fileName?: string;
  /** Called after each chunk with the number of products staged so far. */
  onProgress?: (staged: number) => void | Promise<void>;
}

export interface PublishOptions extends PlanOptions, StageOptions {}

/**
 * Publishes products. Plans again if another publication of the catalogue has completed after planning. Errors: those of
 * `planPublication`; `validation_error` if it would end the tracking of stock; `SupersededPublication`.
 */
export async function publish(
  d1: D1Database,
  catalogueName: string,
  given: readonly KeyedProduct[],
  nowMs: number,
  options: PublishOptions = {},
) {
  for (;;) {
    const plan = await planPublication(d1, catalogueName, given, options);
    const fault = options.untracked ? null : trackingFault(plan);
    if (fault !== null) throw new ApiError("validation_error", fault);
    const publication = await publishPlan(d1, plan, nowMs, options);
    if (publication) return publication;
  }
}

/**
 * Publishes the products of a plan, and returns the version. Null, without a change, if another publication of the
 * catalogue has completed after planning. Errors: `SupersededPublication`.
 */
export async function publishPlan(
  d1: D1Database,
  plan: PublicationPlan,
  nowMs: number,
  options: StageOptions = {},
) {
  const { stock: stockMode = "keep", untracked = false, testCodes = false, settings } = options;
  const { prices } = plan.comparison;
  const staged = await startVersion(d1, plan.catalogueName, plan.currentVersion);
  if (!staged) return null;
  const { products, sourceKeys, shareStock } = await assignIds(d1, plan);
  const current = { id: staged.catalogueId, version: plan.currentVersion };
  const { changes, dated } = await findChanges(d1, current, products, nowMs);
  await stageProducts(d1, staged, dated, stockMode, options.onProgress);
  await stageIndex(d1, staged, buildIndex(dated));
  await stageSourceKeys(d1, staged, sourceKeys);
  await stageChanges(d1, staged, changes);
  const total = products.length;
  const physical = products.filter(({ product }) => product.delivery === "physical").length;
  const newVersion = {
    ...staged,
    total,
    physical,
    digital: total - physical,
    shareStock: Number(shareStock),
    untracked: Number(untracked),
    nowMs,
    publishedBy: options.publishedBy ?? null,
    fileName: options.fileName ?? null,
    raised: prices.filter(({ change }) => change > 0).length,
    lowered: prices.filter(({ change }) => change < 0).length,
  };
  await makeCurrent(d1, newVersion, { stockMode, testCodes: Number(testCodes) }, settings);
  await deleteOldRows(d1, staged.catalogueId, staged.version);
  return { version: staged.version, comparison: plan.comparison };
}

/** Reserves an id for each new product and variation, and returns the plan with these ids. */
async function assignIds(d1: D1Database, plan: PublicationPlan): Promise<PublicationPlan> {
  const isNew = ({ id }: { id: number }) => id < 0;
  const products = plan.products.filter(({ product }) => isNew(product)).length;
  const variations = plan.products.flatMap(({ product }) =>
    product.variations.filter(isNew),
  ).length;
  if (products + variations === 0) return plan;
  const { lastProductId, lastVariationId } = await reserveIds(d1, { products, variations });
  const productId = replacement(lastProductId - products);
  const variationId = replacement(lastVariationId - variations);
  return {
    ...plan,
    products: plan.products.map((each) =>
      withIds(
        each,
        productId(each.product.id),
        each.product.variations.map(({ id }) => variationId(id)),
      ),
    ),
    sourceKeys: plan.sourceKeys.map((each) => ({
      key: each.key,
      productId: productId(each.productId),
      variationId: variationId(each.variationId),
    })),
  };
}

/** Replaces -1 by the first id after `last`, -2 by the second, and so on. Does not change other ids. */
const replacement = (last: number) => (id: number) => (id < 0 ? last - id : id);
