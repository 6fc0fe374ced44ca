// Gifts as their recipients meet them.

export interface Gift {
  productName: string;
}

/** The gift of a sub-order, or null when there is none; one round trip. */
export async function findGift(
  d1: D1Database,
  { orderId, sequence }: { orderId: number; sequence: number },
): Promise<Gift | null> {
  return d1
    .prepare(
      `SELECT r.content ->> '$.name' AS productName
       FROM sub_orders s
       JOIN orders o ON o.id = s.order_id
       JOIN product_revisions r ON r.product_id = o.product_id AND r.revision = o.product_revision
       WHERE s.order_id = ?1 AND s.sequence = ?2`,
    )
    .bind(orderId, sequence)
    .first<Gift>();
}
