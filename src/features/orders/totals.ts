// Computes the totals of an order, in minor units.
import { shareOf } from "../../core/values/money.ts";
import type { Totals } from "./order.ts";

/**
 * What the gift at the index costs, of equal ones. Its fee is what it adds to the fee of the gifts before it, so the gifts
 * add up to the totals.
 */
export function costOf(
  { productPriceMinor: productMinor }: Totals,
  { shippingMinor, feeBasisPoints }: { shippingMinor: number; feeBasisPoints: number },
  index: number,
) {
  const feeOf = (gifts: number) => shareOf((productMinor + shippingMinor) * gifts, feeBasisPoints);
  return { productMinor, shippingMinor, feeMinor: feeOf(index + 1) - feeOf(index) };
}

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
