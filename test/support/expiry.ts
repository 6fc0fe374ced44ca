// Gift-link orders with a last day, and runs of the cron handler's expiry at chosen times.
import { env } from "cloudflare:workers";
import { expireGifts } from "../../src/features/lifecycle/expire.ts";
import { dayIn, expiryOf } from "../../src/core/values/redeem-by.ts";
import { DAY_MS } from "../../src/core/values/time.ts";
import { eventsOf, typesOf } from "./events.ts";
import {
  type ClientOptions,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
} from "./fixtures.ts";
import { createGift, type TestGift } from "./gift.ts";
import { sql } from "./sql.ts";
import { startWorker } from "./worker.ts";

export interface ExpiringGift extends TestGift {
  product: TestProduct;
  redeemBy: string;
  expiresAtMs: number;
}

/** Places an order for `qty` recipients, whose gifts expire and end in `days` days, with a new client. */
export async function createExpiring(
  { qty = 1, days = 60 }: { qty?: number; days?: number } = {},
  options: ClientOptions = {},
): Promise<ExpiringGift> {
  const product = options.products?.[0] ?? simpleProduct();
  const redeemBy = dayIn(days, Date.now());
  const changes = { redeem_by: redeemBy, recipient_details: recipients(qty) };
  const settings = { finalAfterDays: 0, ...options };
  const gift = await createGift(startWorker(), [product], changes, settings);
  return { ...gift, product, redeemBy, expiresAtMs: expiryOf(redeemBy) as number };
}

/** Checks the due orders until none is left that can be checked at this time. */
export async function sweep(nowMs: number, DB: D1Database = env.DB): Promise<void> {
  for (;;) {
    await expireGifts(DB, nowMs);
    if ((await countDue(nowMs)) === 0) return;
  }
}

export async function countDue(nowMs: number): Promise<number> {
  const due = "SELECT count(*) AS n FROM orders WHERE next_expiry_check_ms <= ?";
  return Number(await sql(due, nowMs).first("n"));
}

/** A time before the expiry of the gifts. */
export const daysBefore = ({ expiresAtMs }: ExpiringGift, days: number) =>
  expiresAtMs - days * DAY_MS;

/** The columns of an order that concern its expiry. */
export async function expiryColumns({ orderId }: { orderId: number }) {
  return sql(
    `SELECT status, expires_at_ms AS expiresAtMs, next_expiry_check_ms AS nextCheckMs,
       redeemed_gifts AS redeemed, cancelled_gifts AS cancelled, expired_gifts AS expired,
       refunded_minor AS refundedMinor
     FROM orders WHERE id = ?`,
    orderId,
  ).first<{
    status: string;
    expiresAtMs: number | null;
    nextCheckMs: number | null;
    redeemed: number;
    cancelled: number;
    expired: number;
    refundedMinor: number;
  }>();
}

/** The client's events after the first one, which is that of the placement. */
export const laterEvents = async (client: TestClient) => (await eventsOf(client)).slice(1);

export const laterTypes = async (client: TestClient) => (await typesOf(client)).slice(1);
