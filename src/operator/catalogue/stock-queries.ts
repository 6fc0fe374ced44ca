// The stock of products for operators: reads it, changes it, and lists products that run low.
import { readInChunks } from "../../core/values/chunks.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Stock } from "../../platform/db/schema.ts";
import {
  batch,
  type Bound,
  type Database,
  expression,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { revision } from "../../platform/db/tables.ts";
import { inStock, type StockLevel, type Variation } from "../../features/catalogue/product.ts";
import { OF_VENDOR, type OfVendor } from "../../features/orders/queries.ts";
import type { SourceIds } from "./publish/plan-queries.ts";

/** The largest quantity that a catalogue file may contain. */
export const MAX_QUANTITY = 999_999_999;

/** A stock record with the values of the published variation. */
export interface StockRecord extends StockLevel {
  /** Null if the record is not of a published variation. */
  sku: string | null;
  /** The chosen options, such as `Size L`. Null for a simple product. */
  options: string | null;
  /** Whether a catalogue lists the product with this variation. */
  published: boolean;
  /** Whether orders for one piece are accepted. */
  canBeOrdered: boolean;
}

const NAME = expression<string>()`r.content ->> '$.name'`;

const LISTING = {
  catalogue: expression<string>()`c.name`,
  type: revision("productType").productType,
  name: NAME,
  sku: expression<string>()`r.content ->> '$.sku'`,
  ...revision("variations"),
};

/** The catalogues that list the product. The one that owns its stock comes first. */
export const LISTINGS = fragment`FROM catalogues c
  CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
    AND e.product_id = ${"productId"}
  CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision AND ${OF_VENDOR}
  CROSS JOIN products p ON p.id = e.product_id
  ORDER BY p.catalogue_id = c.id DESC, c.name`;

export const SELECT_LISTINGS = sql<
  { productId: number } & OfVendor
>()`SELECT ${LISTING} ${LISTINGS}`;

const LEVEL = columnsOf<Stock>("s")("variationId", "quantity", "sellable", "codeDays");

export const SELECT_LEVELS = sql<{ productId: number }>()`
  SELECT ${LEVEL} FROM stock s WHERE s.product_id = ${"productId"} ORDER BY s.variation_id`;

/**
 * A product's stock records, or null if it has none. The name and the type are null if no catalogue lists the product.
 * The catalogue that owns the stock comes first. For a vendor, only products that a catalogue lists as its own exist,
 * without their catalogues, which may be a client's. One round trip.
 */
export async function readProductStock(
  db: Database,
  productId: number,
  { vendor = null }: Scope = {},
) {
  const { listings, levels } = await batch(db, {
    listings: SELECT_LISTINGS.bind(db, { productId, vendor }),
    levels: SELECT_LEVELS.bind(db, { productId }),
  });
  return toProductStock({ productId, vendor }, listings.results, levels.results);
}

/** Null as of `readProductStock`. */
export function toProductStock(
  { productId, vendor }: { productId: number } & OfVendor,
  listings: readonly RowOf<typeof LISTING>[],
  levels: readonly RowOf<typeof LEVEL>[],
) {
  const isForeign = vendor !== null && listings.length === 0;
  if (levels.length === 0 || isForeign) return null;
  const [first] = listings;
  return {
    productId,
    name: first?.name ?? null,
    type: first?.type ?? null,
    catalogues: vendor === null ? listings.map(({ catalogue }) => catalogue) : [],
    records: levels.map((row) => toRecord(listings, row)),
  };
}

function toRecord(
  listings: readonly RowOf<typeof LISTING>[],
  row: RowOf<typeof LEVEL>,
): StockRecord {
  const level = { ...row, sellable: row.sellable === 1 };
  const listed = { ...level, published: true, canBeOrdered: inStock(level) };
  for (const { type, sku, variations } of listings) {
    if (type === "simple" && row.variationId === 0) return { ...listed, sku, options: null };
    const variation = (JSON.parse(variations) as Variation[]).find(
      ({ id }) => id === row.variationId,
    );
    if (variation) {
      const options = variation.options.map(({ name, option }) => `${name} ${option}`).join(", ");
      return { ...listed, sku: variation.sku, options };
    }
  }
  return { ...level, sku: null, options: null, published: false, canBeOrdered: false };
}

/** A product's variation, or 0 for a simple product. */
export type StockKey = SourceIds;

/** The quantities before and after a change. Null if stock is not tracked. */
export interface StockChange {
  before: number | null;
  after: number | null;
}

/** Stock of codes is changed only by its codes. */
const OF_PIECES = fragment`code_days IS NULL`;

const BY_KEY = fragment`product_id = ${"productId"} AND variation_id = ${"variationId"} AND ${OF_PIECES}`;

const SELECT_QUANTITY = sql<StockKey, { quantity: number | null }>()`
  SELECT quantity FROM stock WHERE ${BY_KEY}`;

// Relative, so that orders that were placed in the meantime are counted. Untracked stock is null, which does not match.
const ADJUST_QUANTITY = sql<StockKey & { pieces: number; max: number }>()`
  UPDATE stock SET quantity = quantity + ${"pieces"}
  WHERE ${BY_KEY} AND quantity + ${"pieces"} BETWEEN 0 AND ${"max"}`;

/**
 * Adds the pieces to the quantity, or subtracts them if `pieces` is negative. Changes nothing if stock is not tracked, or
 * if the quantity would not be in the range from 0 to `MAX_QUANTITY`. Returns null if there is no such stock of pieces.
 */
export function adjustStock(
  db: Database,
  key: StockKey,
  pieces: number,
): Promise<StockChange | null> {
  return changeStock(db, key, ADJUST_QUANTITY.bind(db, { ...key, pieces, max: MAX_QUANTITY }));
}

/** Runs the update in one transaction with reads of the quantity before and after it. One round trip. */
async function changeStock(
  db: Database,
  key: StockKey,
  update: Bound<never>,
): Promise<StockChange | null> {
  const { before, after } = await batch(db, {
    before: SELECT_QUANTITY.bind(db, key),
    update,
    after: SELECT_QUANTITY.bind(db, key),
  });
  const [beforeRow] = before.results;
  const [afterRow] = after.results;
  return beforeRow && afterRow ? { before: beforeRow.quantity, after: afterRow.quantity } : null;
}

/** A record of a file. Null ends the tracking. */
export interface CountedStock extends StockKey {
  quantity: number | null;
}

/** `rows` is a JSON array of [product id, variation id, quantity]. */
const SET_QUANTITIES = sql<{ rows: string }>()`
  UPDATE stock SET quantity = given.value ->> 2 FROM json_each(${"rows"}) given
  WHERE product_id = given.value ->> 0 AND variation_id = given.value ->> 1
    AND quantity IS NOT given.value ->> 2 AND ${OF_PIECES}`;

/** Sets the quantity. Null ends the tracking. Returns null if there is no such stock of pieces. */
export function setStock(
  db: Database,
  key: StockKey,
  quantity: number | null,
): Promise<StockChange | null> {
  return changeStock(db, key, SET_QUANTITIES.bind(db, { rows: rowsOf([{ ...key, quantity }]) }));
}

/** Sets the quantities of several records, and returns how many have changed. */
export async function setQuantities(
  db: Database,
  records: readonly CountedStock[],
): Promise<number> {
  const { meta } = await SET_QUANTITIES.bind(db, { rows: rowsOf(records) }).run();
  return meta.changes;
}

const PRESENT = columnsOf<Stock>("s")("productId", "variationId", "quantity", "codeDays");

const SELECT_QUANTITIES = sql<{ rows: string }>()`
  SELECT ${PRESENT} FROM json_each(${"rows"}) given
  CROSS JOIN stock s ON s.product_id = given.value ->> 0 AND s.variation_id = given.value ->> 1`;

/** The present records of those that are given. */
export const readQuantities = (
  db: Database,
  records: readonly StockKey[],
): Promise<RowOf<typeof PRESENT>[]> =>
  readInChunks(records, (chunk) => SELECT_QUANTITIES.all(db, { rows: rowsOf(chunk) }));

const OF_GIVEN = fragment`v.value ->> '$.id' = given.value ->> 1`;

const NAMES = {
  productId: expression<number>()`p.id`,
  variationId: expression<number>()`given.value ->> 1`,
  name: NAME,
  sku: expression<string>()`coalesce((SELECT v.value ->> '$.sku' FROM json_each(r.variations) v
    WHERE ${OF_GIVEN}), r.content ->> '$.sku')`,
  options: expression<string | null>()`(SELECT group_concat(o.value ->> '$.option', ', ')
    FROM json_each(r.variations) v CROSS JOIN json_each(v.value, '$.options') o WHERE ${OF_GIVEN})`,
};

const SELECT_NAMES = sql<{ rows: string }>()`
  SELECT ${NAMES} FROM json_each(${"rows"}) given CROSS JOIN products p ON p.id = given.value ->> 0
  CROSS JOIN catalogues c ON c.id = p.catalogue_id
  CROSS JOIN catalogue_entries e
    ON e.catalogue_id = c.id AND e.version = c.version AND e.product_id = p.id
  CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision`;

/** The names of those of the products and variations that the catalogue lists to which they belong. */
export const readNames = (db: Database, records: readonly StockKey[]) =>
  SELECT_NAMES.all(db, { rows: rowsOf(records) });

const rowsOf = (records: readonly (StockKey & Partial<CountedStock>)[]) =>
  JSON.stringify(
    records.map(({ productId, variationId, quantity }) => [productId, variationId, quantity]),
  );

const LOW = {
  ...columnsOf<Stock>("l")("productId", "variationId", "sellable", "codeDays"),
  quantity: expression<number>()`l.quantity`,
  name: NAME,
  sku: expression<string>()`coalesce((SELECT v.value ->> '$.sku' FROM json_each(r.variations) v
    WHERE v.value ->> '$.id' = l.variation_id), r.content ->> '$.sku')`,
  /** The catalogues that list the product, separated by commas. Null for a vendor. */
  catalogues: expression<string | null>()`l.catalogues`,
};

/** Whose products exist for a request. */
interface Scope {
  vendor?: string | null | undefined;
}

interface LowStockFilter extends Scope {
  catalogue: string | null;
  below: number;
  /** Only those that the list shows after this one. */
  after?: (StockKey & { quantity: number }) | undefined;
  limit: number;
}

type LowStockParams = Omit<LowStockFilter, "after" | "vendor"> &
  OfVendor &
  StockKey & { quantity: number };

// The stock of each entry is a range of the primary key of `stock`. Only low records are looked up in the revisions,
// which exclude removed variations.
const SELECT_LOW = sql<LowStockParams>()`
  WITH low AS (
    SELECT s.product_id, s.variation_id, s.quantity, s.sellable, s.code_days, min(e.revision) AS revision,
      group_concat(iif(${"vendor"} IS NULL, c.name, NULL), ', ') AS catalogues
    FROM catalogues c
    CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
    CROSS JOIN stock s ON s.product_id = e.product_id AND s.quantity < ${"below"}
    CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
    WHERE (${"catalogue"} IS NULL OR c.name = ${"catalogue"}) AND ${OF_VENDOR}
      AND CASE r.product_type WHEN 'simple' THEN s.variation_id = 0 ELSE EXISTS (
        SELECT 1 FROM json_each(r.variations) v WHERE v.value ->> '$.id' = s.variation_id) END
    GROUP BY s.product_id, s.variation_id),
  listed AS (
    SELECT * FROM low
    WHERE (quantity, product_id, variation_id) > (${"quantity"}, ${"productId"}, ${"variationId"})
    ORDER BY quantity, product_id, variation_id LIMIT ${"limit"})
  SELECT ${LOW} FROM listed l
  CROSS JOIN product_revisions r ON r.product_id = l.product_id AND r.revision = l.revision
  ORDER BY l.quantity, l.product_id, l.variation_id`;

/**
 * The published products and variations with fewer than `below` pieces, lowest quantity first. Reads each product of the
 * current versions once.
 */
export async function listLowStock(
  db: Database,
  { after, vendor = null, ...filter }: LowStockFilter,
) {
  const start = after ?? { quantity: -1, productId: 0, variationId: 0 };
  const rows = await SELECT_LOW.all(db, { ...filter, vendor, ...start });
  return rows.map((row) => ({ ...row, sellable: row.sellable === 1 }));
}
