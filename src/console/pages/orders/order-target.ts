// The order that a path names.
import { orderNumber, parseNumber } from "../../../core/values/ids.ts";
import type { Target } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { param } from "../../router.ts";

/** Errors: `NotFound`. */
export const orderIdOf = (c: ConsoleContext): number =>
  param(c, "order", (text) => {
    const { orderId, sequence } = parseNumber(text) ?? {};
    return sequence === null ? orderId : undefined;
  });

/** Errors: `NotFound`. */
export function orderTarget(c: ConsoleContext): Target {
  const name = orderNumber(orderIdOf(c));
  return { name, href: `/orders/${name}` };
}
