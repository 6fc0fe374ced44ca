// The statements that keep the list of products that are sold out. A product's availability in a catalogue depends on the
// variations that the catalogue lists.
import {
  batch,
  type Database,
  type Fragment,
  fragment,
  statement,
} from "../../platform/db/statement.ts";

/** The maximum number of products of `availability_changes` that a statement examines. */
export const CHANGED_PRODUCTS = 500;

/** Those products in these catalogues. In a catalogue that does not list it, a product counts as available. */
const availabilityIn = <Name extends string>(catalogues: Fragment<Name>) => fragment`
  changed (product_id) AS MATERIALIZED (
    SELECT product_id FROM availability_changes ORDER BY product_id LIMIT ${"limit"}),
  availability AS MATERIALIZED (
    SELECT c.id AS catalogue_id, changed.product_id, e.product_id IS NOT NULL AS listed,
      e.product_id IS NULL OR EXISTS (
        SELECT 1 FROM product_revisions r CROSS JOIN stock s ON s.product_id = r.product_id
        WHERE r.product_id = e.product_id AND r.revision = e.revision
          AND s.sellable = 1 AND coalesce(s.quantity, 1) > 0
          AND iif(r.product_type = 'simple', s.variation_id = 0, s.variation_id IN (
            SELECT v.value ->> '$.id' FROM json_each(r.variations) v))) AS available
    FROM changed CROSS JOIN (${catalogues}) c
    LEFT JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
      AND e.product_id = changed.product_id)`;

const AVAILABILITY = availabilityIn(fragment`SELECT id, version FROM catalogues`);

export const AVAILABILITY_IN_CATALOGUE = availabilityIn(
  fragment`SELECT id, version FROM catalogues WHERE id = ${"catalogueId"}`,
);

const SELECT_CHANGED = statement<{ limit: number }, { productId: number }>()`
  SELECT product_id AS productId FROM availability_changes LIMIT ${"limit"}`;

/** The products of a catalogue whose availability differs from that of their last event. */
const INSERT_CHANGES = statement<{ limit: number; nowMs: number }>()`
  WITH ${AVAILABILITY}
  INSERT INTO product_changes (catalogue_id, changes, created_at_ms)
  SELECT a.catalogue_id, json_group_array(
      json_array(iif(a.available, 'available', 'sold_out'), a.product_id)), ${"nowMs"}
  FROM availability a
  WHERE a.listed AND a.available = EXISTS (SELECT 1 FROM sold_out_products s
    WHERE s.catalogue_id = a.catalogue_id AND s.product_id = a.product_id)
  GROUP BY a.catalogue_id`;

const INSERT_SOLD_OUT = statement<{ limit: number }>()`
  WITH ${AVAILABILITY}
  INSERT OR IGNORE INTO sold_out_products (catalogue_id, product_id)
  SELECT catalogue_id, product_id FROM availability WHERE NOT available`;

const DELETE_AVAILABLE = statement<{ limit: number }>()`
  WITH ${AVAILABILITY}
  DELETE FROM sold_out_products WHERE (catalogue_id, product_id) IN (
    SELECT catalogue_id, product_id FROM availability WHERE available)`;

const SOLD_OUT = fragment`
  (SELECT json_group_array(product_id) FROM sold_out_products WHERE catalogue_id = catalogues.id)`;

const UPDATE_SOLD_OUT = statement<{ limit: number }>()`
  WITH ${AVAILABILITY}
  UPDATE catalogues SET sold_out = ${SOLD_OUT}
  WHERE id IN (SELECT catalogue_id FROM availability) AND sold_out <> ${SOLD_OUT}`;

const DELETE_CHANGED = statement<{ limit: number }>()`
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
      catalogues: UPDATE_SOLD_OUT.bind(db, params),
      changed: DELETE_CHANGED.bind(db, params),
    });
  }
}
