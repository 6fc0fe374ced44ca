// Computes the totals of an order, in minor units.
import { shareOf } from "../../core/values/money.ts";
import type { Totals } from "./order.ts";

/** Only the fee is rounded. The total is the exact sum of its parts. */
export function totalsOf(
  productPriceMinor: number,
  shippingMinor: number,
  qty: number,
  feeBasisPoints: number,
): Totals {
  const subtotalMinor = productPriceMinor * qty;
  const shippingCostMinor = shippingMinor * qty;
  const orderFeeMinor = shareOf(subtotalMinor + shippingCostMinor, feeBasisPoints);
  return {
    productPriceMinor,
    qty,
    subtotalMinor,
    shippingCostMinor,
    orderFeeMinor,
    orderTotalMinor: subtotalMinor + shippingCostMinor + orderFeeMinor,
  };
}
