// An order as operators see it: its gifts with their state, product and shipment.
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import { findClientAndExpiry } from "../orders/queries.ts";
import type { Order, SubOrder } from "../../features/orders/order.ts";
import { findOrder } from "../../features/orders/queries.ts";
import { type GiftDetails, readGiftDetails } from "./order-view-queries.ts";

export interface ViewedGift extends GiftDetails {
  /** `declined`, `shipped` or `to ship`, for example. */
  state: string;
}

export interface OrderView {
  clientId: string;
  expiresAtMs: number | null;
  order: Order;
  subOrders: SubOrder[];
  /** Null for an order without recipients. */
  offeredName: string | null;
  /** In the order of `subOrders`. */
  gifts: ViewedGift[];
}

/** The order, or null. Two round trips. The rows read are linear in its gifts. */
export async function readOrderView(
  d1: D1Database,
  orderId: number,
  nowMs: number,
): Promise<OrderView | null> {
  const columns = await findClientAndExpiry(d1, orderId);
  if (!columns) return null;
  const { clientId, expiresAtMs } = columns;
  const [found, details] = await Promise.all([
    findOrder(d1, clientId, { id: orderId }),
    readGiftDetails(d1, orderId),
  ]);
  if (!found) return null;
  const { status: orderStatus, giftOrderMethod } = found.order;
  const bySequence = new Map(found.subOrders.map((each) => [each.sequence, each]));
  const gifts = details.flatMap((gift) => {
    const subOrder = bySequence.get(gift.sequence);
    if (!subOrder) return [];
    const { redemptionStatus, linkGeneration, declinedAtMs } = subOrder;
    const state = {
      orderStatus,
      giftOrderMethod,
      redemptionStatus,
      linkGeneration,
      expiresAtMs: subOrder.expiresAtMs ?? expiresAtMs,
    };
    return [{ ...gift, state: operatorsStateOf({ ...state, ...gift, declinedAtMs }, nowMs) }];
  });
  return { ...columns, ...found, offeredName: details[0]?.offeredName ?? null, gifts };
}
