// The rows of a client with its own catalogue, credit and credentials, inserted as one batch: those that
// publishing, adding the client, adjusting its credit and adding credentials leave.
import { env } from "cloudflare:workers";
import { sql as expression } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { chunksBySize } from "../../src/core/values/chunks.ts";
import { nameKey } from "../../src/core/values/name.ts";
import { lowestPrice, type ProductWithStock } from "../../src/features/catalogue/product.ts";
import { secretDigest } from "../../src/features/clients/credentials.ts";
import { buildIndex } from "../../src/operator/catalogue/publish/build-index.ts";
import { revisionOf } from "../../src/operator/catalogue/publish/changes.ts";
import type { NewClient } from "../../src/operator/client/queries.ts";
import { clients } from "../../src/platform/db/schema.ts";
import { sql } from "./sql.ts";
import type { Credentials } from "./worker.ts";

/** The catalogue that the batch has inserted. */
const NEW_CATALOGUE = "(SELECT max(id) FROM catalogues)";

/** Inserts the rows and returns the id of the catalogue. `credit` is in minor units by currency. */
export async function insertClient(
  client: Omit<NewClient, "catalogueId"> & Partial<NewClient>,
  catalogue: { name: string; products: readonly ProductWithStock[] },
  credit: Record<string, number>,
  { apiKey, apiPassword }: Credentials,
): Promise<number> {
  const nowMs = Date.now();
  const catalogueId = expression<number>`${expression.raw(NEW_CATALOGUE)}`;
  const clientRow = drizzle(env.DB)
    .insert(clients)
    .values({ catalogueId, ...client })
    .toSQL();
  const [inserted] = await env.DB.batch<{ id: number }>([
    sql(
      "INSERT INTO catalogues (name, version, staged_version) VALUES (?, 1, 1) RETURNING id",
      catalogue.name,
    ),
    ...(await catalogueRows(catalogue.products, nowMs)),
    sql(clientRow.sql, ...clientRow.params),
    sql(
      `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
       SELECT ?1, key, value, 1 FROM json_each(?2)`,
      client.id,
      JSON.stringify(credit),
    ),
    sql(
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
         reference, created_at_ms)
       SELECT client_id, currency, 1, 'adjustment', balance_minor, balance_minor, 'initial credit', ?2
       FROM credit_accounts WHERE client_id = ?1`,
      client.id,
      nowMs,
    ),
    // Without the day, the first request would write it, in addition to what a test counts.
    sql(
      `INSERT INTO credentials (client_id, secret_digest, key_end, scope, created_at_ms, last_used_on)
       SELECT id, ?2, ?4, 'admin', ?3, iif(status = 'active', date('now'), NULL) FROM clients WHERE id = ?1`,
      client.id,
      await secretDigest(apiKey, apiPassword),
      nowMs,
      apiKey.slice(-4),
    ),
  ]);
  return inserted?.results[0]?.id as number;
}

async function catalogueRows(given: readonly ProductWithStock[], nowMs: number) {
  const sorted = given.toSorted((a, b) => a.product.id - b.product.id);
  const products = await Promise.all(
    sorted.map(async (each) => ({ ...each, revision: await revisionOf(each.product) })),
  );
  const ids = JSON.stringify(products.map(({ product }) => product.id));
  const count = { physical: 0, digital: 0 };
  const entries = products.map(({ product, revision }, index) => ({
    position: index + 1,
    product_id: product.id,
    revision,
    delivery: product.delivery,
    delivery_position: ++count[product.delivery],
    changed_at_ms: nowMs,
    currency: product.currency,
    lowest_unit_minor: lowestPrice(product) + product.shippingMinor,
  }));
  const postings = buildIndex(products.map((each) => ({ ...each, changedAtMs: nowMs })));
  const sizeOf = ([term, positions]: (typeof postings)[number]) => term.length + positions.length;
  const levels = products.flatMap(({ product: { id }, stock }) =>
    stock.map(({ variationId, quantity, sellable, codeDays = null }) => ({
      code_days: codeDays,
      product_id: id,
      variation_id: variationId,
      quantity,
      sellable: Number(sellable),
    })),
  );
  const ofProducts = "FROM json_each(?) given CROSS JOIN stock s ON s.product_id = given.value";
  return [
    sql(
      `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
         total_digital, published_at_ms) VALUES (${NEW_CATALOGUE}, 1, ?, ?, ?, ?)`,
      products.length,
      count.physical,
      count.digital,
      nowMs,
    ),
    sql(
      `INSERT INTO products (id, catalogue_id) SELECT value, ${NEW_CATALOGUE} FROM json_each(?)
       WHERE TRUE ON CONFLICT DO NOTHING`,
      ids,
    ),
    ...insert("product_revisions", products.map(revisionRow)),
    ...insert(
      "vendors",
      products.map(({ product: { vendor } }) => ({
        name: vendor.name,
        name_key: nameKey(vendor.name),
      })),
    ),
    ...insert("catalogue_entries", entries, { catalogue_id: NEW_CATALOGUE, version: "1" }),
    ...insert("stock", levels),
    sql(
      `INSERT INTO variations (id, product_id) SELECT s.variation_id, s.product_id ${ofProducts}
       WHERE s.variation_id > 0 ON CONFLICT DO NOTHING`,
      ids,
    ),
    // The stock that another catalogue has sold out is not available here either.
    sql(
      `INSERT INTO availability_changes (product_id) SELECT s.product_id ${ofProducts}
       WHERE s.sellable = 0 OR s.quantity = 0 ON CONFLICT DO NOTHING`,
      ids,
    ),
    ...insert(
      "catalogue_index",
      [...chunksBySize(postings, sizeOf, 64_000)].map((chunk) => ({
        first_term: chunk[0]?.[0],
        content: JSON.stringify(chunk),
      })),
      { catalogue_id: NEW_CATALOGUE, version: "1" },
    ),
  ];
}

function revisionRow({
  product,
  revision,
}: Pick<ProductWithStock, "product"> & { revision: string }) {
  const { id, type, delivery, currency, priceMinor, shippingMinor, ...texts } = product;
  const { locations, variations, translations, ...content } = texts;
  return {
    product_id: id,
    revision,
    product_type: type,
    delivery,
    currency,
    price_minor: priceMinor,
    shipping_minor: shippingMinor,
    locations: JSON.stringify(locations),
    variations: JSON.stringify(variations),
    vendor_key: nameKey(product.vendor.name) || null,
    content: JSON.stringify(content),
    translations: translations ? JSON.stringify(translations) : null,
  };
}

type Row = Record<string, string | number | null | undefined>;

/** Inserts the rows, with the SQL of further columns. Rows of products that another catalogue has exist already. */
function insert(table: string, rows: readonly Row[], more: Record<string, string> = {}) {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return [];
  const values = columns.map((column) => `value ->> '$.${column}'`);
  return [
    sql(
      `INSERT INTO ${table} (${[...columns, ...Object.keys(more)].join()})
       SELECT ${[...values, ...Object.values(more)].join()} FROM json_each(?) WHERE TRUE
       ON CONFLICT DO NOTHING`,
      JSON.stringify(rows),
    ),
  ];
}
