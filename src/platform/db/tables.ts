// The columns of tables that many queries read, with the aliases that these queries give the tables.
import { columnsOf } from "./columns.ts";
import { fragment } from "./sql.ts";
import type {
  Clients,
  Codes,
  Emails,
  Gifts,
  Orders,
  ProductRevisions,
  Shipments,
} from "./schema.ts";

export const client = columnsOf<Clients>("c");
export const code = columnsOf<Codes>("c");
export const email = columnsOf<Emails>("e");
export const gift = columnsOf<Gifts>("s");
export const order = columnsOf<Orders>("o");
export const revision = columnsOf<ProductRevisions>("r");
export const shipment = columnsOf<Shipments>("h");

/** Joins gift `s` with its shipment `h`, if it has one. */
export const JOIN_SHIPMENT = fragment`
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence`;
