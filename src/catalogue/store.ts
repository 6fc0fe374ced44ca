// Reads of the published catalogue. These statements are on the path of every partner's day: they are SQL as
// it runs, since building one with Drizzle takes as long as D1 needs to answer it (DECISIONS.md).
import type { Product, StockLevel } from "./product.ts";

export interface Listed {
  product: Product;
  stock: StockLevel[];
}

export interface CataloguePage {
  totals: { all: number; physical: number; digital: number };
  listed: Listed[];
}

export interface PageRange {
  limit: number;
  page: number;
  delivery: "physical" | "digital" | null;
}

interface ProductRow {
  id: number;
  type: Product["type"];
  delivery: Product["delivery"];
  currency: string;
  priceMinor: number | null;
  shippingMinor: number;
  locations: string;
  variations: string;
  content: string;
  stock: string;
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

const PRODUCT_COLUMNS = `
  r.product_id AS id, r.product_type AS type, r.delivery, r.currency, r.price_minor AS priceMinor,
  r.shipping_minor AS shippingMinor, r.locations, r.variations, r.content,
  (SELECT json_group_array(json_array(s.variation_id, s.quantity, s.sellable))
     FROM stock s WHERE s.product_id = e.product_id) AS stock`;

const JOIN_REVISION = `
  JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision`;

const PAGE_OF_ALL = `SELECT ${PRODUCT_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ?1 AND e.version = ?2 AND e.position > ?3 AND e.position <= ?4
  ORDER BY e.position`;

const PAGE_OF_DELIVERY = `SELECT ${PRODUCT_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ?1 AND e.version = ?2 AND e.delivery = ?5
    AND e.delivery_position > ?3 AND e.delivery_position <= ?4
  ORDER BY e.delivery_position`;

const TOTALS = `SELECT total_products AS "all", total_physical AS physical, total_digital AS digital
  FROM catalogue_versions WHERE catalogue_id = ?1 AND version = ?2`;

const ONE_PRODUCT = `SELECT ${PRODUCT_COLUMNS} FROM catalogues c
  JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version ${JOIN_REVISION}
  WHERE c.id = ?1 AND e.product_id = ?2`;

const CURRENT_VERSION = `SELECT version FROM catalogues WHERE id = ?1`;

/**
 * One page of one version of a catalogue, in one round trip. A version that is long gone gives the current
 * one instead: a page is never made of two.
 */
export async function readPage(
  d1: D1Database,
  catalogue: { id: number; version: number },
  range: PageRange,
): Promise<CataloguePage> {
  const db = d1.withSession("first-unconstrained");
  const first = (range.page - 1) * range.limit;
  const bounds = [catalogue.id, catalogue.version, first, first + range.limit];
  const [totals, current, rows] = await db.batch([
    db.prepare(TOTALS).bind(catalogue.id, catalogue.version),
    db.prepare(CURRENT_VERSION).bind(catalogue.id),
    range.delivery === null
      ? db.prepare(PAGE_OF_ALL).bind(...bounds)
      : db.prepare(PAGE_OF_DELIVERY).bind(...bounds, range.delivery),
  ]);
  const [found] = (totals as D1Result<CataloguePage["totals"]>).results;
  if (found) return { totals: found, listed: (rows as D1Result<ProductRow>).results.map(toListed) };

  const version = (current as D1Result<{ version: number }>).results[0]?.version;
  if (version === undefined || version === catalogue.version) {
    return { totals: { all: 0, physical: 0, digital: 0 }, listed: [] };
  }
  return readPage(d1, { id: catalogue.id, version }, range);
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

function toListed(row: ProductRow): Listed {
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
    stock: (JSON.parse(row.stock) as [number, number | null, number][])
      .filter(([variationId]) => counted.has(variationId))
      .map(([variationId, quantity, sellable]) => ({
        variationId,
        quantity,
        sellable: sellable === 1,
      })),
  };
}
