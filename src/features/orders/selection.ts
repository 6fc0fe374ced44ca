// The three fields with which a request selects an order.
import * as z from "zod/mini";
import { field } from "../../core/validation/described.ts";
import { lazy } from "../../core/lazy.ts";
import { exactlyOne, idField, optionalField, requiredText } from "../../core/validation/fields.ts";
import { parseOrderNumber } from "../../core/values/ids.ts";

const MAX_ORDER_NUMBER_LENGTH = 30;
export const MAX_REFERENCE_LENGTH = 100;

export const orderNumberText = () => requiredText(MAX_ORDER_NUMBER_LENGTH);
export const orderReference = () => requiredText(MAX_REFERENCE_LENGTH);

/** Exactly one of the fields must be set. */
export const oneOrder = () => exactlyOne("order_id", "order_number", "order_ref_id");

/** The fields in a JSON body. */
export const orderSelectors = () => ({
  order_id: field`${optionalField(idField())} The order's id.`,
  order_number: field`${optionalField(orderNumberText())} The order's number.`,
  order_ref_id: field`${optionalField(orderReference())} Your own reference for the order, exactly as you sent it.`,
});

/** A request for one order. */
export const OrderSelection = lazy(() => z.object(orderSelectors()).check(oneOrder()));
export type OrderSelection = z.infer<ReturnType<typeof OrderSelection>>;

/** Names an order by its id, or by its client's reference. */
export interface SelectedOrder {
  /** Null if the order is selected by its reference, or if no order has the given number. */
  orderId: number | null;
  orderRefId: string | null;
}

export const selectedOrder = (selection: OrderSelection): SelectedOrder => ({
  orderId: selection.order_id ?? parseOrderNumber(selection.order_number ?? "") ?? null,
  orderRefId: selection.order_ref_id ?? null,
});
