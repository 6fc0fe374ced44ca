// The order or the gift that a request selects.
import { type ApiError, notFound } from "../../core/api-error.ts";
import { orderNumber, splitGiftId } from "../../core/values/ids.ts";
import { type OrderSelection, selectedId } from "../orders/selection.ts";

/** An order by its id, or by its client and the client's reference. */
export interface OrderKey {
  /** Null if the order is selected by its reference, or if no order has the given number. */
  orderId: number | null;
  orderRefId: string | null;
  /** The order's client. Null for the operator, who may change the orders of all clients. */
  clientId: string | null;
}

export interface GiftKey {
  orderId: number;
  sequence: number;
  /** The order's client. Null for the operator, who may change the gifts of all clients. */
  clientId: string | null;
}

export function orderKeyOf(selection: OrderSelection, clientId: string): OrderKey {
  return {
    orderId: selectedId(selection),
    orderRefId: selection.order_ref_id ?? null,
    clientId,
  };
}

/** The key of an order for the operator. */
export function operatorKey(orderId: number): OrderKey {
  return { orderId, orderRefId: null, clientId: null };
}

/** Partners may have named the order by their reference. */
export const unknownOrder = ({ orderId, clientId }: Omit<OrderKey, "orderRefId">): ApiError =>
  notFound(
    clientId === null
      ? `there is no order ${orderNumber(orderId ?? 0)}.`
      : "You have no such order.",
  );

/** The key of a gift for the operator. */
export function operatorGiftKey(giftId: number): GiftKey {
  return { ...splitGiftId(giftId), clientId: null };
}
