// The statements that read the published catalogue.
import type { CatalogueVersion } from "../clients/profile.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { CatalogueEntries } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { revision } from "../../platform/db/tables.ts";
import type { Product, ProductWithStock } from "./product.ts";
import { isPastEnd, listSizeOf, type PageRange, skippedBy } from "./page-range.ts";

export interface CataloguePage {
  totals: CatalogueVersion["totals"];
  listed: ListedProduct[];
}

export interface ListedProduct extends ProductWithStock {
  /** When the product was added to the catalogue, or its content was last changed. */
  changedAtMs: number;
}

const REVISION = {
  id: revision("productId").productId,
  type: revision("productType").productType,
  ...revision("delivery", "currency", "priceMinor", "shippingMinor", "locations", "variations"),
};

export const PRODUCT_COLUMNS = {
  ...REVISION,
  ...revision("content"),
  /**
   * JSON of [variationId, quantity, sellable][]. Null if there is no stock record: the product cannot be sold. A simple
   * product's stock is read by its whole primary key. A range would also read the row after it.
   */
  stock: expression<string | null>()`CASE r.product_type
    WHEN 'simple' THEN
      (SELECT json_array(json_array(s.variation_id, s.quantity, s.sellable))
       FROM stock s WHERE s.product_id = r.product_id AND s.variation_id = 0)
    ELSE
      (SELECT json_group_array(json_array(s.variation_id, s.quantity, s.sellable))
       FROM stock s WHERE s.product_id = r.product_id)
  END`,
};

export type ProductRow = RowOf<typeof PRODUCT_COLUMNS>;

/** The fields of a product that `product_revisions.content` contains. SQL does not use them. */
type ProductContent = Omit<Product, keyof typeof REVISION | "translations">;

/** The columns of a product and of its entry `e`. */
const LISTED_COLUMNS = {
  ...PRODUCT_COLUMNS,
  ...columnsOf<CatalogueEntries>("e")("changedAtMs"),
};

type ListedRow = RowOf<typeof LISTED_COLUMNS>;

export const JOIN_REVISION = fragment`
  JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision`;

interface PositionRange {
  catalogueId: number;
  version: number;
  /** The number of products before the page. */
  skip: number;
  limit: number;
}

const SELECT_PAGE = sql<PositionRange>()`
  SELECT ${LISTED_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"}
    AND e.position > ${"skip"} AND e.position <= ${"skip"} + ${"limit"}
  ORDER BY e.position LIMIT ${"limit"}`;

const SELECT_PAGE_OF_DELIVERY = sql<PositionRange & { delivery: Product["delivery"] }>()`
  SELECT ${LISTED_COLUMNS} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"} AND e.delivery = ${"delivery"}
    AND e.delivery_position > ${"skip"} AND e.delivery_position <= ${"skip"} + ${"limit"}
  ORDER BY e.delivery_position LIMIT ${"limit"}`;

/** `positions` is a JSON array. */
const SELECT_AT_POSITIONS = sql<{
  catalogueId: number;
  version: number;
  positions: string;
}>()`
  SELECT ${LISTED_COLUMNS} FROM json_each(${"positions"}) given CROSS JOIN catalogue_entries e
    ON e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"} AND e.position = given.value
  ${JOIN_REVISION}`;

const CURRENT_ENTRIES = fragment`
  SELECT ${LISTED_COLUMNS} FROM catalogues c
  CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version ${JOIN_REVISION}
  WHERE c.id = ${"catalogueId"}`;

const SELECT_PRODUCT = sql<{ catalogueId: number; productId: number }, ListedRow>()`
  ${CURRENT_ENTRIES} AND e.product_id = ${"productId"}`;

const SELECT_AFTER = sql<{ catalogueId: number; after: number; limit: number }, ListedRow>()`
  ${CURRENT_ENTRIES} AND e.product_id > ${"after"} ORDER BY e.product_id LIMIT ${"limit"}`;

const SELECT_CURRENT_VERSION = sql<
  { catalogueId: number },
  { version: number } & CatalogueVersion["totals"]
>()`
  SELECT c.version, v.total_products AS "all", v.total_physical AS physical,
    v.total_digital AS digital
  FROM catalogues c JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
  WHERE c.id = ${"catalogueId"}`;

/**
 * A page of a version of a catalogue, in one round trip. A page past the end is empty and needs no query. If the rows
 * of the version have been deleted since the client's record was read, the page is of the current version. A page is
 * always complete and of a single version.
 */
export async function readPage(
  d1: D1Database,
  catalogue: CatalogueVersion,
  range: PageRange,
): Promise<CataloguePage> {
  if (isPastEnd(catalogue.totals, range)) return { totals: catalogue.totals, listed: [] };
  return readVersion(d1, catalogue, async (db, version) => {
    const { totals } = version;
    const listed = await readRange(db, version, range);
    const expected = Math.min(range.limit, listSizeOf(totals, range) - skippedBy(range));
    return listed.length === Math.max(0, expected) ? { totals, listed } : null;
  });
}

/**
 * The products of the current version with the next ids, in ascending order. One round trip, to the primary: the cached
 * version of a client may be older than its position in the feed, and the events between them would be missed.
 */
export async function readAfter(
  d1: D1Database,
  catalogueId: number,
  range: { after: number; limit: number },
): Promise<CataloguePage> {
  const { current, listed } = await batch(d1, {
    current: SELECT_CURRENT_VERSION.bind(d1, { catalogueId }),
    listed: SELECT_AFTER.bind(d1, { catalogueId, ...range }),
  });
  const [totals = { all: 0, physical: 0, digital: 0 }] = current.results;
  return { totals, listed: listed.results.map(toListedProduct) };
}

async function currentVersion(primary: Database, catalogueId: number): Promise<CatalogueVersion> {
  const current = await SELECT_CURRENT_VERSION.first(primary, { catalogueId });
  if (!current) throw new Error(`catalogue ${String(catalogueId)} has no version`);
  const { version, ...totals } = current;
  return { id: catalogueId, version, totals };
}

/**
 * Reads from the nearest replica. If that has no rows or only some rows of the version, reads the current version from
 * the primary.
 */
export async function readVersion<Result>(
  d1: D1Database,
  catalogue: CatalogueVersion,
  read: (db: Database, version: CatalogueVersion) => Promise<Result | null>,
): Promise<Result> {
  const near = await read(d1.withSession("first-unconstrained"), catalogue);
  if (near) return near;
  const primary = d1.withSession("first-primary");
  const current = await read(primary, await currentVersion(primary, catalogue.id));
  if (!current) throw new Error(`catalogue ${String(catalogue.id)} is incomplete`);
  return current;
}

async function readRange(
  db: Database,
  { id, version }: Pick<CatalogueVersion, "id" | "version">,
  page: PageRange,
): Promise<ListedProduct[]> {
  const range = { catalogueId: id, version, skip: skippedBy(page), limit: page.limit };
  const { delivery } = page;
  const rows = await (delivery === null
    ? SELECT_PAGE.all(db, range)
    : SELECT_PAGE_OF_DELIVERY.all(db, { ...range, delivery }));
  return rows.map(toListedProduct);
}

/** The products at these positions of the version. Fewer if the database has only some of its rows. */
export async function readPositions(
  db: Database,
  { id: catalogueId, version }: Pick<CatalogueVersion, "id" | "version">,
  positions: readonly number[],
): Promise<ListedProduct[]> {
  if (positions.length === 0) return [];
  const params = { catalogueId, version, positions: JSON.stringify(positions) };
  const rows = await SELECT_AT_POSITIONS.all(db, params);
  // Products are in the order of their ids. ORDER BY would read each row once more.
  return rows.map(toListedProduct).sort((a, b) => a.product.id - b.product.id);
}

/** The product in the catalogue's current version, or null. One round trip. */
export async function findProduct(
  db: Database,
  catalogueId: number,
  productId: number,
): Promise<ListedProduct | null> {
  const row = await SELECT_PRODUCT.first(db, { catalogueId, productId });
  return row && toListedProduct(row);
}

const toListedProduct = ({ changedAtMs, ...row }: ListedRow): ListedProduct => ({
  ...toProductWithStock(row),
  changedAtMs,
});

export function toProductWithStock(row: ProductRow): ProductWithStock {
  const product: Product = {
    id: row.id,
    type: row.type,
    delivery: row.delivery,
    currency: row.currency,
    priceMinor: row.priceMinor,
    shippingMinor: row.shippingMinor,
    locations: JSON.parse(row.locations) as Product["locations"],
    variations: JSON.parse(row.variations) as Product["variations"],
    ...(JSON.parse(row.content) as ProductContent),
  };
  // There are also stock rows of variations that were removed, or that a later version has added.
  const variationIds = new Set(
    product.type === "simple" ? [0] : product.variations.map((variation) => variation.id),
  );
  return {
    product,
    stock: (JSON.parse(row.stock ?? "[]") as [number, number | null, number][])
      .filter(([variationId]) => variationIds.has(variationId))
      .map(([variationId, quantity, sellable]) => ({
        variationId,
        quantity,
        sellable: sellable === 1,
      })),
  };
}
