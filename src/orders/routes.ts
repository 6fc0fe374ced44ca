// POST /api/order and GET /api/order.
import { type Context, Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { readJsonObject } from "../http/body.ts";
import { allowOnly } from "../http/error-response.ts";
import { readQuery } from "../http/query.ts";
import { findOrder } from "./find.ts";
import { giftUrls } from "./gift-link.ts";
import { place } from "./place.ts";
import type { PlacedOrder } from "./order.ts";
import {
  OrderQuery,
  OrderRequest,
  orderToWire,
  type Placement,
  placementToWire,
  readPlacement,
} from "./wire.ts";

/** Places what a request asks for and says in a header whether an earlier one had (decision 1). */
export async function placeFor(c: Context<AppEnv>, placement: Placement): Promise<PlacedOrder> {
  const context = {
    d1: c.env.DB,
    offers: c.get("isolate").offers,
    nowMs: c.get("nowMs"),
    requestId: c.get("requestId"),
  };
  const { order, replayed } = await place(context, placement);
  if (replayed) c.header("Idempotent-Replayed", "true");
  return order;
}

export const orderRoutes = new Hono<AppEnv>()
  .post("/api/order", async (c) => {
    const request = readPlacement(OrderRequest, await readJsonObject(c));
    const client = c.get("client");
    const order = await placeFor(c, { method: "api-purchase", client, request });
    return c.json(placementToWire(order));
  })
  .get("/api/order", async (c) => {
    const query = readQuery(c, OrderQuery);
    const found = await findOrder(c.env.DB, c.get("client").id, query);
    if (!found) throw new ApiError("not_found", "You have no such order.");
    const { order, subOrders } = found;
    const urls = await giftUrls(c.env, order, order.qty);
    return c.json(orderToWire(order, subOrders, urls));
  })
  .all("/api/order", allowOnly("GET", "HEAD", "POST"));
