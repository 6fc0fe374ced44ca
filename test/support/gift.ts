// Gift-link orders for single tests, and the actions of their recipients.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Product } from "../../src/catalogue/product.ts";
import { transition, type Transition } from "./transition.ts";
import { overriding } from "./counting.ts";
import {
  ADDRESS,
  createClient,
  type TestClient,
  type ClientOptions,
  orderOf,
  recipients,
  stockOf,
  type TestProduct,
} from "./fixtures.ts";
import type { Answer, TestWorker } from "./worker.ts";

export interface TestGift {
  client: TestClient;
  orderId: number;
  /** The path of each recipient's page, in the order of the recipients. */
  paths: string[];
  /** The first recipient's page. */
  path: string;
}

/** Creates a client and places a gift-link order for `products[0]` through the API. */
export async function createGift(
  worker: TestWorker,
  products: TestProduct[],
  changes: Record<string, unknown> = {},
  options: ClientOptions = {},
): Promise<TestGift> {
  const [product] = products;
  if (!product) throw new Error("a gift needs a product");
  const client = await createClient({ products, ...options });
  const { json } = await worker.post(client, "/api/gift-link", orderOf(product, changes));
  const paths = (json.recipient_return as { gift_url: string }[]).map(
    ({ gift_url }) => new URL(gift_url).pathname,
  );
  return { client, orderId: json.order_data.order_id, paths, path: paths[0] ?? "" };
}

/** Posts the page's form with a complete address and `fields`. */
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

/** The fields that a browser submits with the page's form, without the button. */
export function fieldsOf({ text }: Answer): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, attributes = "", content] of text.matchAll(
    /<(?:input|textarea)\b([^>]*)>(?:([^<]*)<\/textarea>)?/g,
  )) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    if (attribute("type") === "radio" && attribute("checked") === undefined) continue;
    fields[attribute("name") ?? ""] = unescapeHtml(content ?? attribute("value") ?? "");
  }
  return fields;
}

const CHARACTERS: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

const unescapeHtml = (text: string) =>
  text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => CHARACTERS[entity] ?? entity);

/** Presses a button that opens another page: `show` for a gift, or `gifts` for all. */
export function press(
  worker: TestWorker,
  path: string,
  page: Answer,
  button: { show: string } | { gifts: string },
): Promise<Answer> {
  const [name, value] = Object.entries(button)[0] as [string, string];
  expect(page.text).toContain(`name="${name}" value="${value}"`);
  return worker.fetch(path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ ...fieldsOf(page), [name]: value }),
  });
}

/** The order's first recipient in the response to GET /api/order. */
export async function readRecipient(worker: TestWorker, { client, orderId }: TestGift) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  return json.recipients[0];
}

/** Applies an operator's transition to the gift's order. */
export async function takeStep({ orderId }: TestGift, step: Transition): Promise<void> {
  const outcome = await transition(env.DB, orderId, step, Date.now());
  expect(outcome).toMatchObject({ changed: true });
}

/** Orders the whole stock of a product or of one of its variations. */
export async function orderAll(
  worker: TestWorker,
  client: TestClient,
  { product }: { product: Product },
  variationId?: number,
): Promise<void> {
  const left = await stockOf(product.id, variationId);
  const answer = await worker.post(
    client,
    "/api/order",
    orderOf(
      { product },
      {
        ...(variationId !== undefined && { variation_id: variationId }),
        recipient_details: recipients(left ?? 0),
      },
    ),
  );
  expect(answer.status).toBe(200);
}

/** D1 that runs `change` before the second batch of a request, which writes. */
export function changingAfterRead(change: () => Promise<unknown>): D1Database {
  let batches = 0;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      if (++batches === 2) await change();
      return env.DB.batch(statements);
    },
  });
}

/** The text of a page without its markup. */
export const textOf = ({ text }: Answer) => text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

/** The names of the gifts on the page's cards. */
export function cardNames(page: string): string[] {
  return [...page.matchAll(/<span class="name"[^>]*>([^<]*)<\/span>/g)].map(
    ([, name = ""]) => name,
  );
}
