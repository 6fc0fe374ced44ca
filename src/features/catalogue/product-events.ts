// Inserts the events of products and collections, for the clients of their catalogue. `product_changes` stores the
// changes until then.
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, lastSequenceOf } from "../events/queries.ts";

interface Step {
  catalogueId: number;
}

/**
 * The oldest changes of a catalogue, and the next clients that get their events: as many as make 500 events. A client that
 * was added later has read the products after the change.
 */
const NEXT_CLIENTS = fragment`
  oldest AS MATERIALIZED (
    SELECT * FROM product_changes WHERE catalogue_id = ${"catalogueId"} ORDER BY id LIMIT 1),
  next AS MATERIALIZED (
    SELECT c.id AS client_id, p.id, p.changes, p.created_at_ms,
      ${lastSequenceOf(fragment`c.id`)} AS last
    FROM oldest p CROSS JOIN clients c
    WHERE c.catalogue_id = p.catalogue_id AND c.created_at_ms < p.created_at_ms
      AND c.id > p.last_client_id
    ORDER BY c.id LIMIT coalesce(
      (SELECT 500 / max(1, min(500, json_array_length(changes))) FROM oldest), 0))`;

const INSERT_EVENTS = sql<Step>()`
  WITH ${NEXT_CLIENTS}
  ${INSERT_EVENT}
  SELECT next.client_id, next.last + change.key + 1,
    iif(change.value ->> 3 IS NULL, 'product.', '') || (change.value ->> 0), NULL, NULL,
    json_object('productId', change.value ->> 1, 'variationId', change.value ->> 2,
      'collection', change.value ->> 3),
    next.created_at_ms
  FROM next CROSS JOIN json_each(next.changes) change
  ORDER BY next.client_id, change.key`;

const UPDATE_LAST_CLIENT = sql<Step>()`
  WITH ${NEXT_CLIENTS}
  UPDATE product_changes SET last_client_id = (SELECT max(client_id) FROM next)
  WHERE id = (SELECT max(id) FROM next)`;

// It follows the update, so it deletes the changes when there is no further client.
const DELETE_COMPLETE = sql<Step>()`
  WITH ${NEXT_CLIENTS}
  DELETE FROM product_changes
  WHERE id = (SELECT id FROM oldest) AND NOT EXISTS (SELECT 1 FROM next)`;

/** In random order, so that many catalogues get their turn. */
const SELECT_CATALOGUES = sql<{ limit: number }, Step>()`
  SELECT catalogue_id AS catalogueId FROM product_changes
  GROUP BY catalogue_id ORDER BY random() LIMIT ${"limit"}`;

/** The maximum number of transactions of a call. Each inserts at most about 500 events. */
const MAX_STEPS = 40;

/**
 * Inserts events of products, a part at a time. Each transaction inserts the events of some clients and records that they
 * have them, so that a call that is killed, or runs at the same time as another one, inserts no event twice.
 */
export async function insertProductEvents(db: Database): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS;) {
    const catalogues = await SELECT_CATALOGUES.all(db, { limit: MAX_STEPS - steps });
    if (catalogues.length === 0) return;
    for (const catalogue of catalogues) {
      await batch(db, {
        events: INSERT_EVENTS.bind(db, catalogue),
        clients: UPDATE_LAST_CLIENT.bind(db, catalogue),
        complete: DELETE_COMPLETE.bind(db, catalogue),
      });
    }
    steps += catalogues.length;
  }
}
