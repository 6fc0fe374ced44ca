// Builds the index of a version, which the filters of the product list read.
import { nameKey } from "../../../core/values/name.ts";
import { lowestPrice, type Product } from "../../../features/catalogue/product.ts";
import {
  ALL_IDS,
  changedTerm,
  EVERYWHERE,
  gapsOf,
  nameTerm,
  type Posting,
  priceTerm,
  term,
  searchWordsOf,
} from "../../../features/catalogue/terms.ts";
import { plainText } from "../../../features/catalogue/markup.ts";
import type { DatedProduct } from "./changes.ts";

/** The postings of all terms, sorted by term. The position of the first product is 1. */
export function buildIndex(
  products: readonly Pick<DatedProduct, "product" | "changedAtMs">[],
): Posting[] {
  const positionsByTerm = new Map<string, number[]>();
  const named = products.map(({ product }) => product.vendor.name);
  const spellings = new Map(named.map((name) => [nameKey(name), name]));
  for (const [index, { product, changedAtMs }] of products.entries()) {
    const vendor = spellings.get(nameKey(product.vendor.name));
    const terms = [...termsOf(product, vendor), changedTerm(changedAtMs)];
    for (const each of new Set(terms)) {
      const positions = positionsByTerm.get(each);
      if (positions) positions.push(index + 1);
      else positionsByTerm.set(each, [index + 1]);
    }
  }
  positionsByTerm.set(
    ALL_IDS,
    products.map(({ product }) => product.id),
  );
  return [...positionsByTerm]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([each, positions]) => [each, gapsOf(positions)]);
}

function* termsOf(product: Product, vendor = ""): Generator<string> {
  const { name, description, shortDescription, categories, locations } = product;
  const texts = [name, plainText(description), plainText(shortDescription)];
  for (const word of searchWordsOf(texts.join(" "))) yield term("word", word);
  for (const path of categories.flatMap(withParents)) yield nameTerm("category", path);
  for (const country of locations) yield term("country", country);
  if (locations.length === 0) yield EVERYWHERE;
  if (vendor !== "") yield nameTerm("vendor", vendor);
  yield term("delivery", product.delivery);
  yield priceTerm("price", product.currency, lowestPrice(product));
  yield priceTerm("unit", product.currency, lowestPrice(product) + product.shippingMinor);
}

/** `A > B > C` → `A`, `A > B`, `A > B > C`. */
function withParents(path: string): string[] {
  const names = path.split(" > ");
  return names.map((_, index) => names.slice(0, index + 1).join(" > "));
}
