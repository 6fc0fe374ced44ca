// The order or the gift that a request selects.
import { type ApiError, notFound } from "../../core/api-error.ts";
import { orderNumber, splitGiftId } from "../../core/values/ids.ts";
import { fragment } from "../../platform/db/sql.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import { type OrderSelection, type SelectedOrder, selectedOrder } from "../orders/selection.ts";

/** Who changes an order: the owner and its credential set. All null for the operator and for recipients. */
export interface Changer extends Pick<Owner, "ownId"> {
  clientId: string | null;
  credentialId: number | null;
}

export const NO_CLIENT: Changer = { clientId: null, ownId: null, credentialId: null };

/** Order `o` exists for the change. */
export const EXISTS_FOR_CHANGER = fragment`(${"clientId"} IS NULL OR (${OWNED}))`;

/** An order by its id, or by its client and the client's reference. */
export interface OrderKey extends Changer, SelectedOrder {}

export interface GiftKey extends Changer {
  orderId: number;
  sequence: number;
}

export const orderKeyOf = (selection: OrderSelection, changer: Changer): OrderKey => ({
  ...selectedOrder(selection),
  ...changer,
});

/** The key of an order for the operator. */
export function operatorKey(orderId: number): OrderKey {
  return { orderId, orderRefId: null, ...NO_CLIENT };
}

/** Partners may have named the order by their reference. */
type NamedOrder = Pick<OrderKey, "orderId" | "clientId">;
export const unknownOrder = ({ orderId, clientId }: NamedOrder): ApiError =>
  notFound(
    clientId === null
      ? `there is no order ${orderNumber(orderId ?? 0)}.`
      : "You have no such order.",
  );

/** The key of a gift for the operator. */
export function operatorGiftKey(giftId: number): GiftKey {
  return { ...splitGiftId(giftId), ...NO_CLIENT };
}
