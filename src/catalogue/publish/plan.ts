// What a publication is going to do, and whether it may. Reads only, so that a refused publication has changed
// nothing: no id is claimed, no version is staged.
import { ApiError } from "../../api-error.ts";
import { identify, type SourceName } from "./identity.ts";
import { fromFileProduct } from "../import/product.ts";
import type { SourceProduct } from "../import/source.ts";
import { checkPageSizes } from "./page-size.ts";
import type { Product, StockLevel } from "../product.ts";

export interface PublishedProduct {
  product: Product;
  /** What the source says is left. */
  stock: StockLevel[];
}

export interface PublicationPlan {
  catalogueName: string;
  /** The current version that the plan starts from; 0 when nothing is published yet. */
  currentVersion: number;
  /** In ascending order of id. Ids below 0 are not given yet (`identify`) and come last. */
  products: readonly PublishedProduct[];
  names: readonly SourceName[];
  /** Products of the current version, and how many of them the next one does not list. */
  listed: number;
  unpublished: number;
  shareStock: boolean;
}

export interface PlanOptions {
  /** Lists products that belong to another catalogue: both sell the same stock. */
  shareStock?: boolean;
}

interface Catalogue {
  /** 0 when there is none of this name. */
  id: number;
  name: string;
  version: number;
  total: number;
}

/** Ids in one statement. */
const CHUNK = 5_000;

// CROSS JOIN keeps the order of the loops: each id is looked up by its key, however large the tables are.
const EACH_ID = `FROM json_each(?1) given`;

const FOREIGN_PRODUCTS = `
  SELECT p.id, c.name AS owner ${EACH_ID} CROSS JOIN products p ON p.id = given.value
  CROSS JOIN catalogues c ON c.id = p.catalogue_id
  WHERE c.id <> ?2 AND NOT EXISTS (SELECT 1 FROM catalogue_entries e
    WHERE e.catalogue_id = ?2 AND e.version = ?3 AND e.product_id = p.id)`;

const LISTED = `
  SELECT count(*) AS n ${EACH_ID} CROSS JOIN catalogue_entries e
    ON e.catalogue_id = ?2 AND e.version = ?3 AND e.product_id = given.value`;

const FOREIGN_VARIATIONS = `
  SELECT v.id, v.product_id AS productId, c.name AS owner
  ${EACH_ID} CROSS JOIN variations v ON v.id = given.value ->> 0
  CROSS JOIN products p ON p.id = v.product_id LEFT JOIN catalogues c ON c.id = p.catalogue_id
  WHERE v.product_id <> given.value ->> 1`;

/** Plans publishing what a file holds. Errors: as `planProducts`. */
export async function planSources(
  d1: D1Database,
  catalogueName: string,
  sources: readonly SourceProduct[],
  options: PlanOptions = {},
): Promise<PublicationPlan> {
  const catalogue = await findCatalogue(d1, catalogueName);
  const { products, names } = await identify(d1, catalogue.id, sources);
  return plan(d1, catalogue, products.map(fromFileProduct), names, options);
}

/**
 * Plans publishing `products`, in ascending order of id. Errors: `validation_error` for ids of other catalogues
 * or products, and for pages that would be too large.
 */
export async function planProducts(
  d1: D1Database,
  catalogueName: string,
  products: readonly PublishedProduct[],
  options: PlanOptions = {},
): Promise<PublicationPlan> {
  return plan(d1, await findCatalogue(d1, catalogueName), products, [], options);
}

async function findCatalogue(d1: D1Database, name: string): Promise<Catalogue> {
  const found = await d1
    .prepare(
      `SELECT c.id, c.name, c.version, coalesce(v.total_products, 0) AS total FROM catalogues c
       LEFT JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
       WHERE c.name = ?1`,
    )
    .bind(name)
    .first<Catalogue>();
  return found ?? { id: 0, name, version: 0, total: 0 };
}

async function plan(
  d1: D1Database,
  catalogue: Catalogue,
  products: readonly PublishedProduct[],
  names: readonly SourceName[],
  { shareStock = false }: PlanOptions,
): Promise<PublicationPlan> {
  checkPageSizes(products.map(({ product }) => product));
  const { kept, foreign } = await lookUpProducts(d1, catalogue, products);
  if (foreign.length > 0 && !shareStock) throw foreignProducts(foreign);
  await checkVariations(d1, products);
  return {
    catalogueName: catalogue.name,
    currentVersion: catalogue.version,
    products,
    names,
    listed: catalogue.total,
    unpublished: catalogue.total - kept,
    shareStock,
  };
}

interface ForeignId {
  id: number;
  owner: string;
}

/** How many products the current version lists already, and those that only other catalogues had so far. */
async function lookUpProducts(
  d1: D1Database,
  { id, version }: Catalogue,
  products: readonly PublishedProduct[],
): Promise<{ kept: number; foreign: ForeignId[] }> {
  const ids = products.map(({ product }) => product.id).filter((productId) => productId > 0);
  let kept = 0;
  const foreign: ForeignId[] = [];
  for (const chunk of chunksOf(ids)) {
    const [listed, others] = await d1.batch<{ n: number } & ForeignId>(
      [LISTED, FOREIGN_PRODUCTS].map((sql) => d1.prepare(sql).bind(chunk, id, version)),
    );
    kept += listed?.results[0]?.n ?? 0;
    foreign.push(...(others?.results ?? []));
  }
  return { kept, foreign };
}

function foreignProducts(foreign: readonly ForeignId[]): ApiError {
  const owners = [...new Set(foreign.map(({ owner }) => owner))].map((owner) => {
    const ids = foreign.filter((each) => each.owner === owner).map(({ id }) => id);
    return `${listIds(ids)} (of catalogue ${owner})`;
  });
  return new ApiError(
    "validation_error",
    `product_id ${owners.join(", ")}: another catalogue published these products first, and publishing them ` +
      "here would change their stock there. Use other ids, or add --share-stock to sell the same stock in both.",
  );
}

const SHOWN_IDS = 10;

/** `1, 2, 3 and 40 more`. */
function listIds(ids: readonly number[]): string {
  const shown = ids.slice(0, SHOWN_IDS).join(", ");
  return ids.length > SHOWN_IDS ? `${shown} and ${String(ids.length - SHOWN_IDS)} more` : shown;
}

/** A variation's id stays with its product, whichever catalogue lists it. */
async function checkVariations(
  d1: D1Database,
  products: readonly PublishedProduct[],
): Promise<void> {
  const owners = new Map<number, number>();
  for (const { product } of products) {
    for (const { id } of product.variations.filter((variation) => variation.id > 0)) {
      const owner = owners.get(id);
      if (owner !== undefined) throw foreignVariation(id, owner, null);
      owners.set(id, product.id);
    }
  }
  for (const chunk of chunksOf([...owners])) {
    const taken = await d1
      .prepare(`${FOREIGN_VARIATIONS} LIMIT 1`)
      .bind(chunk)
      .first<{ id: number; productId: number; owner: string | null }>();
    if (taken) throw foreignVariation(taken.id, taken.productId, taken.owner);
  }
}

function foreignVariation(id: number, productId: number, owner: string | null): ApiError {
  const product = `product ${String(productId)}${owner === null ? "" : ` of catalogue ${owner}`}`;
  return new ApiError(
    "validation_error",
    `variation ${String(id)} belongs to ${product}: a variation's id stays with its product.`,
  );
}

/** The values as JSON, in as many pieces as statements may take. */
function chunksOf(values: readonly unknown[]): string[] {
  return Array.from({ length: Math.ceil(values.length / CHUNK) }, (_, index) =>
    JSON.stringify(values.slice(index * CHUNK, (index + 1) * CHUNK)),
  );
}
