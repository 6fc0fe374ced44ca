// The order that an operator is going to change.
import { orderNumber } from "../../core/values/ids.ts";
import { NotFound } from "../refusal.ts";
import { type OrderPreview, previewOrder } from "./queries.ts";

/** Errors: `NotFound` if there is no such order. */
export async function requireOrder(d1: D1Database, orderId: number): Promise<OrderPreview> {
  const order = await previewOrder(d1, orderId);
  if (!order) throw unknownOrder(orderId);
  return order;
}

export const unknownOrder = (orderId: number) =>
  new NotFound(`there is no order ${orderNumber(orderId)}.`);
