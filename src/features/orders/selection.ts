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

/** The id of the selected order. Null if no order has the number, or if a reference selects the order. */
export function selectedId({
  order_id,
  order_number,
}: Pick<OrderSelection, "order_id" | "order_number">): number | null {
  return order_id ?? parseOrderNumber(order_number ?? "") ?? null;
}
