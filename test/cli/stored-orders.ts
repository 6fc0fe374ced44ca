// Orders that tests of commands write into the database, with states that take many requests to reach.
import { fragment, statement } from "../../src/platform/db/statement.ts";
import { insertInvoiceEntry } from "../../src/features/credit/invoice-queries.ts";
import { searchTermsOf, wholeTerm } from "../../src/features/orders/search-terms.ts";

type Columns = Record<string, string | number | null>;

/**
 * Inserts an order of product 1001 and its gifts. The columns replace those of a paid purchase at 10.00 AUD per gift,
 * and those of gifts for Ana Reyes. One transaction.
 */
export async function storeOrder(
  db: D1Database,
  order: Columns & { id: number; client_id: string },
  gifts: Columns[],
): Promise<void> {
  const insert = (table: string, columns: Columns, more: Record<string, string> = {}) => {
    const names = [...Object.keys(columns), ...Object.keys(more)];
    const values = [...Object.keys(columns).map(() => "?"), ...Object.values(more)];
    return db
      .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`)
      .bind(...Object.values(columns));
  };
  const totalMinor = 1000 * gifts.length;
  await db.batch([
    insert(
      "orders",
      {
        order_ref_id: `PO-${String(order.id)}`,
        placement_id: "p",
        request_digest: "d",
        gift_order_method: "api-purchase",
        status: "paid",
        gift_of_choice: "N",
        branding_selected: "platform",
        email_template: "generic",
        product_id: 1001,
        base_location: "AU",
        currency: "AUD",
        product_price_minor: 1000,
        qty: gifts.length,
        subtotal_minor: totalMinor,
        shipping_cost_minor: 0,
        order_fee_minor: 0,
        order_total_minor: totalMinor,
        created_at_ms: 0,
        ...order,
      },
      { product_revision: "(SELECT revision FROM product_revisions WHERE product_id = 1001)" },
    ),
    insert("search_terms", {
      term: wholeTerm(`PO-${String(order.id)}`),
      client_id: order.client_id,
      order_id: order.id,
      sequence: 0,
      kind: "order_ref_id",
    }),
    ...gifts.map((gift, index) => {
      const recipient = {
        client_id: order.client_id,
        first_name: "Ana",
        last_name: "Reyes",
        email: "ana@example.com",
        ...gift,
      };
      return insert("sub_orders", {
        order_id: order.id,
        sequence: index + 1,
        product_id: 1001,
        search_terms: JSON.stringify(searchTermsOf(recipient)),
        ...recipient,
      });
    }),
  ]);
}

const INSERT_PLACEMENT = statement<{ orderId: number }>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, 'order' AS kind, o.id AS order_id, o.owed_minor AS amount_minor,
      0 AS owed_minor, NULL AS reference, o.created_at_ms
    FROM orders o WHERE o.id = ${"orderId"}`)}`;

/** As `storeOrder`, an order on invoice with the entry of its placement. */
export async function storeInvoicedOrder(
  db: D1Database,
  order: Parameters<typeof storeOrder>[1],
  gifts: Columns[],
): Promise<void> {
  const owedMinor = order["order_total_minor"] ?? 1000 * gifts.length;
  await storeOrder(db, { ...order, status: "created", owed_minor: owedMinor }, gifts);
  await INSERT_PLACEMENT.bind(db, { orderId: order.id }).run();
}

/** Credit of the client, which the order has used up: 30.00 AUD, or another amount. */
export async function storeDebit(
  db: D1Database,
  { id, clientId, minor = 3_000 }: { id: number; clientId: string; minor?: number },
): Promise<void> {
  await db.batch([
    db.prepare("UPDATE orders SET debit_sequence = 2 WHERE id = ?").bind(id),
    db
      .prepare(
        `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
         VALUES (?, 'AUD', 0, 2)`,
      )
      .bind(clientId),
    db
      .prepare(
        `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
           balance_minor, order_id, reference, created_at_ms)
         VALUES (?1, 'AUD', 1, 'adjustment', ?2, ?2, NULL, 'first', 0),
           (?1, 'AUD', 2, 'order', -?2, 0, ?3, NULL, 0)`,
      )
      .bind(clientId, minor, id),
  ]);
}
