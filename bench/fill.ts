// Fills a database: products by publishing them, and orders through the API, so that the rows are those of real orders.
import { addClient, addCredential } from "../src/operator/client/queries.ts";
import { adjustCredit } from "../src/features/credit/adjust-queries.ts";
import { fromFileProduct } from "../src/features/catalogue/file-product.ts";
import { publish } from "../src/operator/catalogue/publish/publish.ts";
import { readRegalo } from "../src/operator/catalogue/import/regalo.ts";
import { type Call, load } from "./load.ts";

export const PRICE_MINOR = 2_500;
export const SHIPPING_MINOR = 500;
export const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};
const CREDIT_MINOR = 1_000_000_000_000;
const CONNECTIONS = 16;
/** One order in so many is cancelled: an odd number, so that it is in turn an order and a gift link. */
const CANCELLED_EVERY = 11;

export const productId = (position: number) => 1_000_000 + position;

/** Publishes the catalogue with so many products. One in five is digital. */
export async function fillProducts(d1: D1Database, count: number): Promise<void> {
  const products = Array.from({ length: count }, (_, n) => ({
    product_id: productId(n),
    product_sku: `BENCH-${String(n)}`,
    product_name: `Benchmark product ${String(n)}`,
    product_description: `<p>${"Made by hand, in small numbers, to be given away. ".repeat(16)}</p>`,
    product_short_description: "Made by hand, in small numbers.",
    product_type: "simple",
    ...(n % 5 === 4
      ? { digital_physical: "digital", digital_delivery: "manual" }
      : { digital_physical: "physical" }),
    price: (PRICE_MINOR / 100).toFixed(2),
    price_currency: "AUD",
    track_inventory: "Y",
    stock_status: "in_stock",
    stock_qty: "1000000",
    featured_image: "/images/products/long-table-hamper.svg",
    additional_images: [],
    product_vendor: {
      name: "Benchmark Goods",
      bio: "",
      logo: "",
      shipping_info: null,
      returns_info: null,
    },
    shipping_cost: SHIPPING_MINOR / 100,
    shipping_details: { weight: "0.5", length: "10", width: "10", height: "5" },
    available_location: ["AU", "NZ"],
  }));
  const read = readRegalo({ products });
  if (read.problems.length > 0) throw new Error(JSON.stringify(read.problems[0]));
  const given = read.products.map(({ product }) => fromFileProduct(product));
  await publish(d1, "bench", given, Date.now());
}

/** Adds a client with credit and the catalogue. Returns its credentials. */
export async function fillClient(d1: D1Database, id: string): Promise<Record<string, string>> {
  const nowMs = Date.now();
  const catalogueId = await d1.prepare("SELECT id FROM catalogues").first<number>("id");
  await addClient(d1, {
    id,
    name: `Company ${id}`,
    billing: "credit",
    feeBasisPoints: 400,
    defaultCurrency: "AUD",
    catalogueId: Number(catalogueId),
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
  const secret = { apiKey: `key of ${id}`, apiPassword: "password" };
  await addCredential(d1, id, secret, nowMs);
  return { "CLIENT-ID": id, "API-KEY": secret.apiKey, "API-PASSWORD": secret.apiPassword };
}

export function post(headers: Record<string, string>, path: string, body: unknown): Call {
  const json = { ...headers, "Content-Type": "application/json" };
  return { method: "POST", path, headers: json, body: JSON.stringify(body) };
}

let references = 0;
/** A new order_ref_id. */
export const newReference = () => `ref-${String(++references)}`;

/** The body of POST /api/order and of POST /api/gift-link. */
export const placement = (
  recipients: number,
  reference = newReference(),
  product = productId(0),
) => ({
  order_ref_id: reference,
  product_id: product,
  currency: "AUD",
  base_location: "AU",
  recipient_details: Array.from({ length: recipients }, (_, index) => ({
    first_name: "Robin",
    last_name: "Okonkwo",
    email: `recipient-${String(index)}@example.com`,
    phone_number: "+61 2 5550 0100",
    delivery_address: ADDRESS,
  })),
});

/**
 * Places orders `first` to `last`, for two recipients each, in turn as orders and as gift links, and cancels some.
 * Returns the number of orders a second.
 */
export async function fillOrders(
  url: string,
  headers: Record<string, string>,
  [first, last]: [number, number],
): Promise<number> {
  const reference = (n: number) => `order-${String(n).padStart(8, "0")}`;
  let n = first;
  const place = () => {
    const body = placement(2, reference(n), productId(n % 10));
    return post(headers, n++ % 2 ? "/api/order" : "/api/gift-link", body);
  };
  const requests = last - first + 1;
  const rate = await load({ url, next: place }, CONNECTIONS, { requests });
  n = first;
  const cancel = () => {
    const call = post(headers, "/api/order/cancel", { order_ref_id: reference(n) });
    n += CANCELLED_EVERY;
    return call;
  };
  const cancelled = { requests: Math.floor(requests / CANCELLED_EVERY) };
  await load({ url, next: cancel }, CONNECTIONS, cancelled);
  return rate;
}
