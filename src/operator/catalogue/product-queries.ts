// A product as its page shows it.
import { PRODUCT_COLUMNS, toProductWithStock } from "../../features/catalogue/queries.ts";
import type { OfVendor } from "../../features/orders/queries.ts";
import { batch, type Database, expression, sql } from "../../platform/db/sql.ts";
import { LISTINGS, SELECT_LEVELS, SELECT_LISTINGS, toProductStock } from "./stock-queries.ts";

type ProductKey = { productId: number } & OfVendor;

const SELECT_CONTENT = sql<ProductKey>()`SELECT ${PRODUCT_COLUMNS} ${LISTINGS} LIMIT 1`;

const SELLER = {
  catalogue: expression<string>()`c.name`,
  clients: expression<number>()`(SELECT count(*) FROM clients k WHERE k.catalogue_id = c.id)`,
  /** JSON: the first of them. */
  client: expression<string>()`(SELECT json_group_array(id) FROM (SELECT k.id FROM clients k
    WHERE k.catalogue_id = c.id ORDER BY k.id LIMIT 20))`,
};

const SELECT_SELLERS = sql<ProductKey>()`SELECT ${SELLER} ${LISTINGS}`;

interface SalesParams {
  productId: number;
  sinceMs: number;
  limit: number;
}

/** No index finds the orders of a product, so the newest orders are read. `sinceMs` is that of the oldest of them. */
const SELECT_SALES = sql<SalesParams, { gifts: number; sinceMs: number }>()`
  SELECT total(iif(product_id = ${"productId"} AND created_at_ms >= ${"sinceMs"}
      AND status IN ('created', 'paid'), qty - cancelled_gifts, 0)) AS gifts,
    max(${"sinceMs"}, iif(count(*) < ${"limit"}, 0, min(created_at_ms))) AS sinceMs
  FROM (SELECT product_id, created_at_ms, status, qty, cancelled_gifts
    FROM orders ORDER BY id DESC LIMIT ${"limit"})`;

/** More orders than this are not read for the sales of a product. */
export const MAX_READ_ORDERS = 5_000;

/**
 * The product with its stock, the catalogues and clients that sell it, and its orders since a time. Null as of
 * `readProductStock`. A product that no catalogue lists has no content. One round trip.
 */
export async function readProductPage(
  db: Database,
  { sinceMs, ...key }: ProductKey & { sinceMs: number },
) {
  const { listings, levels, content, sellers, sales } = await batch(db, {
    listings: SELECT_LISTINGS.bind(db, key),
    levels: SELECT_LEVELS.bind(db, key),
    content: SELECT_CONTENT.bind(db, key),
    sellers: SELECT_SELLERS.bind(db, key),
    sales: SELECT_SALES.bind(db, { ...key, sinceMs, limit: MAX_READ_ORDERS }),
  });
  const stock = toProductStock(key, listings.results, levels.results);
  if (!stock) return null;
  const [row] = content.results;
  return {
    ...stock,
    product: row ? toProductWithStock(row).product : null,
    sellers: sellers.results.map((each) => ({
      ...each,
      client: JSON.parse(each.client) as string[],
    })),
    sales: sales.results[0] ?? { gifts: 0, sinceMs },
  };
}
