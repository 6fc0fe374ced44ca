// The rule for ids, and the numbers that are derived from them.

/** Ids are integers from 1 to this one, the largest that JSON and JavaScript represent exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The id in a text: digits without a sign or a leading zero. `undefined` for any other text. */
export function parseId(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && id <= MAX_ID ? id : undefined;
}

const ORDER_PREFIX = "GO-";

/** 42 → `GO-00042`, longer if the id has more than five digits. */
export function orderNumber(orderId: number): string {
  return ORDER_PREFIX + String(orderId).padStart(5, "0");
}

/** The order id of an order number. `undefined` for a text that `orderNumber` does not produce. */
export function parseOrderNumber(number: string): number | undefined {
  const orderId = Number(number.slice(ORDER_PREFIX.length));
  return orderId >= 1 && orderId <= MAX_ID && orderNumber(orderId) === number ? orderId : undefined;
}

/** The sub-order with this 1-based sequence: `GO-00042-3`. */
export function suborderNumber(orderId: number, sequence: number): string {
  return `${orderNumber(orderId)}-${String(sequence)}`;
}

/** The ids of an order's sub-orders are in a range of this size. */
const SUBORDERS_PER_ORDER = 1_000;

/** The largest order id. The ids of its sub-orders do not exceed MAX_ID. A trigger enforces it. */
export const MAX_ORDER_ID = Math.floor(MAX_ID / SUBORDERS_PER_ORDER) - 1;

/**
 * The id of a sub-order is computed from the order's id and its 1-based sequence (DECISIONS.md: Sub-order ids are
 * computed).
 */
export function suborderId(orderId: number, sequence: number): number {
  return orderId * SUBORDERS_PER_ORDER + sequence;
}

export function splitSuborderId(id: number): { orderId: number; sequence: number } {
  return { orderId: Math.floor(id / SUBORDERS_PER_ORDER), sequence: id % SUBORDERS_PER_ORDER };
}
