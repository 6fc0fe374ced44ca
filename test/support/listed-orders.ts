// Orders for tests of the list: imported, and read page by page.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { gifts, orders } from "../../src/platform/db/schema.ts";
import { expect } from "vitest";
import { searchTermsOf } from "../../src/features/orders/search-terms.ts";
import { type TestClient, type TestProduct, unique, unusedOrderId } from "./fixtures.ts";
import type { OrderListResponse } from "../../src/features/orders/contract.ts";
import { sql } from "./sql.ts";
import type { Answer, TestWorker } from "./worker.ts";

/** The counts of redeemed, cancelled and expired gifts are computed from its gifts. */
type ImportedOrder = Omit<
  typeof orders.$inferInsert,
  "redeemedGifts" | "cancelledGifts" | "expiredGifts" | "shippedGifts"
> & { id: number };
type ImportedGift = Omit<typeof gifts.$inferInsert, "orderId">;

/** Adds an order of the online store, with its gifts, in one transaction. */
async function importOrder(order: ImportedOrder, rows: ImportedGift[]): Promise<void> {
  const db = drizzle(env.DB);
  const countOf = (status: ImportedGift["redemptionStatus"]) =>
    rows.filter(({ redemptionStatus }) => redemptionStatus === status).length;
  const redeemedGifts = countOf("redeemed");
  const cancelledGifts = countOf("cancelled");
  const expiredGifts = countOf("expired");
  await db.batch([
    db.insert(orders).values({ ...order, redeemedGifts, cancelledGifts, expiredGifts }),
    ...rows.map((row) => db.insert(gifts).values({ ...row, orderId: order.id })),
    // A trigger writes the terms.
    ...rows.map(({ sequence, firstName, lastName, email, externalId }) => {
      const names = { first_name: firstName, last_name: lastName, email, external_id: externalId };
      return db
        .update(gifts)
        .set({ searchTerms: searchTermsOf(names) })
        .where(and(eq(gifts.orderId, order.id), eq(gifts.sequence, sequence)));
    }),
  ]);
}

/** The revision of a product that has only one. */
export async function revisionOf(productId: number): Promise<string> {
  const select = "SELECT revision FROM product_revisions WHERE product_id = ?";
  return (await sql(select, productId).first<string>("revision")) ?? "";
}

export interface ListedGift {
  reference: string | null;
  status: "failed" | "created" | "paid" | "cancieled";
  method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
  createdAtMs: number;
  updatedAtMs?: number;
  /** The state of each gift. */
  gifts: (null | "redeemed" | "cancelled")[];
}

/**
 * Imports an order with these columns and gifts. The others are those of a paid order of the store at 25.00 AUD for each
 * gift. The client's catalogue contains the product. Returns the order's id.
 */
export async function importWith(
  { clientId }: TestClient,
  { product }: TestProduct,
  columns: Partial<ImportedOrder> = {},
  gifts: Partial<ImportedGift>[] = [{}],
): Promise<number> {
  const productRevision = await revisionOf(product.id);
  const id = columns.id ?? (await unusedOrderId());
  const qty = gifts.length;
  const order: ImportedOrder = {
    id,
    clientId,
    giftOrderMethod: "email",
    status: "paid",
    giftOfChoice: "N",
    brandingSelected: "platform",
    emailTemplate: "generic",
    productId: product.id,
    productRevision,
    baseLocation: "AU",
    currency: "AUD",
    productPriceMinor: 2_500,
    qty,
    subtotalMinor: qty * 2_500,
    shippingCostMinor: 0,
    orderFeeMinor: 5,
    orderTotalMinor: qty * 2_500 + 5,
    createdAtMs: 0,
    ...columns,
  };
  await importOrder(
    order,
    gifts.map((gift, index) => ({
      sequence: index + 1,
      firstName: "Imogen",
      lastName: "Okafor",
      email: "imogen@example.com",
      productId: product.id,
      productMinor: order.productPriceMinor,
      shippingMinor: order.shippingCostMinor / qty,
      feeMinor: index === 0 ? order.orderFeeMinor : 0,
      ...gift,
    })),
  );
  return id;
}

/** Imports the order with a product that the client's catalogue contains, and returns its id. */
export const importListed = (
  client: TestClient,
  product: TestProduct,
  { reference, method, gifts, status, createdAtMs, updatedAtMs }: ListedGift,
): Promise<number> =>
  importWith(
    client,
    product,
    {
      orderRefId: reference,
      placementId: "placement",
      requestDigest: "digest",
      linkNonce: "nonce123",
      giftOrderMethod: method,
      status,
      createdAtMs,
      updatedAtMs: updatedAtMs ?? null,
    },
    gifts.map((redemptionStatus) => ({ redemptionStatus })),
  );

/**
 * Copies the client's order `count` times, each a second later than the one before, starting at `firstMs`. `columns`
 * sets columns by the number of the copy, `n`, which starts at 1.
 */
export async function copyOrder(
  id: number,
  count: number,
  firstMs: number,
  columns: Record<string, string> = {},
): Promise<void> {
  const values: Record<string, string> = {
    client_id: "client_id",
    order_ref_id: `'copy-${String(unique())}-' || printf('%06d', n)`,
    placement_id: "placement_id",
    request_digest: "request_digest",
    link_nonce: "'nonce123'",
    gift_order_method: "gift_order_method",
    status: "status",
    redeemed_gifts: "0",
    ...Object.fromEntries(
      [
        ...["gift_of_choice", "branding_selected", "email_template", "product_id", "currency"],
        ...["product_revision", "base_location", "product_price_minor", "qty", "subtotal_minor"],
        ...["shipping_cost_minor", "order_fee_minor", "order_total_minor"],
      ].map((name) => [name, name]),
    ),
    created_at_ms: `${String(firstMs)} + (n - 1) * 1000`,
    ...columns,
  };
  await sql(
    `INSERT INTO orders (${Object.keys(values).join(", ")})
     WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
     SELECT ${Object.values(values).join(", ")} FROM orders o, number WHERE o.id = ?1`,
    id,
    count,
  ).run();
}

interface ListPage {
  orders: OrderListResponse["orders"];
  cursor: string | null;
  meter: Answer["meter"];
}

/** One page. `filters` are the query parameters. */
export async function listOrders(
  worker: TestWorker,
  client: TestClient,
  filters: Record<string, string | number>,
): Promise<ListPage> {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [name, String(value)]),
  );
  const answer = await worker.get(client, `/api/orders?${query.toString()}`);
  expect(answer.status, answer.text).toBe(200);
  const { orders, next_cursor } = answer.json as OrderListResponse;
  return { orders, cursor: next_cursor, meter: answer.meter };
}

/** All pages. `afterPage` runs between two pages. */
export async function listAllOrders(
  worker: TestWorker,
  client: TestClient,
  filters: Record<string, string | number>,
  afterPage?: () => Promise<void>,
): Promise<ListPage[]> {
  const pages = [await listOrders(worker, client, filters)];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor) {
    await afterPage?.();
    pages.push(await listOrders(worker, client, { ...filters, cursor }));
  }
  return pages;
}
