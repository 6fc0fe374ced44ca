// The rule for ids, and the numbers that people and partners see, which follow from them.

/** Every id is an integer from 1 to this one: the largest that JSON and JavaScript hold exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The id in a text, or `undefined` when it is none: no sign, no leading zero, no other notation. */
export function parseId(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && id <= MAX_ID ? id : undefined;
}

const ORDER_PREFIX = "GO-";

/** 42 → `GO-00042`; longer when the id is longer (decision 11). */
export function orderNumber(orderId: number): string {
  return ORDER_PREFIX + String(orderId).padStart(5, "0");
}

/** The order id of an order number, or `undefined` when it is not one that `orderNumber` makes. */
export function parseOrderNumber(number: string): number | undefined {
  const orderId = Number(number.slice(ORDER_PREFIX.length));
  return orderId >= 1 && orderId <= MAX_ID && orderNumber(orderId) === number ? orderId : undefined;
}

/** The sub-order with this 1-based sequence: `GO-00042-3`. */
export function suborderNumber(orderId: number, sequence: number): string {
  return `${orderNumber(orderId)}-${String(sequence)}`;
}

/** No order has more sub-orders, so that a sub-order's id can be computed from its order's. */
const SUBORDERS_PER_ORDER = 1_000;

/** The largest order id: its sub-orders' ids are ids, too. A trigger holds orders to it. */
export const MAX_ORDER_ID = Math.floor(MAX_ID / SUBORDERS_PER_ORDER) - 1;

/**
 * Sub-orders are not numbered on their own: their id is the order's and the sequence, as digits
 * (decision 21).
 */
export function suborderId(orderId: number, sequence: number): number {
  return orderId * SUBORDERS_PER_ORDER + sequence;
}

export function splitSuborderId(id: number): { orderId: number; sequence: number } {
  return { orderId: Math.floor(id / SUBORDERS_PER_ORDER), sequence: id % SUBORDERS_PER_ORDER };
}
