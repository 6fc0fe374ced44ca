// The statements that keep the list of products and variations that are sold out. A product's availability in a catalogue
// depends on the variations that the catalogue lists.
import { batch, type Database, type Fragment, fragment, sql } from "../../platform/db/sql.ts";

/** The maximum number of products of `availability_changes` that a statement examines. */
export const CHANGED_PRODUCTS = 500;

/** Those products (variation 0) and their variations in the catalogues that list them. */
const availabilityIn = <Name extends string>(catalogues: Fragment<Name>) => fragment`
  changed (product_id) AS MATERIALIZED (
    SELECT product_id FROM availability_changes ORDER BY product_id LIMIT ${"limit"}),
  level (catalogue_id, product_id, variation_id, available) AS MATERIALIZED (
    SELECT c.id, e.product_id, v.value ->> '$.id',
      coalesce(s.sellable = 1 AND coalesce(s.quantity, 1) > 0, 0)
    FROM changed CROSS JOIN (${catalogues}) c
    CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
      AND e.product_id = changed.product_id
    CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
    CROSS JOIN json_each(iif(r.product_type = 'simple', '[{"id":0}]', r.variations)) v
    LEFT JOIN stock s ON s.product_id = e.product_id AND s.variation_id = v.value ->> '$.id'),
  availability AS MATERIALIZED (
    SELECT * FROM level WHERE variation_id > 0
    UNION ALL
    SELECT catalogue_id, product_id, 0, max(available) FROM level GROUP BY catalogue_id, product_id)`;

const AVAILABILITY = availabilityIn(fragment`SELECT id, version FROM catalogues`);

export const AVAILABILITY_IN_CATALOGUE = availabilityIn(
  fragment`SELECT id, version FROM catalogues WHERE id = ${"catalogueId"}`,
);

const SELECT_CHANGED = sql<{ limit: number }, { productId: number }>()`
  SELECT product_id AS productId FROM availability_changes LIMIT ${"limit"}`;

/**
 * The products and variations of a catalogue whose availability differs from that of their last event, 500 in a row. The
 * event of a product follows those of its variations.
 */
const INSERT_CHANGES = sql<{ limit: number; nowMs: number }>()`
  WITH ${AVAILABILITY}
  INSERT INTO product_changes (catalogue_id, changes, created_at_ms)
  SELECT catalogue_id, json_group_array(json_array(iif(available, 'available', 'sold_out'),
      product_id, nullif(variation_id, 0))), ${"nowMs"}
  FROM (
    SELECT a.*, row_number() OVER (PARTITION BY a.catalogue_id
      ORDER BY a.product_id, a.variation_id = 0, a.variation_id) AS number
    FROM availability a
    WHERE a.available = EXISTS (SELECT 1 FROM sold_out_products s
      WHERE s.catalogue_id = a.catalogue_id AND s.product_id = a.product_id
        AND s.variation_id = a.variation_id))
  GROUP BY catalogue_id, (number - 1) / 500`;

const INSERT_SOLD_OUT = sql<{ limit: number }>()`
  WITH ${AVAILABILITY}
  INSERT OR IGNORE INTO sold_out_products (catalogue_id, product_id, variation_id)
  SELECT catalogue_id, product_id, variation_id FROM availability WHERE NOT available`;

// Also deletes products and variations that the catalogue no longer lists.
const DELETE_AVAILABLE = sql<{ limit: number }>()`
  WITH ${AVAILABILITY}
  DELETE FROM sold_out_products
  WHERE (catalogue_id, product_id) IN (
      SELECT c.id, changed.product_id FROM catalogues c CROSS JOIN changed)
    AND (catalogue_id, product_id, variation_id) NOT IN (
      SELECT catalogue_id, product_id, variation_id FROM availability WHERE NOT available)`;

const SOLD_OUT = fragment`(SELECT json_group_array(product_id) FROM sold_out_products
  WHERE catalogue_id = catalogues.id AND variation_id = 0)`;

const UPDATE_SOLD_OUT = sql<object>()`
  UPDATE catalogues SET sold_out = ${SOLD_OUT} WHERE sold_out <> ${SOLD_OUT}`;

const DELETE_CHANGED = sql<{ limit: number }>()`
  WITH ${AVAILABILITY}
  DELETE FROM availability_changes WHERE product_id IN (SELECT product_id FROM changed)`;

/** A call examines at most this number of products. The next one examines the others. */
const MAX_STEPS = 20;

/**
 * Examines the products whose stock has become available or unavailable, and records the changes for which
 * `insertProductEvents` inserts events. A transaction for each step.
 */
export async function updateAvailability(db: Database, nowMs: number): Promise<void> {
  const params = { limit: CHANGED_PRODUCTS, nowMs };
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!(await SELECT_CHANGED.first(db, { limit: 1 }))) return;
    await batch(db, {
      changes: INSERT_CHANGES.bind(db, params),
      soldOut: INSERT_SOLD_OUT.bind(db, params),
      available: DELETE_AVAILABLE.bind(db, params),
      catalogues: UPDATE_SOLD_OUT.bind(db, {}),
      changed: DELETE_CHANGED.bind(db, params),
    });
  }
}
