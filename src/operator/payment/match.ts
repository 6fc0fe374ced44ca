// Finds the orders of money that has come without a number of an order, by the clients' own references.
import { fold } from "../../core/values/fold.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { codeTerm } from "../../features/orders/search-terms.ts";
import { listUnpaid } from "./unpaid-queries.ts";

/** The unpaid orders that are compared. */
const MAX_COMPARED = 5_000;

/** Of a reference. A shorter one is found in too many texts. */
const MIN_LENGTH = 4;

/** The words of a reference, such as `PO-7/2 B`. */
const MAX_WORDS = 8;

/** For each text, the numbers of unpaid orders whose references it contains as whole words, however they are separated. */
export async function findByReference(
  DB: D1Database,
  texts: readonly string[],
): Promise<string[][]> {
  if (texts.length === 0) return [];
  const unpaid = await listUnpaid(DB, "unpaid", { limit: MAX_COMPARED });
  const byTerm = Map.groupBy(unpaid, ({ orderRefId }) => codeTerm(orderRefId ?? ""));
  return texts.map((text) => {
    const words = fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const terms = words.flatMap((_, start) =>
      Array.from({ length: MAX_WORDS }, (_, n) => words.slice(start, start + n + 1).join("")),
    );
    const found = [...new Set(terms)].filter(
      (term) => term.length >= MIN_LENGTH && /\d/.test(term),
    );
    return found.flatMap((term) => byTerm.get(term)?.map(({ id }) => orderNumber(id)) ?? []);
  });
}
