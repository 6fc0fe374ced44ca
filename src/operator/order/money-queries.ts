// The statements that read the entries of ledgers about an order, and orders that may have been placed twice.
import { DAY_MS } from "../../core/values/time.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { InvoiceEntries, Orders } from "../../platform/db/schema.ts";
import { fragment, rawSql, sql } from "../../platform/db/sql.ts";

/** Of both ledgers, which have these columns. */
const e = columnsOf<InvoiceEntries>("e");
const ENTRY = e("createdAtMs", "currency", "sequence", "kind", "amountMinor", "reference");

/** In the order of the indexes. */
const NEWEST = fragment`ORDER BY e.client_id DESC, e.currency DESC, e.sequence DESC LIMIT ${"limit"}`;

/** The entries of an order, newest first, at most `limit` of each ledger. An order has entries in one of them. */
export const SELECT_ORDER_ENTRIES = sql<{ orderId: number; limit: number }>()`
  SELECT * FROM (SELECT ${ENTRY} FROM invoice_entries e WHERE e.order_id = ${"orderId"} ${NEWEST})
  UNION ALL
  SELECT * FROM (SELECT ${ENTRY} FROM credit_entries e
    WHERE e.order_id = ${"orderId"} AND e.kind <> 'order' ${NEWEST})
  UNION ALL
  SELECT ${ENTRY} FROM orders o CROSS JOIN credit_entries e ON e.client_id = o.client_id
    AND e.currency = o.currency AND e.sequence = o.debit_sequence
  WHERE o.id = ${"orderId"}`;

/** The rows with the address that are read before and after those of the order. */
const NEAR = 20;

const near = (sign: string, direction: string) => fragment`
  SELECT order_id FROM (SELECT t.order_id FROM search_terms t
    WHERE t.term = (SELECT search_terms ->> '$.email[0]' FROM gifts
        WHERE order_id = ${"orderId"} AND sequence = 1)
      AND t.client_id = (SELECT client_id FROM orders WHERE id = ${"orderId"})
      AND t.order_id ${rawSql<never>(sign)} ${"orderId"}
    ORDER BY t.order_id ${rawSql<never>(direction)} LIMIT ${rawSql<never>(String(NEAR))})`;

/**
 * Orders that the client placed within a day of this one, for the same recipients, product and amount. The e-mail address
 * of the first recipient finds them.
 */
export const SELECT_SAME_ORDERS = sql<{ orderId: number }>()`
  SELECT ${columnsOf<Orders>("s")("id")}
  FROM orders o CROSS JOIN (${near("<", "DESC")} UNION ${near(">", "ASC")}) n
  CROSS JOIN orders s ON s.id = n.order_id
  WHERE o.id = ${"orderId"}
    AND o.status IN ('created', 'paid') AND s.status IN ('created', 'paid')
    AND s.product_id = o.product_id AND s.variation_id IS o.variation_id
    AND s.currency = o.currency AND s.order_total_minor = o.order_total_minor AND s.qty = o.qty
    AND abs(s.created_at_ms - o.created_at_ms) <= ${rawSql<never>(String(DAY_MS))}
    AND NOT EXISTS (SELECT 1 FROM gifts a LEFT JOIN gifts b
      ON b.order_id = s.id AND b.sequence = a.sequence AND b.email = a.email
        AND b.first_name = a.first_name AND b.last_name = a.last_name
      WHERE a.order_id = o.id AND b.order_id IS NULL)
  LIMIT 5`;
