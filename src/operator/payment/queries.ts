// The orders that payments name.
import { closedUntil } from "../../features/credit/queries.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";

/** Names an order by its id, or by its client and the client's reference. */
export type OrderName = { id: number } | { clientId: string; orderRefId: string };

/** An order that a payment names. Amounts are in minor units. */
const PAYMENT_ORDER = {
  ...order("id", "clientId", "status", "currency", "qty"),
  /** What is to be paid: the total without the share of gifts that have ended. */
  owedMinor: expression<number>()`iif(o.status = 'created', coalesce(o.owed_minor, o.order_total_minor), 0)`,
  /** When the first month begins that a payment can belong to. */
  openFromMs: expression<number>()`max(o.created_at_ms, ${closedUntil(fragment`o`)})`,
  /** What the same payment has paid before: the same row, with or without its day, or without a file one whose reference does not differ. */
  paidMinor: expression<number>()`iif(o.status = 'paid', coalesce((SELECT -p.amount_minor
    FROM invoice_entries p WHERE p.order_id = o.id AND p.kind = 'payment'
      AND iif(p.bank_line IS NULL, coalesce(p.reference = k.value ->> 'reference', 1),
        1 IN (instr(p.bank_line, k.value ->> 'line'), instr(k.value ->> 'line', p.bank_line)))), 0), 0)`,
  /** Whether the payment was booked as credit, because another one had paid the order. */
  isBooked: expression<0 | 1>()`EXISTS (SELECT 1 FROM credit_entries e
    WHERE e.client_id = o.client_id AND e.currency = o.currency
      AND e.reference >= substr(k.value ->> 'booked', 1, 32) AND e.reference < substr(k.value ->> 'booked', 1, 32) || '~'
      AND 1 IN (instr(e.reference, k.value ->> 'booked'), instr(k.value ->> 'booked', e.reference)))`,
};

export type PaymentOrder = RowOf<typeof PAYMENT_ORDER>;

const SELECT_PAYMENT_ORDERS = sql<{ names: string }, { position: number }>()`
  SELECT k.key AS position, ${PAYMENT_ORDER}
  FROM json_each(${"names"}) k CROSS JOIN orders o ON o.id = coalesce(k.value ->> 'id',
    (SELECT r.id FROM orders r WHERE r.client_id = k.value ->> 'clientId'
      AND r.order_ref_id = k.value ->> 'orderRefId'))`;

/** The reference of the credit of a further payment. */
export const furtherReference = (line: string) => `Further payment ${line}`;

/** The orders that the payments name. Undefined for a name that no order has. One round trip. */
export async function findPaymentOrders(
  db: Database,
  payments: readonly { names: readonly OrderName[]; reference: string | null; line: string }[],
): Promise<(PaymentOrder | undefined)[]> {
  const names = payments.flatMap(({ names, reference, line }) =>
    names.map((name) => ({ ...name, reference, line, booked: furtherReference(line) })),
  );
  const rows = await SELECT_PAYMENT_ORDERS.all(db, { names: JSON.stringify(names) });
  const found = new Map(rows.map(({ position, ...order }) => [position, order]));
  return names.map((_, position) => found.get(position));
}
