// Filters of the product list. Each condition is a list of ranges of terms, and a product meets it if it has one of
// these terms.
import type { Currency } from "../../core/values/iso.ts";
import { MAX_UNIT_MINOR, parseAmount } from "../../core/values/money.ts";
import type { PageQuery } from "./contract.ts";
import {
  changedTerm,
  EVERYWHERE,
  ofName,
  only,
  priceTerm,
  startingWithValue,
  term,
  type TermRange,
  searchWordsOf,
} from "./terms.ts";

/** Whether the list has a filter apart from `product_type`, which has positions of its own. */
export const isFiltered = (query: PageQuery): boolean =>
  Object.entries(query).some(
    ([name, value]) =>
      value !== undefined && !["limit", "page", "product_type", "include"].includes(name),
  );

/** A word of at least this length finds the words that begin with it. Fewer letters begin too many words. */
const MIN_START = 2;

type Conditions = Pick<
  PageQuery,
  | "q"
  | "category"
  | "country"
  | "currency"
  | "vendor"
  | "product_type"
  | "updated_since"
  | "price_min"
  | "price_max"
>;

export function conditionsOf(query: Conditions): TermRange[][] {
  const { q, category, country, currency, vendor, product_type, updated_since } = query;
  return [
    ...[...searchWordsOf(q ?? "")].map((word) => [
      word.length < MIN_START ? only(term("word", word)) : startingWithValue("word", word),
    ]),
    ...(category === undefined ? [] : [[ofName("category", category)]]),
    ...(country === undefined ? [] : [[only(term("country", country)), only(EVERYWHERE)]]),
    ...(currency === undefined ? [] : [[priceRange(currency, query)]]),
    ...(vendor === undefined ? [] : [[ofName("vendor", vendor)]]),
    ...(product_type === null ? [] : [[only(term("delivery", product_type))]]),
    ...(updated_since === undefined
      ? []
      : [[[changedTerm(Math.max(0, updated_since)), changedTerm(10 ** 15 - 1)] as TermRange]]),
  ];
}

function priceRange(currency: Currency, { price_min, price_max }: Conditions): TermRange {
  const minorOf = (price: string | undefined, otherwise: number) =>
    price === undefined ? otherwise : (parseAmount(price, currency) ?? otherwise);
  return [
    priceTerm("price", currency, minorOf(price_min, 0)),
    priceTerm("price", currency, minorOf(price_max, MAX_UNIT_MINOR)),
  ];
}

/** The positions from 1 to `total` that are in all of the lists, in ascending order. */
export function commonPositions(total: number, lists: readonly Iterable<number>[]): number[] {
  const met = new Uint8Array(total + 1);
  for (const [index, positions] of lists.entries()) {
    for (const position of positions) if (met[position] === index) met[position] = index + 1;
  }
  const common: number[] = [];
  for (let position = 1; position <= total; position++) {
    if (met[position] === lists.length) common.push(position);
  }
  return common;
}

/** The positions of the products whose id is one of `chosen`, or of the others. `ids` are those of all products. */
export function* positionsById(
  ids: Iterable<number>,
  chosen: ReadonlySet<number>,
  isChosen: boolean,
): Generator<number> {
  let position = 0;
  for (const id of ids) {
    position += 1;
    if (chosen.has(id) === isChosen) yield position;
  }
}
