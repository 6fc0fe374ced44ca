// Gifts for one test each, and what their recipients do.
import { env } from "cloudflare:workers";
import type { Product, StockLevel } from "../../src/catalogue/product.ts";
import { ADDRESS, mintClient, type MintedClient, type MintOptions, orderOf } from "./mint.ts";
import type { Answer, TestWorker } from "./worker.ts";

export interface MintedGift {
  client: MintedClient;
  orderId: number;
  /** The path of each recipient's page, in their order. */
  paths: string[];
  /** The first recipient's page. */
  path: string;
}

/** A gift-link order of `products[0]`, placed through the API by a client of its own. */
export async function mintGift(
  worker: TestWorker,
  products: { product: Product; stock: StockLevel[] }[],
  changes: Record<string, unknown> = {},
  options: MintOptions = {},
): Promise<MintedGift> {
  const [product] = products;
  if (!product) throw new Error("a gift needs a product");
  const client = await mintClient({ products, ...options });
  const { json } = await worker.post(client, "/api/gift-link", orderOf(product, changes));
  const paths = (json.recipient_return as { gift_url: string }[]).map(
    ({ gift_url }) => new URL(gift_url).pathname,
  );
  return { client, orderId: json.order_data.order_id, paths, path: paths[0] ?? "" };
}

/** Posts the page's form: an address that is complete, unless `fields` say otherwise. */
export function accept(
  worker: TestWorker,
  path: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  return worker.fetch(path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ ...ADDRESS, ...fields }),
  });
}

/** The order's first recipient, as its client reads it back. */
export async function readRecipient(worker: TestWorker, { client, orderId }: MintedGift) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  return json.recipients[0];
}

export async function setOrderStatus({ orderId }: MintedGift, status: string): Promise<void> {
  await env.DB.prepare("UPDATE orders SET status = ? WHERE id = ?").bind(status, orderId).run();
}

/** The names of the gifts on the page's cards. */
export function cardNames(page: string): string[] {
  return [...page.matchAll(/<span class="name">([^<]*)<\/span>/g)].map(([, name = ""]) => name);
}
