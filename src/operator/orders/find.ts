// Finds orders and gifts for the operator by numbers, references and links, with indexes. search.ts finds parts of texts.
import type { Database } from "../../platform/db/statement.ts";
import { MAX_ORDER_ID, parseId, parseNumber, suborderId } from "../../core/values/ids.ts";
import {
  findByReference,
  type FoundGift,
  readLinkNonce,
  type SearchRange,
  selectGifts,
} from "./find-queries.ts";
import { type LinkToken, parseToken } from "../../features/orders/gift-link.ts";

export interface GiftSearch extends SearchRange {
  limit: number;
  /** How many calls to the database a search for parts may still make. Undefined if their number is not limited. */
  budget?: { calls: number } | undefined;
}

/** What a text may identify. */
export interface Recognised {
  orderIds: number[];
  suborderIds: number[];
  /** Null for a link. */
  reference: string | null;
  link: LinkToken | null;
}

/** The number, id, reference or link that the text may be. Digits may be an order, a sub-order and a reference. */
export function recognise(text: string): Recognised {
  const link = parseToken(/\/redeem\/(.*)$/su.exec(text)?.[1] ?? text);
  const reference = link ? null : text;
  const number = parseNumber(text) ?? link;
  if (number && number.sequence !== null) {
    const id = suborderId(number.orderId, number.sequence);
    return { orderIds: [], suborderIds: [id], reference, link };
  }
  const id = parseId(text);
  const orderIds = [number?.orderId ?? id].filter((each) => each !== undefined);
  return {
    orderIds: orderIds.filter((each) => each <= MAX_ORDER_ID),
    suborderIds: id === undefined ? [] : [id],
    reference,
    link,
  };
}

/** The gifts that the numbers, the reference or the link identify. At most two round trips. */
export async function findExactly(
  db: Database,
  { orderIds, suborderIds, reference }: Recognised,
  search: GiftSearch,
): Promise<FoundGift[]> {
  const byReference = reference === null ? [] : await findByReference(db, search, reference);
  const ids = { orderIds: [...new Set([...orderIds, ...byReference])], suborderIds };
  return selectGifts(db, ids, search, search.limit);
}

/** Whether the order of the link's gift has the link's nonce. The MAC is not checked, which would need the secret. */
export async function isLinkOfOrder(db: Database, { orderId, nonce }: LinkToken): Promise<boolean> {
  return (await readLinkNonce(db, orderId)) === nonce;
}
