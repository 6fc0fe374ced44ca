// Finds orders and gifts for the operator: by numbers, references and links with indexes, and by a recipient's e-mail
// address or name with a search of all recipients in small steps (DECISIONS.md: Recipients are searched without an
// index).
import type { Database } from "../db/statement.ts";
import {
  MAX_ORDER_ID,
  parseId,
  parseOrderNumber,
  parseSuborderNumber,
  splitSuborderId,
  suborderId,
} from "../values/ids.ts";
import {
  type Candidates,
  findByReference,
  type FoundGift,
  listSizes,
  type OrderSize,
  readIdRange,
  readLinkNonce,
  type RecipientField,
  searchOrders,
  searchPart,
  type SearchRange,
  selectGifts,
  type Spellings,
} from "./find-queries.ts";
import { type LinkToken, parseToken } from "./gift-link.ts";
import type { TimePosition } from "./list-cursor.ts";

export interface GiftSearch extends SearchRange {
  limit: number;
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
  const number = text.toUpperCase();
  const id = parseId(text);
  const orderId = parseOrderNumber(number) ?? id;
  const suborder =
    parseSuborderNumber(number) ?? (link ? suborderId(link.orderId, link.sequence) : id);
  return {
    orderIds: orderId === undefined || orderId > MAX_ORDER_ID ? [] : [orderId],
    suborderIds: suborder === undefined ? [] : [suborder],
    reference: link ? null : text,
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

/** The value of a recipient to search for. */
export interface RecipientText {
  field: RecipientField;
  text: string;
}

/** The number of sub-orders that a call reads, so that it blocks the database only for some milliseconds. */
const SUBORDERS_PER_CALL = 20_000;
/** The number of orders that a call lists. */
const ORDERS_PER_CALL = 10_000;
/** The number of gifts whose columns a call reads. */
const GIFTS_PER_CALL = 500;

export interface SearchProgress {
  searched: number;
  /** The oldest order that has been searched. */
  orderId: number;
}

/**
 * The gifts whose recipient has this e-mail address or entered it for a digital gift, or whose recipient's name contains
 * each word of the text. Upper and lower case are the same. The newest orders are searched first. `complete` is false if
 * the search has stopped at the limit.
 */
export async function findByRecipient(
  db: Database,
  { field, text }: RecipientText,
  search: GiftSearch,
  onProgress: (progress: SearchProgress) => void = () => undefined,
): Promise<{ gifts: FoundGift[]; complete: boolean }> {
  const wanted = fold(text);
  const words = wordsOf(wanted);
  const isWanted = ({ email, deliveryEmail, firstName, lastName }: FoundGift) => {
    if (field === "email") {
      return [email, deliveryEmail].some((address) => fold(address ?? "") === wanted);
    }
    const name = fold(`${firstName ?? ""} ${lastName ?? ""}`);
    return words.every((word) => name.includes(word));
  };
  const spellings = spellingsOf(field === "email" ? wanted : longestOf(words));
  const gifts: FoundGift[] = [];
  let searched = 0;
  for await (const part of candidateParts(db, field, spellings, search)) {
    searched += part.searched;
    for (let start = 0; start < part.ids.length; start += GIFTS_PER_CALL) {
      const suborderIds = part.ids.slice(start, start + GIFTS_PER_CALL);
      const some = await selectGifts(db, { orderIds: [], suborderIds }, search, GIFTS_PER_CALL);
      gifts.push(...some.filter(isWanted));
      if (gifts.length >= search.limit) {
        return { gifts: gifts.slice(0, search.limit), complete: false };
      }
    }
    if (part.lastId !== null)
      onProgress({ searched, orderId: splitSuborderId(part.lastId).orderId });
  }
  return { gifts, complete: true };
}

function candidateParts(
  db: Database,
  field: RecipientField,
  spellings: Spellings,
  search: SearchRange,
): AsyncGenerator<Candidates> {
  return search.clientId === null
    ? partsOfAll(db, field, spellings, search)
    : partsOfClient(db, field, spellings, { ...search, clientId: search.clientId });
}

/** Searches the recipients of all clients in descending order of their sub-order ids. */
async function* partsOfAll(
  db: Database,
  field: RecipientField,
  spellings: Spellings,
  search: SearchRange,
): AsyncGenerator<Candidates> {
  const isBounded =
    search.fromMs > Number.MIN_SAFE_INTEGER || search.untilMs < Number.MAX_SAFE_INTEGER;
  const ids = isBounded ? await readIdRange(db, search) : { firstId: 1, lastId: MAX_ORDER_ID };
  if (!ids) return;
  const limit = SUBORDERS_PER_CALL;
  let beforeId: number | null = suborderId(ids.lastId + 1, 0);
  while (beforeId !== null) {
    const range = { firstOrderId: ids.firstId, beforeId, limit };
    const part: Candidates = await searchPart(db, field, spellings, range);
    yield part;
    beforeId = part.searched < limit ? null : part.lastId;
  }
}

/** Searches the recipients of the client's orders, newest orders first. Other clients' orders are not read. */
async function* partsOfClient(
  db: Database,
  field: RecipientField,
  spellings: Spellings,
  { clientId, fromMs, untilMs }: SearchRange & { clientId: string },
): AsyncGenerator<Candidates> {
  let before: TimePosition | null = [untilMs, 0];
  while (before !== null) {
    const orders: OrderSize[] = await listSizes(db, clientId, {
      fromMs,
      before,
      limit: ORDERS_PER_CALL,
    });
    for (const orderIds of chunksOf(orders)) {
      yield await searchOrders(db, field, spellings, orderIds);
    }
    const last = orders.at(-1);
    before = last && orders.length === ORDERS_PER_CALL ? [last.createdAtMs, last.id] : null;
  }
}

/** The ids of the orders, in chunks with at most `SUBORDERS_PER_CALL` sub-orders. */
function chunksOf(orders: readonly OrderSize[]): number[][] {
  const chunks: number[][] = [];
  let size = Infinity;
  for (const { id, qty } of orders) {
    size += qty;
    if (size > SUBORDERS_PER_CALL) {
      chunks.push([]);
      size = qty;
    }
    chunks.at(-1)?.push(id);
  }
  return chunks;
}

const fold = (text: string) => text.normalize("NFC").toLowerCase().trim();

/** `anne-marie o'neil` → `anne`, `marie`, `o`, `neil` */
const wordsOf = (folded: string) => folded.split(/[\s\p{P}]+/u).filter((word) => word !== "");

const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");

/**
 * The word in lower case, in upper case, and with a capital first letter. ASCII letters are in lower case, as SQLite's
 * lower() returns them. Other letters of a name have one of the three spellings, unless the name mixes cases in a word.
 */
function spellingsOf(word: string): Spellings {
  const [first = "", ...rest] = word;
  const asciiLower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return {
    spelling1: word,
    spelling2: asciiLower(word.toUpperCase()),
    spelling3: asciiLower(first.toUpperCase() + rest.join("")),
  };
}
