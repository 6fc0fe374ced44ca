// Assigns ids to the new products and variations of a plan.
import { withIds } from "./identity.ts";
import type { PublicationPlan } from "./plan.ts";
import { reserveIds } from "./plan-queries.ts";

/** Reserves an id for each new product and variation, and returns the plan with these ids. */
export async function assignIds(d1: D1Database, plan: PublicationPlan): Promise<PublicationPlan> {
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
    sourceKeys: plan.sourceKeys.map(({ key, ...ids }) => ({
      key,
      productId: productId(ids.productId),
      variationId: variationId(ids.variationId),
    })),
  };
}

const isNew = ({ id }: { id: number }) => id < 0;

/** Replaces -1 by the first id after `last`, -2 by the second, and so on. Does not change other ids. */
const replacement = (last: number) => (id: number) => (id < 0 ? last - id : id);
