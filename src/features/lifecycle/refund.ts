// The refund of gifts. The statement REFUND in queries.ts computes the same.
import { shareOfGifts } from "../../core/values/money.ts";

/** The columns of an order that determine its refunds. */
export interface RefundColumns {
  qty: number;
  orderTotalMinor: number;
  /** Whether the order was paid from credit. Only then does the end of a gift return credit. */
  paidFromCredit: boolean;
}

/** The refund of `count` gifts that end after `before` others, in minor units. */
export function refundOf(
  { qty, orderTotalMinor, paidFromCredit }: RefundColumns,
  before: number,
  count: number,
): number {
  if (!paidFromCredit) return 0;
  const share = (gifts: number) => shareOfGifts(orderTotalMinor, gifts, qty);
  return share(before + count) - share(before);
}
