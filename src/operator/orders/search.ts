// Finds the gifts of recipients by parts of their name or e-mail address, and orders by parts of their reference. It reads
// all recipients or orders in small steps (DECISIONS.md: Recipients and references are searched without an index).
import type { Database } from "../../platform/db/statement.ts";
import { chunksBySize } from "../../core/values/chunks.ts";
import { fold } from "../../core/values/fold.ts";
import { MAX_ORDER_ID, splitSuborderId, suborderId } from "../../core/values/ids.ts";
import type { GiftSearch } from "./find.ts";
import { type FoundGift, selectGifts } from "./find-queries.ts";
import type { TimePosition } from "../../features/orders/list-cursor.ts";
import {
  listSizes,
  type OrderSize,
  type Part,
  readIdRange,
  type SearchedFields,
  searchOrders,
  searchPart,
  type Spellings,
} from "./search-queries.ts";

/** The number of sub-orders that a call reads, so that it blocks the database only for some milliseconds. */
const ROWS_PER_CALL = 20_000;
/** The number of orders that a call lists. */
const ORDERS_PER_CALL = 10_000;
/** The number of candidates whose columns a call reads. */
const CANDIDATES_PER_CALL = 500;

export interface SearchProgress {
  searched: number;
  /** The oldest order that has been searched. */
  orderId: number;
}

export interface FoundByPart {
  gifts: FoundGift[];
  /** False if the search has stopped at the limit, or has used all its calls. */
  complete: boolean;
}

/** The search has used all its calls. */
class OutOfCalls extends Error {}

/** Counts a call. Errors: `OutOfCalls`. */
function spendCall({ budget }: GiftSearch): void {
  if (budget && budget.calls-- <= 0) throw new OutOfCalls();
}

interface Query {
  fields: SearchedFields;
  /** A part of every match, in the form that `fold` returns. */
  needle: string;
  isMatch: (gift: FoundGift) => boolean;
}

/**
 * The gifts whose recipient's name contains each word of the text, or whose recipient's e-mail address contains the text,
 * or the gifts of orders whose reference contains it. Case and accents are ignored. The newest orders are searched first.
 */
export function findByPart(
  db: Database,
  { fields, text }: { fields: SearchedFields; text: string },
  search: GiftSearch,
  onProgress?: (progress: SearchProgress) => void,
): Promise<FoundByPart> {
  const wanted = fold(text);
  const words = wordsOf(wanted);
  const isNamed = ({ firstName, lastName }: FoundGift) => {
    const name = fold(`${firstName ?? ""} ${lastName ?? ""}`);
    return words.length > 0 && words.every((word) => name.includes(word));
  };
  const hasEmail = ({ email, deliveryEmail }: FoundGift) =>
    [email, deliveryEmail].some((address) => fold(address ?? "").includes(wanted));
  const queries: Record<SearchedFields, Query["isMatch"]> = {
    name: isNamed,
    email: hasEmail,
    "name and email": (gift) => isNamed(gift) || hasEmail(gift),
    reference: ({ orderRefId }) => fold(orderRefId ?? "").includes(wanted),
  };
  const needle = fields.startsWith("name") ? longestOf(words) : wanted;
  return searchAll(db, { fields, needle, isMatch: queries[fields] }, search, onProgress);
}

/**
 * The gifts whose recipient has exactly this e-mail address, or entered it for a digital gift. Upper and lower case are
 * the same, accents are not. The newest orders are searched first.
 */
export function findByEmail(
  db: Database,
  address: string,
  search: GiftSearch,
  onProgress?: (progress: SearchProgress) => void,
): Promise<FoundByPart> {
  const lower = (text: string) => text.normalize("NFC").toLowerCase().trim();
  const isMatch = ({ email, deliveryEmail }: FoundGift) =>
    [email, deliveryEmail].some((each) => each !== null && lower(each) === lower(address));
  return searchAll(db, { fields: "email", needle: fold(address), isMatch }, search, onProgress);
}

async function searchAll(
  db: Database,
  query: Query,
  search: GiftSearch,
  onProgress: (progress: SearchProgress) => void = () => undefined,
): Promise<FoundByPart> {
  const gifts: FoundGift[] = [];
  try {
    return { gifts, complete: await collect(db, query, search, gifts, onProgress) };
  } catch (error) {
    if (error instanceof OutOfCalls) return { gifts, complete: false };
    throw error;
  }
}

/** Adds the gifts that match. False if the search has stopped at the limit. Errors: `OutOfCalls`. */
async function collect(
  db: Database,
  { fields, needle, isMatch }: Query,
  search: GiftSearch,
  gifts: FoundGift[],
  onProgress: (progress: SearchProgress) => void,
): Promise<boolean> {
  let searched = 0;
  const { clientId } = search;
  const spellings = spellingsOf(needle);
  const parts =
    clientId === null
      ? partsOfAll(db, fields, spellings, search)
      : partsOfClient(db, fields, spellings, { ...search, clientId });
  for await (const part of parts) {
    searched += part.searched;
    const ids = part.candidates
      .filter(([, text]) => text === null || fold(text).includes(needle))
      .map(([id]) => id);
    for (let start = 0; start < ids.length; start += CANDIDATES_PER_CALL) {
      const some = ids.slice(start, start + CANDIDATES_PER_CALL);
      const isOrder = fields === "reference";
      const keys = { orderIds: isOrder ? some : [], suborderIds: isOrder ? [] : some };
      const limit = isOrder ? search.limit - gifts.length : some.length;
      spendCall(search);
      const read = await selectGifts(db, keys, search, limit);
      gifts.push(...read.filter(isMatch));
      if (gifts.length >= search.limit || (isOrder && read.length === limit)) {
        gifts.splice(search.limit);
        return false;
      }
    }
    if (part.lastId !== null) onProgress({ searched, orderId: orderOf(fields, part.lastId) });
  }
  return true;
}

const orderOf = (fields: SearchedFields, id: number) =>
  fields === "reference" ? id : splitSuborderId(id).orderId;

/** Searches the orders of all clients in descending order of their ids. */
async function* partsOfAll(
  db: Database,
  fields: SearchedFields,
  spellings: Spellings,
  search: GiftSearch,
): AsyncGenerator<Part> {
  const isBounded =
    search.fromMs > Number.MIN_SAFE_INTEGER || search.untilMs < Number.MAX_SAFE_INTEGER;
  if (isBounded) spendCall(search);
  const ids = isBounded ? await readIdRange(db, search) : { firstId: 1, lastId: MAX_ORDER_ID };
  if (!ids) return;
  const limit = ROWS_PER_CALL;
  const endId = ids.lastId + 1;
  let beforeId: number | null = fields === "reference" ? endId : suborderId(endId, 0);
  while (beforeId !== null) {
    const range = { firstOrderId: ids.firstId, beforeId, limit };
    spendCall(search);
    const part: Part = await searchPart(db, fields, spellings, range);
    yield part;
    beforeId = part.searched < limit ? null : part.lastId;
  }
}

/** Searches the client's orders, newest orders first. Other clients' orders are not read. */
async function* partsOfClient(
  db: Database,
  fields: SearchedFields,
  spellings: Spellings,
  search: GiftSearch & { clientId: string },
): AsyncGenerator<Part> {
  const { clientId, fromMs, untilMs } = search;
  let before: TimePosition | null = [untilMs, 0];
  while (before !== null) {
    spendCall(search);
    const orders: OrderSize[] = await listSizes(db, clientId, {
      fromMs,
      before,
      limit: ORDERS_PER_CALL,
    });
    for (const chunk of chunksBySize(orders, ({ qty }) => qty, ROWS_PER_CALL)) {
      const orderIds = chunk.map(({ id }) => id);
      spendCall(search);
      yield await searchOrders(db, fields, spellings, orderIds);
    }
    const last = orders.at(-1);
    before = last && orders.length === ORDERS_PER_CALL ? [last.createdAtMs, last.id] : null;
  }
}

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
