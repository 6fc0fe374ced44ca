// The statement that inserts events of products for the sandbox controls.
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, nextSequenceOf } from "../events/queries.ts";

interface NewEvent {
  clientId: string;
  productId: number;
  type: string;
  nowMs: number;
}

const INSERT_PRODUCT_EVENT = sql<NewEvent, { sequence: number }>()`
  ${INSERT_EVENT}
  SELECT c.id, ${nextSequenceOf(fragment`c.id`)}, ${"type"}, NULL, NULL,
    json_object('productId', e.product_id), ${"nowMs"}
  FROM clients c JOIN catalogues l ON l.id = c.catalogue_id
  JOIN catalogue_entries e ON e.catalogue_id = l.id AND e.version = l.version
    AND e.product_id = ${"productId"}
  WHERE c.id = ${"clientId"}
  RETURNING sequence`;

/** False if the client's catalogue has no such product. One round trip. */
export async function insertProductEvent(db: Database, event: NewEvent): Promise<boolean> {
  return (await INSERT_PRODUCT_EVENT.first(db, event)) !== null;
}
