// Reads of the published catalogue, on the path of every partner's day: SQL as it runs (decision 19).
import type { CatalogueVersion } from "../clients/profile.ts";
import type { Product, StockLevel } from "./product.ts";

export interface Listed {
  product: Product;
  stock: StockLevel[];
}

export interface CataloguePage {
  totals: CatalogueVersion["totals"];
  listed: Listed[];
}

export interface PageRange {
  limit: number;
  page: number;
  delivery: "physical" | "digital" | null;
}

export interface ProductRow {
  id: number;
  type: Product["type"];
  delivery: Product["delivery"];
  currency: string;
  priceMinor: number | null;
  shippingMinor: number;
  locations: string;
  variations: string;
  content: string;
  /** Null where nothing is known of it: nothing to sell. */
  stock: string | null;
}

/** The part of a product that is only shown, as `product_revisions.content` holds it. */
type Content = Omit<
  Product,
  | "id"
  | "type"
  | "delivery"
  | "currency"
  | "priceMinor"
  | "shippingMinor"
  | "locations"
  | "variations"
>;

// All of a product, from `product_revisions r`.
// A simple product's stock is one row, found by its whole key; a range would read the row behind it, too.
export const PRODUCT_COLUMNS = `
  r.product_id AS id, r.product_type AS type, r.delivery, r.currency, r.price_minor AS priceMinor,
  r.shipping_minor AS shippingMinor, r.locations, r.variations, r.content,
  CASE r.product_type
    WHEN 'simple' THEN
      (SELECT json_array(json_array(s.variation_id, s.quantity, s.sellable))
       FROM stock s WHERE s.product_id = r.product_id AND s.variation_id = 0)
    ELSE
      (SELECT json_group_array(json_array(s.variation_id, s.quantity, s.sellable))
       FROM stock s WHERE s.product_id = r.product_id)
  END AS stock`;

export const JOIN_REVISION = `
  JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision`;

const PAGE_OF_ALL = `SELECT ${PRODUCT_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ?1 AND e.version = ?2
    AND e.position > ?3 AND e.position <= ?3 + ?4
  ORDER BY e.position LIMIT ?4`;

const PAGE_OF_DELIVERY = `SELECT ${PRODUCT_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ?1 AND e.version = ?2 AND e.delivery = ?5
    AND e.delivery_position > ?3 AND e.delivery_position <= ?3 + ?4
  ORDER BY e.delivery_position LIMIT ?4`;

const ONE_PRODUCT = `SELECT ${PRODUCT_COLUMNS} FROM catalogues c
  JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version ${JOIN_REVISION}
  WHERE c.id = ?1 AND e.product_id = ?2`;

const CURRENT_VERSION = `SELECT c.id, c.version, v.total_products AS "all",
    v.total_physical AS physical, v.total_digital AS digital
  FROM catalogues c JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
  WHERE c.id = ?1`;

/**
 * One page of one version of a catalogue, in one round trip; none where the page lies past the end. A version
 * that is going or gone since the caller's record was read gives the current one instead: a page is never made of
 * two, nor of a part of one.
 */
export async function readPage(
  d1: D1Database,
  catalogue: CatalogueVersion,
  range: PageRange,
): Promise<CataloguePage> {
  if (isPastEnd(catalogue.totals, range)) return { totals: catalogue.totals, listed: [] };
  const listed = await readRange(d1.withSession("first-unconstrained"), catalogue, range);
  const whole = Math.min(range.limit, listedBy(catalogue.totals, range) - firstPosition(range));
  if (listed.length === whole) return { totals: catalogue.totals, listed };

  // The nearest copy has this version no more or not yet, or not all of it. The primary knows.
  const primary = d1.withSession("first-primary");
  const current = await primary
    .prepare(CURRENT_VERSION)
    .bind(catalogue.id)
    .first<{ id: number; version: number } & CatalogueVersion["totals"]>();
  if (!current) throw new Error(`catalogue ${String(catalogue.id)} has no version`);
  const { id, version, ...totals } = current;
  return { totals, listed: await readRange(primary, { id, version }, range) };
}

/** Whether a catalogue with so many products has none on this page. */
export function isPastEnd(totals: CatalogueVersion["totals"], range: PageRange): boolean {
  return firstPosition(range) >= listedBy(totals, range);
}

/** How many products all pages of the list have. */
const listedBy = (totals: CatalogueVersion["totals"], { delivery }: PageRange) =>
  delivery ? totals[delivery] : totals.all;

/** Positions before the page's first. */
const firstPosition = ({ page, limit }: PageRange) => (page - 1) * limit;

async function readRange(
  db: D1DatabaseSession,
  { id, version }: Pick<CatalogueVersion, "id" | "version">,
  range: PageRange,
): Promise<Listed[]> {
  const bounds = [id, version, firstPosition(range), range.limit];
  const statement =
    range.delivery === null
      ? db.prepare(PAGE_OF_ALL).bind(...bounds)
      : db.prepare(PAGE_OF_DELIVERY).bind(...bounds, range.delivery);
  const { results } = await statement.all<ProductRow>();
  return results.map(toListed);
}

/** The product as the catalogue's current version has it, or null; one round trip. */
export async function findProduct(
  d1: D1Database,
  catalogueId: number,
  productId: number,
): Promise<Listed | null> {
  const row = await d1
    .withSession("first-unconstrained")
    .prepare(ONE_PRODUCT)
    .bind(catalogueId, productId)
    .first<ProductRow>();
  return row && toListed(row);
}

export function toListed(row: ProductRow): Listed {
  const product: Product = {
    id: row.id,
    type: row.type,
    delivery: row.delivery,
    currency: row.currency,
    priceMinor: row.priceMinor,
    shippingMinor: row.shippingMinor,
    locations: JSON.parse(row.locations) as Product["locations"],
    variations: JSON.parse(row.variations) as Product["variations"],
    ...(JSON.parse(row.content) as Content),
  };
  // Stock outlives what it counted: that of a variation which is gone, or not shown yet, is not this product's.
  const counted = new Set(
    product.type === "simple" ? [0] : product.variations.map((variation) => variation.id),
  );
  return {
    product,
    stock: (JSON.parse(row.stock ?? "[]") as [number, number | null, number][])
      .filter(([variationId]) => counted.has(variationId))
      .map(([variationId, quantity, sellable]) => ({
        variationId,
        quantity,
        sellable: sellable === 1,
      })),
  };
}
