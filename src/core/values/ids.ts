// The range of ids, and the order numbers and sub-order ids that are derived from them.

/** The largest id: the largest integer that JSON and JavaScript represent exactly. The smallest is 1. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Parses an id: digits without a sign or a leading zero. `undefined` for any other text. */
export function parseId(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && id <= MAX_ID ? id : undefined;
}

/** Whether the text has the form of the ids that `crypto.randomUUID` returns. */
export const isUuid = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

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

/**
 * The id of the sub-order with this number: `GO-00042-3` → 42003. `undefined` for a text that `suborderNumber` does not
 * produce.
 */
export function parseSuborderNumber(number: string): number | undefined {
  const [, order = "", sequence = ""] = /^(.*)-([1-9]\d{0,2})$/.exec(number) ?? [];
  const orderId = parseOrderNumber(order);
  return orderId === undefined ? undefined : suborderId(orderId, Number(sequence));
}

/** Each order has a range of this size for the ids of its sub-orders. */
const SUBORDERS_PER_ORDER = 1_000;

/** The largest order id for which the ids of the sub-orders do not exceed MAX_ID. A trigger enforces it. */
export const MAX_ORDER_ID = Math.floor(MAX_ID / SUBORDERS_PER_ORDER) - 1;

/**
 * The id of a sub-order is computed from the order's id and its 1-based sequence, so each recipient needs only one row.
 */
export function suborderId(orderId: number, sequence: number): number {
  return orderId * SUBORDERS_PER_ORDER + sequence;
}

/** The sub-order id in a text, which is a number such as `GO-00042-3`, or an id. `undefined` for any other text. */
export function parseSuborder(text: string): number | undefined {
  const id = parseId(text) ?? parseSuborderNumber(text);
  // A sequence such as 3 is not an id.
  return id !== undefined && id > suborderId(1, 0) ? id : undefined;
}

/**
 * The order in an operator's text, or its gift: `GO-00042`, `GO-00042-3`, in any case and with or without the zeros.
 * `sequence` is null for an order. `undefined` for any other text.
 */
export function parseNumber(
  text: string,
): { orderId: number; sequence: number | null } | undefined {
  const [, order, gift] = /^GO-0*([1-9]\d{0,15})(?:-([1-9]\d{0,2}))?$/i.exec(text) ?? [];
  const orderId = Number(order ?? 0);
  if (orderId < 1 || orderId > (gift === undefined ? MAX_ID : MAX_ORDER_ID)) return undefined;
  return { orderId, sequence: gift === undefined ? null : Number(gift) };
}

export function splitSuborderId(id: number): { orderId: number; sequence: number } {
  return { orderId: Math.floor(id / SUBORDERS_PER_ORDER), sequence: id % SUBORDERS_PER_ORDER };
}

/** The number of the sub-order with this id: 42003 → `GO-00042-3`. */
export function giftNumber(id: number): string {
  const { orderId, sequence } = splitSuborderId(id);
  return suborderNumber(orderId, sequence);
}

/** Greater than every client id, because SQLite compares the bytes of UTF-8. */
export const LAST_CLIENT_ID = "\u{10ffff}";
