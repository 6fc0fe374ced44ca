// Clients, products and request bodies. Each test creates its own, so that no test depends on another one.
import { env } from "cloudflare:workers";
import type { DigitalDelivery, Product, StockLevel } from "../../src/features/catalogue/product.ts";
import { type CodeContent, seal } from "../../src/features/codes/seal.ts";
import { addCodes } from "../../src/features/codes/upload-queries.ts";
import { addCredential, type NewClient } from "../../src/operator/client/queries.ts";
import { readBalance } from "../../src/features/credit/queries.ts";
import { insertClient } from "./client-rows.ts";
import { sql } from "./sql.ts";
import type { Currency } from "../../src/core/values/iso.ts";
import type { Credentials } from "./worker.ts";

/** Global, because this module may be loaded again while the database stays. */
const counter = globalThis as { created?: number };

/**
 * A number that is different on every call, in all test files, since these share the database. All have six digits: SQLite
 * also reads the row after the last one of a range, so the rows read would depend on the alphabetical order of the texts.
 */
export const unique = () => (counter.created = (counter.created ?? 100_000) + 1);

/** A product and its stock, as a publication takes them. */
export interface TestProduct {
  product: Product;
  stock: StockLevel[];
}

/** A digital product that operators send, or with other values. */
export const digitalDelivery = (changes: Partial<DigitalDelivery> = {}): DigitalDelivery => ({
  delivery: "manual",
  codeDays: 30,
  instructions: "",
  barcode: null,
  ...changes,
});

/** A digital product that is delivered as codes, without any. `addCodesTo` adds some. */
export const codeProduct = (
  changes: Partial<Product> = {},
  level: Partial<StockLevel> = {},
): TestProduct =>
  simpleProduct(
    {
      delivery: "digital",
      shippingMinor: 0,
      digital: digitalDelivery({ delivery: "code" }),
      ...changes,
    },
    { quantity: 0, codeDays: changes.digital?.codeDays ?? 30, ...level },
  );

/** Adds codes to the product: `CODE-<unique>` unless they are given. Returns their texts. */
export async function addCodesTo(
  { product }: { product: Pick<Product, "id"> },
  codes: number | readonly Partial<CodeContent & { expiresAtMs: number }>[],
  variationId = 0,
  db = env.DB,
): Promise<string[]> {
  const given = typeof codes === "number" ? Array.from({ length: codes }, () => ({})) : codes;
  const texts: string[] = [];
  const rows = given.map(
    async ({ expiresAtMs, ...content }: Partial<CodeContent & { expiresAtMs: number }>) => {
      const all = { code: `CODE-${String(unique())}`, pin: null, url: null, ...content };
      texts.push(all.code ?? "");
      const sealed = await seal(env, all);
      const productId = product.id;
      return { ...sealed, productId, variationId, batch: "test", expiresAtMs, createdAtMs: 0 };
    },
  );
  await addCodes(db, await Promise.all(rows));
  return texts;
}

/** A simple, physical, tracked product for 25.00 AUD plus 5.00 shipping, 100 in stock, available everywhere. */
export function simpleProduct(
  changes: Partial<Product> = {},
  level: Partial<StockLevel> = {},
): TestProduct {
  const id = 100_000 + unique();
  return {
    product: {
      id,
      sku: `SKU-${String(id)}`,
      name: `Product ${String(id)}`,
      description: "<p>Made by hand.</p>\n<p>In small numbers.</p>",
      shortDescription: "Made by hand.",
      type: "simple",
      delivery: "physical",
      digital: changes.delivery === "digital" ? digitalDelivery() : null,
      currency: "AUD",
      priceMinor: 2500,
      shippingMinor: 500,
      locations: [],
      categories: [],
      featuredImage: "/images/products/product.svg",
      additionalImages: ["https://images.example/second.jpg"],
      vendor: {
        name: "A Vendor",
        bio: "<p>Since 1999.</p>",
        logo: "/images/vendors/vendor.svg",
        shippingInfo: null,
        returnsInfo: "",
      },
      parcel: { weight: "0.5", length: "10", width: "10", height: "5" },
      attributes: [],
      variations: [],
      ...changes,
    },
    stock: [{ variationId: 0, quantity: 100, sellable: true, ...level }],
  };
}

/** A variable product with two variations (small 20.00, large 30.00), each with `quantity` in stock. */
export function variableProduct(
  changes: Partial<Product> = {},
  quantity: number | null = 100,
): TestProduct {
  const small = 200_000 + unique();
  const large = 200_000 + unique();
  const size = (option: string) => [{ id: 1, name: "Size", option }];
  const { product } = simpleProduct({
    type: "variable",
    priceMinor: null,
    attributes: [{ id: 1, name: "Size", options: ["S", "L"] }],
    variations: [
      { id: small, sku: `V-${String(small)}`, priceMinor: 2000, options: size("S") },
      { id: large, sku: `V-${String(large)}`, priceMinor: 3000, options: size("L") },
    ],
    ...changes,
  });
  return {
    product,
    stock: product.variations.map(({ id }) => ({ variationId: id, quantity, sellable: true })),
  };
}

/** A variable product with a variation, of which 5 are in stock, for each row of options of the attributes. */
export function productWithOptions(
  attributes: string[],
  rows: string[][],
  changes: Partial<Product> = {},
): TestProduct {
  const { product } = variableProduct(changes);
  const variations = rows.map((options, n) => ({
    ...(product.variations[0] as Product["variations"][number]),
    id: product.id + 1_000_000 + n,
    options: attributes.map((name, i) => ({ id: i + 1, name, option: options[i] ?? "" })),
  }));
  const stock = variations.map(({ id }) => ({ variationId: id, quantity: 5, sellable: true }));
  return { product: { ...product, variations }, stock };
}

/** The simple product with different stock, for a later publication. */
export function withStock(
  { product }: { product: Product },
  quantity: number | null,
  sellable = true,
): TestProduct {
  return { product, stock: [{ variationId: 0, quantity, sellable }] };
}

export interface ClientOptions extends Partial<NewClient> {
  products?: TestProduct[];
  /** Credit in minor units; 1,000,000.00 AUD by default. */
  creditMinor?: number;
  /** The currency of the credit; AUD by default. */
  currency?: Currency;
}

/** Further accounts of every client, each with more than any order costs: they reveal debits in a wrong currency. */
export const OTHER_ACCOUNTS = { AED: 111_111_111_111, USD: 222_222_222_222 };

/** `catalogue` is the name of the client's own catalogue. */
export type TestClient = Awaited<ReturnType<typeof createClient>>;

/** Creates a client with several credit accounts and a catalogue of its own that contains `products`. One round trip. */
export async function createClient(options: ClientOptions = {}) {
  const { products = [], creditMinor = 100_000_000, currency = "AUD", ...profile } = options;
  const clientId = options.id ?? `client-${String(unique())}`;
  const catalogue = `catalogue of ${clientId}`;
  const credentials = newCredentials(clientId);
  const client = {
    id: clientId,
    name: `Company ${clientId}`,
    billing: "credit" as const,
    feeBasisPoints: 400,
    defaultCurrency: currency,
    createdAtMs: Date.now(),
    // Most tests count the rows and the events of one change.
    trackOpened: false,
    ...profile,
  };
  const credit = { ...OTHER_ACCOUNTS, ...(creditMinor > 0 && { [currency]: creditMinor }) };
  const catalogueId = await insertClient(
    client,
    { name: catalogue, products },
    credit,
    credentials,
  );
  return { ...credentials, catalogue, catalogueId };
}

/** A client whose catalogue contains the product. */
export async function openShop(product = simpleProduct(), options: ClientOptions = {}) {
  return { product, client: await createClient({ products: [product], ...options }) };
}

function newCredentials(clientId: string): Credentials {
  const n = String(unique());
  return { clientId, apiKey: `key-${n}`, apiPassword: `password-${n}` };
}

export async function createCredentials(clientId: string): Promise<Credentials> {
  const credentials = newCredentials(clientId);
  const id = await addCredential(env.DB, clientId, credentials, Date.now());
  // Otherwise the first request would write the day, in addition to what a test counts.
  await sql(
    `UPDATE credentials SET last_used_on = date('now')
     WHERE id = ? AND (SELECT status FROM clients WHERE id = client_id) = 'active'`,
    id,
  ).run();
  return credentials;
}

export const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  address_line_2: "Unit 3",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};

/** `count` recipients, complete for a physical product. */
export function recipients(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    first_name: `First${String(index)}`,
    last_name: `Last${String(index)}`,
    email: `recipient${String(index)}@example.com`,
    phone_number: "+61 2 5550 0100",
    delivery_address: ADDRESS,
  }));
}

const encoder = new TextEncoder();

/** The size of the value as JSON in UTF-8. */
export const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).byteLength;

/** Metadata of this size as JSON, whose values consist of the character, and of letters at the end. */
export function metadataOf(bytes: number, character = "x"): Record<string, string> {
  const metadata: Record<string, string> = {};
  const characterBytes = bytesOf(character) - 2;
  for (let n = 0; bytesOf(metadata) < bytes; n++) {
    const key = `k${String(n)}`;
    metadata[key] = "";
    const room = bytes - bytesOf(metadata);
    const length = Math.min(490, Math.floor(room / characterBytes));
    metadata[key] = character.repeat(length);
    if (length < 490) metadata[key] += "x".repeat(bytes - bytesOf(metadata));
  }
  return metadata;
}

/** A valid request body for POST /api/order and POST /api/gift-link, with a new order_ref_id. */
export function orderOf({ product }: { product: Product }, changes: Record<string, unknown> = {}) {
  return {
    order_ref_id: `ref-${String(unique())}`,
    product_id: product.id,
    ...(product.variations[0] && { variation_id: product.variations[0].id }),
    currency: product.currency,
    base_location: "AU",
    recipient_details: recipients(1),
    ...changes,
  };
}

/** The quantity in stock; null if it is not tracked. */
export async function stockOf(productId: number, variationId = 0): Promise<number | null> {
  const select = "SELECT quantity FROM stock WHERE product_id = ? AND variation_id = ?";
  return sql(select, productId, variationId).first("quantity");
}

export async function ordersOf(clientId: string): Promise<number> {
  const select = "SELECT count(*) AS n FROM orders WHERE client_id = ?";
  return Number(await sql(select, clientId).first("n"));
}

/** An order id that is at least `from` and higher than all ids in use. */
export async function unusedOrderId(from = 1): Promise<number> {
  const select = "SELECT max(?1, coalesce(max(id), 0) + 1) AS id FROM orders";
  return Number(await sql(select, from).first("id"));
}

export function balanceOf(clientId: string, currency: Currency = "AUD"): Promise<number> {
  return readBalance(env.DB, { clientId, currency });
}

/**
 * Accounts whose ledger does not add up; there must be none. Entries are numbered without gaps, each has the balance
 * after it, and the last one has the balance of the account.
 */
export async function brokenAccounts(): Promise<unknown[]> {
  const { results } = await sql(
    `SELECT a.client_id, a.currency, a.balance_minor, a.entries,
       coalesce(sum(e.amount_minor), 0) AS sum, count(e.sequence) AS counted,
       coalesce(max(e.sequence), 0) AS last, coalesce(sum(e.balance_minor <> e.running), 0) AS wrong
     FROM credit_accounts a LEFT JOIN (
       SELECT *, sum(amount_minor) OVER (
         PARTITION BY client_id, currency ORDER BY sequence) AS running FROM credit_entries) e
       ON e.client_id = a.client_id AND e.currency = a.currency
     GROUP BY a.client_id, a.currency
     HAVING sum <> a.balance_minor OR counted <> a.entries OR last <> counted OR wrong > 0`,
  ).all();
  return results;
}
