// Plans a publication and checks that it is allowed. Planning only reads, so a refused publication has changed nothing.
import { ApiError } from "../../../core/api-error.ts";
import { plural, shortList } from "../../../core/values/plural.ts";
import {
  hasCodes,
  isTracked,
  type ProductWithStock,
  type StockLevel,
} from "../../../features/catalogue/product.ts";
import { listCatalogues } from "../queries.ts";
import { type CountedStock, readQuantities } from "../stock-queries.ts";
import { compare, type CompareOptions, type Comparison } from "./compare.ts";
import { identify, type KeyedProduct, type SourceKey } from "./identity.ts";
import { checkPageSizes } from "./page-size.ts";
import {
  listForeignProducts,
  findForeignVariation,
  type ForeignProduct,
  type ForeignVariation,
} from "./plan-queries.ts";

export interface PublicationPlan {
  catalogueName: string;
  /** The version at the time of planning; 0 if nothing has been published. */
  currentVersion: number;
  /** In ascending order of their ids, followed by new products, which have negative ids (`identify`). */
  products: readonly ProductWithStock[];
  sourceKeys: readonly SourceKey[];
  /** The number of products in the current version. */
  listed: number;
  /** The changes to the current version. */
  comparison: Comparison;
  /** Tracked stock that the plan does not track. */
  endedTracking: readonly CountedStock[];
  shareStock: boolean;
}

export interface PlanOptions extends CompareOptions {
  /** Allows products that belong to another catalogue. Both catalogues then sell the same stock. */
  shareStock?: boolean;
}

/** A publication adds it. */
const NEW_CATALOGUE = { id: 0, version: 0, totals: { all: 0, physical: 0, digital: 0 } };

/**
 * Plans the publication of products. Errors: `validation_error` if an id belongs to another catalogue or product, if the
 * codes of a product would be lost, or if a page would be too large.
 */
export async function planPublication(
  d1: D1Database,
  catalogueName: string,
  given: readonly KeyedProduct[],
  { shareStock = false, ...options }: PlanOptions = {},
): Promise<PublicationPlan> {
  const [found] = await listCatalogues(d1, catalogueName);
  const catalogue = found ?? NEW_CATALOGUE;
  const { products, sourceKeys } = await identify(d1, catalogue.id, given);
  checkPageSizes(products.map(({ product }) => product));
  const ids = products.map(({ product }) => product.id).filter(isAssigned);
  const foreign = await listForeignProducts(d1, catalogue, ids);
  if (foreign.length > 0 && !shareStock) throw foreignProductsError(foreign);
  await checkVariations(d1, products);
  const others = products.filter(({ product }) => !hasCodes(product));
  const present = await readQuantities(d1, recordsOf(others));
  const withCodes = present.filter(({ codeDays }) => codeDays !== null);
  if (withCodes.length > 0) throw lostCodesError(withCodes);
  return {
    catalogueName,
    currentVersion: catalogue.version,
    products,
    sourceKeys,
    listed: catalogue.totals.all,
    comparison: await compare(d1, catalogue, products, options),
    endedTracking: (
      await readQuantities(
        d1,
        recordsOf(others, (level) => !isTracked(level)),
      )
    ).filter(isTracked),
    shareStock,
  };
}

/** The keys of the stock records of the products. New products and variations have none yet. */
const recordsOf = (
  products: readonly ProductWithStock[],
  isMeant: (level: StockLevel) => boolean = () => true,
) =>
  products.flatMap(({ product, stock }) =>
    stock
      .filter((level) => isMeant(level) && isAssigned(product.id) && level.variationId >= 0)
      .map(({ variationId }) => ({ productId: product.id, variationId })),
  );

/** Why the plan is refused, if it would end the tracking of stock. Otherwise null. */
export function trackingFault({
  catalogueName,
  products,
  endedTracking,
}: PublicationPlan): string | null {
  if (endedTracking.length === 0) return null;
  const ended = Map.groupBy(endedTracking, ({ productId }) => productId);
  const named = products.flatMap(({ product: { id, name } }) => {
    const quantities = ended
      .get(id)
      ?.map(
        ({ variationId, quantity }) =>
          `${String(quantity)} left${variationId > 0 ? ` of variation ${String(variationId)}` : ""}`,
      );
    return quantities ? `${String(id)} ${name} (${quantities.join(", ")})` : [];
  });
  return (
    `catalogue ${catalogueName} tracks the stock of ${plural(ended.size, "product")} ` +
    `that the file does not track: ${shortList(named, MAX_SHOWN)}. Orders would no longer be limited. ` +
    "Correct the file, or give the quantities of a Shopify export with its inventory export. To end the tracking of " +
    "single products, set their stock to untracked. To end it for all of them, or for all of a Shopify export, " +
    "publish the file as untracked."
  );
}

const isAssigned = (id: number) => id > 0;

function foreignProductsError(foreign: readonly ForeignProduct[]): ApiError {
  const owners = [...new Set(foreign.map(({ owner }) => owner))].map((owner) => {
    const ids = foreign.filter((product) => product.owner === owner).map(({ id }) => id);
    return `${shortList(ids, MAX_SHOWN)} (of catalogue ${owner})`;
  });
  return new ApiError(
    "validation_error",
    `product_id ${owners.join(", ")}: these products belong to another catalogue, and publishing them here would ` +
      "change their stock there. Use other ids, or share the stock, so that both catalogues sell it.",
  );
}

const lostCodesError = (records: readonly CountedStock[]) =>
  new ApiError(
    "validation_error",
    `product_id ${shortList([...new Set(records.map(({ productId }) => productId))], MAX_SHOWN)}: delivered as codes, which would be lost to the stock. Set digital_delivery to code, ` +
      "or publish the product under another id or SKU.",
  );

/** The maximum number of products in an error message. */
const MAX_SHOWN = 10;

/** Errors: `validation_error` if a variation id belongs to another product, in any catalogue. */
async function checkVariations(
  d1: D1Database,
  products: readonly ProductWithStock[],
): Promise<void> {
  const productIds = new Map<number, number>();
  for (const { product } of products) {
    for (const id of product.variations.map((variation) => variation.id).filter(isAssigned)) {
      const productId = productIds.get(id);
      if (productId !== undefined) throw foreignVariationError({ id, productId, owner: null });
      productIds.set(id, product.id);
    }
  }
  const foreign = await findForeignVariation(d1, productIds);
  if (foreign) throw foreignVariationError(foreign);
}

function foreignVariationError({ id, productId, owner }: ForeignVariation): ApiError {
  const product = `product ${String(productId)}${owner === null ? "" : ` of catalogue ${owner}`}`;
  return new ApiError(
    "validation_error",
    `variation ${String(id)} belongs to ${product}. A variation id cannot move to another product.`,
  );
}
