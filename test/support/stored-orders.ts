// Orders that tests of commands write into the database, with states that take many requests to reach.

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
        ...{ order_ref_id: `PO-${String(order.id)}`, placement_id: "p", request_digest: "d" },
        ...{ gift_order_method: "api-purchase", status: "paid", gift_of_choice: "N" },
        ...{ branding_selected: "platform", email_template: "generic", product_id: 1001 },
        ...{ base_location: "AU", currency: "AUD", product_price_minor: 1000, qty: gifts.length },
        ...{ subtotal_minor: totalMinor, shipping_cost_minor: 0, order_fee_minor: 0 },
        ...{ order_total_minor: totalMinor, created_at_ms: 0, ...order },
      },
      { product_revision: "(SELECT revision FROM product_revisions WHERE product_id = 1001)" },
    ),
    ...gifts.map((gift, index) =>
      insert("sub_orders", {
        ...{ order_id: order.id, sequence: index + 1, first_name: "Ana", last_name: "Reyes" },
        ...{ email: "ana@example.com", product_id: 1001, ...gift },
      }),
    ),
  ]);
}
