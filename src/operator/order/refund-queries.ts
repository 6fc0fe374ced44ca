// Refunds of orders on invoice.
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import { insertInvoiceEntry } from "../../features/credit/invoice-queries.ts";

interface Refund {
  orderId: number;
  /** The bank's reference. */
  reference: string;
  /** What was to be refunded when it was confirmed. */
  refundMinor: number;
  nowMs: number;
}

/** Order `o`, if exactly this part of its payment is to be refunded. */
const TO_REFUND = fragment`
  o.id = ${"orderId"} AND o.owed_minor < 0 AND o.owed_minor = -${"refundMinor"}`;

const INSERT_REFUND = sql<Refund>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, 'refund' AS kind, o.id AS order_id,
      -o.owed_minor AS amount_minor, o.owed_minor, ${"reference"} AS reference,
      ${"nowMs"} AS created_at_ms
    FROM orders o WHERE ${TO_REFUND}`)}`;

const SET_REFUNDED = sql<Pick<Refund, "orderId" | "refundMinor">>()`
  UPDATE orders AS o SET owed_minor = 0 WHERE ${TO_REFUND}`;

/** Records that what is to be refunded for the order was paid out. False if it is another amount. */
export async function recordRefund(db: Database, refund: Refund): Promise<boolean> {
  const { update } = await batch(db, {
    entry: INSERT_REFUND.bind(db, refund),
    update: SET_REFUNDED.bind(db, refund),
  });
  return update.meta.changes === 1;
}
