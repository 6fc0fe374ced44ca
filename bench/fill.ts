// Fills a large database within minutes. SQL copies a few real products, and recursive SQL creates orders of many
// clients with recipients, ledger entries and totals, like placements would.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { publish } from "../src/operator/catalogue/publish/publish.ts";
import { readRegalo } from "../src/operator/catalogue/import/regalo.ts";
import { fromFileProduct } from "../src/features/catalogue/file-product.ts";
import { addClient, addCredential } from "../src/operator/clients/queries.ts";
import { adjustCredit } from "../src/features/credit/adjust-queries.ts";

export interface FillSize {
  products: number;
  orders: number;
}

export interface BenchClient {
  clientId: string;
  catalogueId: number;
  headers: Record<string, string>;
}

/** The distance between the ids of a product's copies. */
const COPY_STEP = 10_000;
const STOCK = 1_000_000_000;
const CREDIT_MINOR = 1_000_000_000_000;
/** Number of clients that the filled orders belong to. */
const PARTNERS = 100;
/** The client that half of the filled orders belong to, the even ones. It has credentials. */
export const LARGEST_PARTNER = "partner-0";
const MS_BETWEEN_ORDERS = 30_000;
const ORDERS_PER_STATEMENT = 50_000;

/** Adds `clients` with credit and a shared catalogue, and the orders of other clients. */
export async function fill(
  d1: D1Database,
  size: FillSize,
  clients: readonly string[],
): Promise<BenchClient[]> {
  const nowMs = Date.now();
  const catalogueId = await fillCatalogue(d1, size.products, nowMs);
  const made: BenchClient[] = [];
  for (const clientId of clients) {
    await fillClient(d1, clientId, catalogueId, nowMs);
    await addCredential(d1, clientId, secretOf(clientId), nowMs);
    made.push({ clientId, catalogueId, headers: headersOf(clientId) });
  }
  await fillPartners(d1, catalogueId, nowMs);
  await addCredential(d1, LARGEST_PARTNER, secretOf(LARGEST_PARTNER), nowMs);
  await fillOrders(d1, catalogueId, size);
  return made;
}

const secretOf = (clientId: string) => ({ apiKey: `key of ${clientId}`, apiPassword: "password" });

/** The credentials of a client that `fill` has added, or of LARGEST_PARTNER. */
export function headersOf(clientId: string): Record<string, string> {
  const { apiKey, apiPassword } = secretOf(clientId);
  return { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword };
}

async function fillClient(
  d1: D1Database,
  id: string,
  catalogueId: number,
  nowMs: number,
): Promise<void> {
  await addClient(d1, {
    id,
    name: `Company ${id}`,
    billing: "credit",
    feeBasisPoints: 400,
    defaultCurrency: "AUD",
    catalogueId,
    createdAtMs: nowMs,
  });
  await adjustCredit(d1, {
    clientId: id,
    currency: "AUD",
    amountMinor: CREDIT_MINOR,
    reference: "fill",
    note: null,
    nowMs,
  });
}

/** Adds the clients of the filled orders. */
async function fillPartners(d1: D1Database, catalogueId: number, nowMs: number): Promise<void> {
  const partners = `WITH RECURSIVE number (n) AS
    (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${String(PARTNERS - 1)})
    SELECT printf('partner-%d', n)`;
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
           created_at_ms)
         ${partners}, 'A partner', 'credit', 400, 'AUD', ?1, ?2 FROM number`,
      )
      .bind(catalogueId, nowMs),
    d1
      .prepare(
        `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
         ${partners}, 'AUD', ?1, 1 FROM number`,
      )
      .bind(CREDIT_MINOR),
    d1
      .prepare(
        `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
           balance_minor, reference, created_at_ms)
         ${partners}, 'AUD', 1, 'adjustment', ?1, ?1, 'fill', 0 FROM number`,
      )
      .bind(CREDIT_MINOR),
  ]);
}

/** Copies the seed's simple products in AUD until there are enough. Returns the catalogue's id. */
async function fillCatalogue(d1: D1Database, products: number, nowMs: number): Promise<number> {
  const file = path.resolve(import.meta.dirname, "../seed/catalogue.json");
  const originals = readRegalo(await readFile(file, "utf8"))
    .products.map(({ product }) => product)
    .filter(
      ({ product_type, price_currency }) => product_type === "simple" && price_currency === "AUD",
    )
    .map(fromFileProduct)
    .sort((a, b) => a.product.id - b.product.id)
    .slice(0, products);
  await publish(d1, "bench", originals, nowMs);
  const catalogue = await d1
    .prepare(`SELECT id, version FROM catalogues WHERE name = 'bench'`)
    .first<{ id: number; version: number }>();
  if (!catalogue) throw new Error("the catalogue was not published");

  const copies = `WITH RECURSIVE copy (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ?1) `;
  const count = Math.ceil(products / originals.length) - 1;
  const { id, version } = catalogue;
  if (count > 0) {
    await d1.batch([
      d1
        .prepare(
          `INSERT INTO products (id) ${copies}
           SELECT p.id + n * ${String(COPY_STEP)} FROM copy, products p ORDER BY 1`,
        )
        .bind(count),
      d1
        .prepare(
          `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
             price_minor, shipping_minor, locations, variations, content) ${copies}
           SELECT product_id + n * ${String(COPY_STEP)}, revision, product_type, delivery, currency,
             price_minor, shipping_minor, locations, variations, content
           FROM copy, product_revisions ORDER BY 1`,
        )
        .bind(count),
      d1
        .prepare(
          `INSERT INTO catalogue_entries (catalogue_id, version, position, product_id, revision,
             delivery, delivery_position) ${copies}
           SELECT e.catalogue_id, e.version, e.position + n * ?2,
             e.product_id + n * ${String(COPY_STEP)}, e.revision, e.delivery,
             e.delivery_position + n * (SELECT count(*) FROM catalogue_entries d
               WHERE d.catalogue_id = e.catalogue_id AND d.version = e.version
                 AND d.delivery = e.delivery)
           FROM copy, catalogue_entries e WHERE e.position + n * ?2 <= ?3`,
        )
        .bind(count, originals.length, products),
    ]);
  }
  await d1.batch([
    d1
      .prepare(
        `INSERT OR REPLACE INTO stock (product_id, variation_id, quantity, sellable)
         SELECT id, 0, ?1, 1 FROM products`,
      )
      .bind(STOCK),
    d1
      .prepare(
        `UPDATE catalogue_versions SET (total_products, total_physical, total_digital) =
           (SELECT count(*), sum(delivery = 'physical'), sum(delivery = 'digital')
            FROM catalogue_entries WHERE catalogue_id = ?1 AND version = ?2)
         WHERE catalogue_id = ?1 AND version = ?2`,
      )
      .bind(id, version),
  ]);
  return id;
}

/** Adds `orders` of the other clients, distributed over the products of the catalogue. */
export async function fillOrders(
  d1: D1Database,
  catalogueId: number,
  { products, orders }: FillSize,
): Promise<void> {
  const startMs = Date.now() - orders * MS_BETWEEN_ORDERS;
  for (let first = 1; first <= orders; first += ORDERS_PER_STATEMENT) {
    const last = Math.min(orders, first + ORDERS_PER_STATEMENT - 1);
    await fillSomeOrders(d1, { first, last }, { catalogueId, products }, startMs);
  }
  // D1 does this regularly. Without it, the query planner has no statistics.
  await d1.prepare("PRAGMA optimize").run();
}

/**
 * Adds orders `first` to `last`, for two recipients each, with an event each. One in 50 has failed, one in 50 is cancelled
 * and one in 50 is not paid yet. The others are paid from their client's credit, and two thirds of their gift links have
 * a redeemed gift.
 */
async function fillSomeOrders(
  d1: D1Database,
  { first, last }: { first: number; last: number },
  { catalogueId, products }: { catalogueId: number; products: number },
  startMs: number,
): Promise<void> {
  const recipients = JSON.stringify(
    [1, 2].map((sequence) => ({ sequence, first_name: "Robin", last_name: "Okonkwo-Bell" })),
  );
  const address = JSON.stringify({
    address_line_1: "14 Plane Tree Lane",
    suburb: "Brunswick",
    state: "VIC",
    postcode_zipcode: "3056",
    country: "AU",
  });
  await d1.batch([
    // CROSS JOIN fixes the order of the loops, so that each number finds its product by the key.
    d1
      .prepare(
        `INSERT INTO orders (id, client_id, order_ref_id, placement_id, request_digest,
           gift_order_method, status, gift_of_choice, branding_selected, email_template, product_id,
           product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
           shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, link_nonce,
           redeemed_gifts, cancelled_gifts, updated_at_ms, finished)
         WITH RECURSIVE number (n) AS (SELECT cast(?1 AS INTEGER)
           UNION ALL SELECT n + 1 FROM number WHERE n < ?2),
         filled AS (SELECT n,
           CASE WHEN n % 2 THEN 1 + n / 2 % ${String(PARTNERS - 1)} ELSE 0 END AS partner,
           n / 2 % 50 AS kind, n / 7 % 2 AS gift_link,
           CASE WHEN n / 2 % 50 > 2 AND n / 7 % 2 THEN n / 5 % 3 ELSE 0 END AS redeemed,
           ?5 + n * ${String(MS_BETWEEN_ORDERS)} AS created_at_ms FROM number)
         SELECT n, printf('partner-%d', partner),
           printf('order-%08d', n), lower(hex(randomblob(16))), lower(hex(randomblob(32))),
           iif(gift_link, 'api-giftlink', 'api-purchase'),
           CASE kind WHEN 0 THEN 'failed' WHEN 1 THEN 'cancieled' WHEN 2 THEN 'created' ELSE 'paid' END,
           'N', 'platform', 'generic', e.product_id, e.revision, 'AU', r.currency, r.price_minor, 2,
           2 * r.price_minor, 2 * r.shipping_minor, 0, 2 * r.price_minor + 2 * r.shipping_minor,
           created_at_ms, iif(gift_link, lower(hex(randomblob(4))), NULL), redeemed,
           iif(kind < 2, 2, 0), iif(kind < 2 OR redeemed > 0, created_at_ms + 3600000, NULL),
           redeemed = 2
         FROM filled
         CROSS JOIN catalogue_entries e ON e.catalogue_id = ?3
           AND e.version = (SELECT version FROM catalogues WHERE id = ?3) AND e.position = 1 + n % ?4
         CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision`,
      )
      .bind(first, last, catalogueId, products, startMs),
    d1
      .prepare(
        `UPDATE orders SET debit_sequence = debit.sequence FROM (
           SELECT o.id, a.entries + row_number() OVER (PARTITION BY o.client_id, o.currency
             ORDER BY o.id) AS sequence
           FROM orders o JOIN credit_accounts a ON a.client_id = o.client_id AND a.currency = o.currency
           WHERE o.id BETWEEN ?1 AND ?2 AND o.status = 'paid') debit
         WHERE orders.id = debit.id`,
      )
      .bind(first, last),
    d1
      .prepare(
        `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, phone_number,
           delivery_address, product_id, redemption_status, redeemed_at_ms)
         SELECT o.id, r.value ->> '$.sequence', r.value ->> '$.first_name',
           r.value ->> '$.last_name', printf('recipient-%d@example.com', o.id), '+61 2 5550 0100', ?4,
           o.product_id,
           CASE WHEN r.value ->> '$.sequence' <= o.redeemed_gifts THEN 'redeemed'
             WHEN o.cancelled_gifts > 0 THEN 'cancelled' END,
           iif(r.value ->> '$.sequence' <= o.redeemed_gifts, o.updated_at_ms, NULL)
         FROM orders o, json_each(?3) r WHERE o.id BETWEEN ?1 AND ?2`,
      )
      .bind(first, last, recipients, address),
    d1
      .prepare(
        `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
           balance_minor, order_id, created_at_ms)
         SELECT a.client_id, a.currency, o.debit_sequence, 'order', -o.order_total_minor,
           a.balance_minor - sum(o.order_total_minor) OVER account, o.id, o.created_at_ms
         FROM orders o JOIN credit_accounts a ON a.client_id = o.client_id AND a.currency = o.currency
         WHERE o.id BETWEEN ?1 AND ?2 AND o.debit_sequence IS NOT NULL
         WINDOW account AS (PARTITION BY o.client_id, o.currency ORDER BY o.id)`,
      )
      .bind(first, last),
    d1
      .prepare(
        `INSERT INTO events (client_id, sequence, type, order_id, created_at_ms)
         SELECT o.client_id,
           (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = o.client_id)
             + row_number() OVER (PARTITION BY o.client_id ORDER BY o.id) AS sequence,
           iif(o.debit_sequence IS NULL, 'order.created', 'order.paid'), o.id, o.created_at_ms
         FROM orders o WHERE o.id BETWEEN ?1 AND ?2 ORDER BY o.client_id, sequence`,
      )
      .bind(first, last),
    d1
      .prepare(
        `UPDATE credit_accounts SET entries = entries + spent.orders,
           balance_minor = balance_minor - spent.total
         FROM (SELECT client_id, currency, count(*) AS orders, sum(order_total_minor) AS total
           FROM orders WHERE id BETWEEN ?1 AND ?2 AND debit_sequence IS NOT NULL
           GROUP BY client_id, currency) spent
         WHERE credit_accounts.client_id = spent.client_id
           AND credit_accounts.currency = spent.currency`,
      )
      .bind(first, last),
  ]);
}
