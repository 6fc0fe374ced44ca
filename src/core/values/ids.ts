// The range of ids, and the order numbers and gift ids that are derived from them.

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

/** The gift with this 1-based sequence: `GO-00042-3`. */
export function toGiftNumber(orderId: number, sequence: number): string {
  return `${orderNumber(orderId)}-${String(sequence)}`;
}

/** Each order has a range of this size for the ids of its gifts. */
const GIFTS_PER_ORDER = 1_000;

/** The largest order id for which the ids of the gifts do not exceed MAX_ID. A trigger enforces it. */
export const MAX_ORDER_ID = Math.floor(MAX_ID / GIFTS_PER_ORDER) - 1;

/** The ids of orders, credential sets and webhook endpoints of region n follow n times this number. */
export const IDS_PER_REGION = 100_000_000_000;

/** The last region whose order ids do not exceed MAX_ORDER_ID. */
export const MAX_REGION = Math.floor(MAX_ORDER_ID / IDS_PER_REGION) - 1;

/**
 * The id of a gift is computed from the order's id and its 1-based sequence, so each gift needs only one row.
 */
export function toGiftId(orderId: number, sequence: number): number {
  return orderId * GIFTS_PER_ORDER + sequence;
}

/** The prefix and the digits, in which O may stand for 0. In `GO-00042OK`, it does not. */
const pattern = (before: string, digits: string, after: string) =>
  new RegExp(
    `${before}G[O0][-\\s_.:#/]{0,3}${digits}([\\dO]{1,25}(?![\\p{L}\\d])|\\d{1,25}(?!\\d))(?:-([1-9]\\d{0,2})(?!\\d))?${after}`,
    "gu",
  );

/** Without case, width and invisible characters, and with hyphens for all dashes. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Pd}−]/gu, "-")
    .toUpperCase()
    .trim();

/** The number of an order, or with a sequence that of its gift. */
type OrderNumber = { orderId: number; sequence: number | null };

function numberOf([, digits = "", gift]: RegExpExecArray): OrderNumber[] {
  const orderId = Number(digits.replaceAll("O", "0"));
  if (orderId < 1 || orderId > (gift === undefined ? MAX_ID : MAX_ORDER_ID)) return [];
  return [{ orderId, sequence: gift === undefined ? null : Number(gift) }];
}

/**
 * The order in an operator's text, or its gift: `GO-00042`, `GO-00042-3`, and as people write them, such as `go 42` or
 * `GO–OO042/3`. `undefined` for any other text.
 */
export function parseNumber(text: string): OrderNumber | undefined {
  const hyphened = plain(text).replaceAll(/[-\s_.:#/]+/g, "-");
  return [...hyphened.matchAll(pattern("^-?", "", "$"))].flatMap(numberOf)[0];
}

/**
 * The numbers of orders and gifts in a longer text. A number with fewer than five digits and without a leading zero is left
 * out, because it may mean something else, as in `let's go 2`.
 */
export const numbersIn = (text: string): OrderNumber[] =>
  [...plain(text).matchAll(pattern("(?<![\\p{L}\\d])", "(?=[0O]|\\d{5})", ""))].flatMap(numberOf);

/** The gift in a text, which is a number such as `GO-00042-3`, or an id. `undefined` for any other text. */
export function parseGift(text: string): number | undefined {
  const { orderId = 0, sequence = null } = parseNumber(text) ?? {};
  const id = sequence === null ? (parseId(text) ?? 0) : toGiftId(orderId, sequence);
  // A sequence such as 3 is not an id.
  return id > toGiftId(1, 0) ? id : undefined;
}

export function splitGiftId(id: number): { orderId: number; sequence: number } {
  return { orderId: Math.floor(id / GIFTS_PER_ORDER), sequence: id % GIFTS_PER_ORDER };
}

/** The number of the gift with this id: 42003 → `GO-00042-3`. */
export function giftNumber(id: number): string {
  const { orderId, sequence } = splitGiftId(id);
  return toGiftNumber(orderId, sequence);
}

/** Greater than every client id, because SQLite compares the bytes of UTF-8. */
export const LAST_CLIENT_ID = "\u{10ffff}";
