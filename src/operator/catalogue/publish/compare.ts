// Compares the current version of a catalogue with the products of a file.
import type { CatalogueVersion } from "../../../features/clients/profile.ts";
import type { ProductResponse, VariationResponse } from "../../../features/catalogue/contract.ts";
import {
  hasCodes,
  inStock,
  isTracked,
  type Product,
  type ProductWithStock,
} from "../../../features/catalogue/product.ts";
import { readPage } from "../../../features/catalogue/queries.ts";
import { productResponse } from "../../../features/catalogue/response.ts";
import { readCatalogueEntries } from "./plan-queries.ts";
import { revisionOf } from "./changes.ts";
import type { StockMode } from "./staging-queries.ts";

/** The values before and after of the product's fields that have a text or a number. */
type ChangedValues = Record<string, [before: string, after: string]>;

type Named = Pick<Product, "id" | "name">;

export interface Comparison {
  added: ProductWithStock[];
  /** `fields` are those of catalogue files, such as `price` and `variations.sku`. */
  changed: { id: number; name: string; fields: string[]; values: ChangedValues }[];
  unpublished: Named[];
  unchanged: number;
  /** Those that change, the largest change first, and the number of those that were compared. */
  prices: ReturnType<typeof pricesOf>;
  comparedPrices: number;
  /** Products that lose their picture, and those that can no longer be ordered. */
  withoutPicture: Named[];
  soldOut: Named[];
}

export interface CompareOptions {
  stock?: StockMode;
  /** The pictures of products that have none. */
  placeholders?: readonly string[];
}

/** The number of products in one query. */
const PAGE_PRODUCTS = 500;

/** Compares products with the same id. Reads each page of the version once. */
export async function compare(
  d1: D1Database,
  version: CatalogueVersion,
  products: readonly ProductWithStock[],
  { stock: stockMode = "keep", placeholders = [] }: CompareOptions = {},
): Promise<Comparison> {
  const next = new Map(products.map((each) => [each.product.id, each]));
  const entries = await readCatalogueEntries(d1, version.id, version.version);
  const published = new Set<number>();
  const lists = { added: [], changed: [], unpublished: [], prices: [] };
  const counts = { unchanged: 0, comparedPrices: 0 };
  const comparison: Comparison = { ...lists, ...counts, withoutPicture: [], soldOut: [] };
  for (let page = 1; (page - 1) * PAGE_PRODUCTS < version.totals.all; page++) {
    const range = { limit: PAGE_PRODUCTS, page, delivery: null };
    const { listed } = await readPage(d1, version, range);
    for (const before of listed) {
      const { id } = before.product;
      published.add(id);
      const after = next.get(id);
      const { fields, values } = after ? changedFields(before, after) : { fields: [], values: {} };
      const translationsOf = (revision = "") => revision.split("-")[1];
      const revision = after && (await revisionOf(after.product));
      if (after && translationsOf(revision) !== translationsOf(entries.get(id)?.revision)) {
        fields.push("translations");
      }
      if (!after) comparison.unpublished.push({ id, name: before.product.name });
      else if (fields.length > 0) {
        comparison.changed.push({ id, name: after.product.name, fields, values });
      } else comparison.unchanged += 1;
      if (!after) continue;
      const prices = pricesOf(before.product, after.product);
      comparison.comparedPrices += prices.length;
      comparison.prices.push(...prices.filter(({ change }) => change !== 0));
      const { name, featuredImage } = after.product;
      const isBare = (image: string) => placeholders.includes(image);
      if (isBare(featuredImage) && !isBare(before.product.featuredImage)) {
        comparison.withoutPicture.push({ id, name });
      }
      if (before.stock.some(inStock) && !isSoldAfter(before, after, stockMode)) {
        comparison.soldOut.push({ id, name });
      }
    }
  }
  comparison.added = products.filter(({ product }) => !published.has(product.id));
  comparison.prices.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return comparison;
}

/**
 * The prices before and after of what is sold in both, and the change in basis points, which is infinite after a price of
 * zero or in another currency.
 */
function pricesOf(before: Product, after: Product) {
  const earlier = new Map(articlesOf(before).map(({ id, priceMinor }) => [id, priceMinor]));
  const isComparable = before.currency === after.currency;
  return articlesOf(after).flatMap(({ id, sku, priceMinor, options }) => {
    const minor = earlier.get(id);
    if (minor === undefined) return [];
    const change = isComparable ? ((priceMinor - minor) / minor || 0) * 10_000 : Infinity;
    return {
      product: after.id,
      name: after.name,
      options: options.map(({ name, option }) => `${name} ${option}`).join(", ") || null,
      sku,
      before: { minor, currency: before.currency },
      after: { minor: priceMinor, currency: after.currency },
      change,
    };
  });
}

const articlesOf = ({ sku, priceMinor, variations }: Product) =>
  priceMinor === null ? variations : [{ id: 0, sku, priceMinor, options: [] }];

/** Publications do not change the number of codes. */
function isSoldAfter(before: ProductWithStock, after: ProductWithStock, stockMode: StockMode) {
  const present = new Map(before.stock.map((level) => [level.variationId, level.quantity]));
  return after.stock.some((level) => {
    const kept = stockMode === "keep" && isTracked(level) ? present.get(level.variationId) : null;
    return hasCodes(after.product) || inStock({ ...level, quantity: kept ?? level.quantity });
  });
}

function changedFields(
  before: ProductWithStock,
  after: ProductWithStock,
): { fields: string[]; values: ChangedValues } {
  const [old, next] = [
    productResponse(before.product, [], ""),
    productResponse(after.product, [], ""),
  ];
  const differing = differingFields(old, next);
  const fields = differing.flatMap((field) =>
    field === "variations" ? variationFields(variationsOf(old), variationsOf(next)) : [field],
  );
  return {
    fields: [
      ...fields,
      ...differingFields(hiddenFields(before, after), hiddenFields(after, before)),
    ],
    values: Object.fromEntries(
      differing.flatMap((field) => {
        const pair = [old, next].map((each) => (each as Record<string, unknown>)[field]);
        return pair.every(isShort) ? [[field, pair.map(String) as [string, string]]] : [];
      }),
    ),
  };
}

/**
 * The fields that are not compared in the responses. Of the stock, they have the levels of variations that `other` has
 * too, and no quantities, because publishing keeps them by default, and whether it is tracked unless it consists of codes.
 */
function hiddenFields({ product, stock }: ProductWithStock, other: ProductWithStock) {
  const { delivery, codeDays, instructions, barcode } = product.digital ?? {};
  const ids = new Set(other.stock.map(({ variationId }) => variationId));
  const levels = stock
    .filter(({ variationId }) => ids.has(variationId))
    .sort((a, b) => a.variationId - b.variationId);
  return {
    categories: product.categories,
    digital_delivery: delivery,
    code_valid_days: codeDays,
    redeem_instructions: instructions,
    barcode,
    ...product.customs,
    tax_code: product.taxCode,
    delivery_days: product.deliveryDays,
    recipient_info: product.recipientInfo,
    track_inventory: hasCodes(product) || hasCodes(other.product) || levels.map(isTracked),
    stock_status: levels.map(({ sellable }) => sellable),
  };
}

const MAX_SHOWN = 80;

const isShort = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.length <= MAX_SHOWN);

function differingFields(before: object, after: object): string[] {
  const [old, next] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(next?.[name]));
}

const variationsOf = (product: ProductResponse) =>
  product.product_type === "variable" ? product.variations : [];

/** The fields that differ. Only `variations` if a variation was added, removed or moved. */
function variationFields(before: VariationResponse[], after: VariationResponse[]): string[] {
  const ids = (variations: VariationResponse[]) => variations.map(({ id }) => id).join();
  if (ids(before) !== ids(after)) return ["variations"];
  const fields = before.flatMap((old, index) => differingFields(old, after[index] ?? {}));
  return [...new Set(fields)].map((field) => `variations.${field}`);
}
