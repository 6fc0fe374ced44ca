// Finds orders and gifts by any text: by a number or a gift link, or by the beginnings of their search terms.
import { refusal } from "../../core/api-error.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { MAX_ORDER_ID, numbersIn, parseId, parseNumber, toGiftId } from "../../core/values/ids.ts";
import { type LinkToken, parseToken } from "../../features/orders/gift-link.ts";
import { interpretationsOf, codeTerm } from "../../features/orders/search-terms.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Database } from "../../platform/db/sql.ts";
import type { OperatorBindings } from "../declaration/declare.ts";
import {
  type FoundGift,
  MAX_TERM_ROWS,
  readTerms,
  type SearchRange,
  listFoundGifts,
} from "./find-queries.ts";

/** The kinds of text, each with the columns whose terms it is compared with. */
const COLUMNS = {
  number: [],
  url: [],
  reference: ["order_ref_id"],
  email: ["email", "delivery_email"],
  name: ["first_name", "last_name"],
  phone: ["phone_number"],
  "external-id": ["external_id"],
  tracking: ["tracking_number"],
};
export type FindKind = keyof typeof COLUMNS;
export const FIND_KINDS = Object.keys(COLUMNS) as FindKind[];

/** How many ids of gifts or orders one call reads. */
const IDS_PER_CALL = 200;
/** The maximum number of gifts that one call returns: an order has up to 500. */
const GIFTS_PER_CALL = 1_000;

export interface GiftSearch extends SearchRange {
  /** What the text is. Null for anything. */
  by: FindKind | null;
  limit: number;
}

export interface Found {
  gifts: FoundGift[];
  /** False if there may be more gifts. */
  complete: boolean;
  /** Whether a number, a reference or a link is exactly the text. */
  isExact: boolean;
  notes: string[];
}

const idsOf = ({ orderId, sequence }: { orderId: number; sequence: number | null }) =>
  orderId <= MAX_ORDER_ID ? [toGiftId(orderId, sequence ?? 0)] : [];

/** The link or the ids that the text may be. A gift id with the sequence 0 stands for an order. */
export function recognise(text: string): { link: LinkToken | null; ids: number[] } {
  const link = parseToken(/\/redeem\/(.*)$/isu.exec(text)?.[1] ?? text);
  const id = parseId(text);
  const ids = idsOf(link ?? parseNumber(text) ?? { orderId: id ?? Infinity, sequence: null });
  return { link, ids: id === undefined || id % 1_000 === 0 ? ids : [...ids, id] };
}

/**
 * The orders and gifts that the text identifies. If it identifies none, the gifts whose terms begin with its words, in
 * any case and without accents, or else those whose numbers it contains, as in `Invoice GO-00042.` Errors:
 * `not_allowed_in_state` if the text is a link, but not of a gift in this environment.
 */
export async function readMatches(
  env: Pick<OperatorBindings, "DB" | "PUBLIC_URL">,
  text: string,
  search: GiftSearch,
): Promise<Found> {
  const { by, limit } = search;
  const columns = by && COLUMNS[by];
  const { link, ids } = recognise(text);
  if (link) return findByLink(env, text, link, ids);
  const isNumber = ids.length > 0 && (by === null || by === "number");
  const numbered = isNumber ? await listFoundGifts(env.DB, ids, search, limit) : [];
  const found = await findByTerms(env.DB, text, columns, search);
  let exact = [...numbered, ...found.gifts.filter(({ orderRefId }) => orderRefId === text)];
  const numbers = numbersIn(text).flatMap(idsOf);
  if (exact.length + found.gifts.length === 0 && by === null && numbers.length > 0) {
    exact = await listFoundGifts(env.DB, numbers, search, limit);
  }
  if (exact.length === 0) return { ...found, isExact: false, notes: [] };
  return { gifts: distinct(exact), complete: exact.length < limit, isExact: true, notes: [] };
}

const distinct = (gifts: readonly FoundGift[]) => [
  ...new Map(gifts.map((gift) => [toGiftId(gift.orderId, gift.sequence ?? 0), gift])).values(),
];

/** The gifts that have a term for each word. Those of a whole word come first, and of each the newest orders. */
async function findByTerms(
  db: Database,
  text: string,
  columns: readonly string[] | null,
  search: GiftSearch,
): Promise<{ gifts: FoundGift[]; complete: boolean }> {
  const interpretations = columns?.length === 0 ? [] : interpretationsOf(text);
  if (interpretations.length === 0) return { gifts: [], complete: true };
  const idsOf = await readTerms(db, [...new Set(interpretations.flat())], search.clientId);
  // The gifts of the rarest word are read, and must have the other words.
  const rarest = interpretations.map((words) =>
    words
      .map((word) => idsOf.get(word) ?? [])
      .reduce((least, ids) => (ids.length < least.length ? ids : least)),
  );
  const candidates = [...new Set(rarest.flat())].slice(0, 2 * MAX_TERM_ROWS);
  let complete = rarest.flat().length < MAX_TERM_ROWS;
  let gifts: FoundGift[] = [];
  for (const ids of chunksOf(candidates, IDS_PER_CALL)) {
    if (gifts.length > search.limit) break;
    const read = await listFoundGifts(db, ids, search, GIFTS_PER_CALL);
    complete &&= read.length < GIFTS_PER_CALL;
    const matching = read.filter((gift) =>
      interpretations.some((words) => hasTerms(gift, words, columns)),
    );
    gifts = distinct([...gifts, ...matching]);
  }
  complete &&= gifts.length <= search.limit;
  return { gifts: gifts.slice(0, search.limit), complete };
}

/** Whether each word is the beginning of a term of the gift, or of its order's reference or campaign. */
function hasTerms(
  { searchTerms, orderRefId, campaign }: FoundGift,
  words: readonly string[],
  columns: readonly string[] | null,
): boolean {
  const order_ref_id = [codeTerm(orderRefId ?? "")];
  const ofOrder = { order_ref_id, campaign: [codeTerm(campaign ?? "")] };
  const terms = Object.entries({ ...parseJson(searchTerms), ...ofOrder })
    .filter(([column]) => columns?.includes(column) ?? true)
    .flatMap(([, some]) => some);
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

const ALL = { clientId: null, fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };

/** The gift of the link, whose signature is not checked, because this needs the secret. Errors: `not_allowed_in_state`. */
async function findByLink(
  { DB, PUBLIC_URL }: Pick<OperatorBindings, "DB" | "PUBLIC_URL">,
  text: string,
  link: LinkToken,
  ids: readonly number[],
): Promise<Found> {
  const origin = /^(.+?)\/redeem\//isu.exec(text)?.[1]?.toLowerCase() ?? PUBLIC_URL;
  const notes: string[] = [];
  if (origin !== PUBLIC_URL) {
    notes.push(`The URL begins with ${origin}, and those of this environment with ${PUBLIC_URL}.`);
  }
  const [gift] = await listFoundGifts(DB, ids, ALL, 1);
  if (gift?.linkNonce !== link.nonce) {
    const [reason = "It is forged, or its order was placed before the database was restored."] =
      notes;
    throw refusal(`no order of this environment has this gift URL. ${reason}`);
  }
  if (gift.linkGeneration !== link.generation) {
    notes.push("The link of this gift was renewed. This URL no longer opens it.");
  }
  return { gifts: [gift], complete: true, isExact: true, notes };
}
