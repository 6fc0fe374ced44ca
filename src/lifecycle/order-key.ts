// The order that a request selects.
import { parseOrderNumber } from "../values/ids.ts";
import type { OrderSelection } from "./contract.ts";

/** An order by its id, or by its client and the client's reference. */
export interface OrderKey {
  /** Null if the order is selected by its reference, or if no order has the given number. */
  orderId: number | null;
  orderRefId: string | null;
  /** The order's client. Null for the operator, who may change the orders of all clients. */
  clientId: string | null;
}

export function orderKeyOf(
  { order_id, order_number, order_ref_id }: OrderSelection,
  clientId: string,
): OrderKey {
  return {
    orderId: order_id ?? parseOrderNumber(order_number ?? "") ?? null,
    orderRefId: order_ref_id ?? null,
    clientId,
  };
}

/** The key of an order for the operator. */
export function operatorKey(orderId: number): OrderKey {
  return { orderId, orderRefId: null, clientId: null };
}
