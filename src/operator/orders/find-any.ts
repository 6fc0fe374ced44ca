// Finds orders and gifts by any text: exactly by a number, a reference or a gift URL, otherwise by parts of texts.
import { fold } from "../../core/values/fold.ts";
import type { LinkToken } from "../../features/orders/gift-link.ts";
import type { OperatorBindings } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { findExactly, type GiftSearch, isLinkOfOrder, type Recognised, recognise } from "./find.ts";
import type { FoundGift } from "./find-queries.ts";
import { findByPart, type FoundByPart, type SearchProgress } from "./search.ts";
import type { SearchedFields } from "./search-queries.ts";

/** What a text may be. */
export const FIND_KINDS = ["number", "reference", "url", "email", "name"] as const;
export type FindKind = (typeof FIND_KINDS)[number];

/** What is searched. */
export interface SearchPlan {
  /** Null if the text is not searched exactly. */
  exact: Recognised | null;
  /** The fields of which the text may be a part, which are searched if nothing is found exactly. */
  parts: SearchedFields[];
}

/** The searches for the text, only of this kind if it is not null. */
export const planSearch = (text: string, by: FindKind | null): SearchPlan => ({
  exact: exactly(text, by),
  parts: partsOf(text, by),
});

function exactly(text: string, by: FindKind | null): Recognised | null {
  if (by === "email" || by === "name") return null;
  if (by === "reference") return { orderIds: [], suborderIds: [], reference: text, link: null };
  const wanted = recognise(text);
  return by === "number" ? { ...wanted, reference: null } : wanted;
}

/** A part has three or more ASCII characters. One character of Chinese has three bytes. */
const MIN_PART_BYTES = 3;

function partsOf(text: string, by: FindKind | null): SearchedFields[] {
  const characters = fold(text).replaceAll(/\s/g, "");
  const isLong = new TextEncoder().encode(characters).length >= MIN_PART_BYTES;
  if (!isLong || by === "number" || by === "url") return [];
  if (by !== null) return [by];
  const hasLetter = /\p{L}/u.test(text);
  const { link, orderIds, suborderIds } = recognise(text);
  const isNumber = hasLetter && orderIds.length + suborderIds.length > 0;
  if (link || isNumber) return [];
  if (text.includes("@")) return ["email"];
  if (!hasLetter) return ["email", "reference"];
  return [/\s/.test(text) ? "name" : "name and email", "reference"];
}

export interface Found extends FoundByPart {
  /** Whether a number, a reference or a link is exactly the text. */
  isExact: boolean;
  /** Sentences about the link. */
  notes: string[];
}

/**
 * Carries out the plan. Parts are searched in one kind of fields after the other, until the limit is reached. Errors:
 * `Refusal` if the text is a link, but not of an order in this environment.
 */
export async function findAny(
  env: Pick<OperatorBindings, "DB" | "PUBLIC_URL">,
  text: string,
  { exact, parts }: SearchPlan,
  search: GiftSearch,
  onProgress?: (progress: SearchProgress, fields: SearchedFields) => void,
): Promise<Found> {
  const link = exact?.link ?? null;
  const notes = link ? await checkLink(env, text, link) : [];
  const gifts = exact ? await findExactly(env.DB, exact, search) : [];
  if (gifts.length > 0 || parts.length === 0) {
    const isReplaced = link && gifts.some((gift) => gift.linkGeneration !== link.generation);
    if (isReplaced) notes.push("the link of this gift was renewed. This URL no longer opens it.");
    return { gifts, complete: gifts.length < search.limit, isExact: true, notes };
  }
  return { ...(await findParts(env.DB, text, parts, search, onProgress)), isExact: false, notes };
}

async function findParts(
  db: D1Database,
  text: string,
  parts: readonly SearchedFields[],
  search: GiftSearch,
  onProgress?: (progress: SearchProgress, fields: SearchedFields) => void,
): Promise<FoundByPart> {
  const found = new Map<string, FoundGift>();
  let complete = true;
  for (const fields of parts) {
    if (found.size >= search.limit) return { gifts: [...found.values()], complete: false };
    const some = await findByPart(db, { fields, text }, search, (progress) => {
      onProgress?.(progress, fields);
    });
    for (const gift of some.gifts) {
      found.set(`${String(gift.orderId)}-${String(gift.sequence)}`, gift);
    }
    complete &&= some.complete;
  }
  const gifts = [...found.values()];
  return {
    gifts: gifts.slice(0, search.limit),
    complete: complete && gifts.length <= search.limit,
  };
}

/**
 * Compares the link with its order, as far as this is possible without the secret. Returns sentences about it. Errors:
 * `Refusal` if the link is not of an order in this environment.
 */
async function checkLink(
  { DB, PUBLIC_URL }: Pick<OperatorBindings, "DB" | "PUBLIC_URL">,
  text: string,
  link: LinkToken,
): Promise<string[]> {
  const origin = /^(.*?)\/redeem\//su.exec(text)?.[1] ?? PUBLIC_URL;
  const isOther = origin !== PUBLIC_URL && origin !== "";
  if (!(await isLinkOfOrder(DB, link))) {
    throw new Refusal(
      `no order of this environment has this gift URL. ` +
        (isOther
          ? `It begins with ${origin}, and the URLs of this environment begin with ${PUBLIC_URL}.`
          : "It is forged, or its order was placed before the database was restored."),
    );
  }
  if (!isOther) return [];
  return [
    `the URL begins with ${origin}. The gift URLs of this environment begin with ${PUBLIC_URL}.`,
  ];
}
