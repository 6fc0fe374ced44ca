// What every kind of catalogue file is read into, before its products have ids of ours.
import { ApiError } from "../../api-error.ts";
import { parseAmount } from "../../values/money.ts";
import { validate } from "../../validation/validate.ts";
import type { Inventory } from "./inventory.ts";
import { FileProduct } from "./product.ts";

export type Format = "regalo" | "woocommerce" | "shopify";

/** One thing wrong in a file, where a person finds it. */
export interface Problem {
  /** As a spreadsheet counts, its head being row 1; the number of the product in a file of our own. */
  row: number;
  /** The product's name, where the row has one. */
  product?: string;
  /** The column, or the path of a field. */
  field: string;
  /** Reads on after the field's name: "must not be empty". */
  reason: string;
}

export interface SourceProduct {
  /**
   * Names the source knows the product by, the firmest first; none when the file holds our own ids. The ids
   * in `product` are placeholders where there are names.
   */
  keys: string[];
  /** The same for each of the product's variations, in their order. */
  variationKeys: string[][];
  product: FileProduct;
}

export interface CatalogueSource {
  format: Format;
  products: SourceProduct[];
  problems: Problem[];
  /** Products that the shop's own catalogue does not show: drafts, private, archived and hidden ones. */
  unpublished: number;
  /** Where the quantities come from; "missing" when the shop counts stock and the file does not hold it. */
  quantities: "file" | "missing";
}

/** Images for products and vendors that have none of their own. */
export interface ImageDefaults {
  placeholder?: string | undefined;
  vendorLogo?: string | undefined;
}

/** What a shop's file does not say. */
export interface SourceDefaults extends ImageDefaults {
  currency: string | undefined;
  locations: string[];
  /** For each piece of a physical product, in minor units. */
  shippingMinor: number;
  vendor: string;
  /** Quantities from a file of their own, or none at all; by default those of the shop's file. */
  stock?: Inventory | "untracked" | undefined;
  /** Decides whether a sale is on. */
  nowMs: number;
}

/** A file that cannot be read at all, in one sentence. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

/** The logo of a vendor without one. */
const VENDOR_LOGO = "/images/vendors/vendor.svg";

/** The draft with an image where it has an empty one; other faults are left to `checkProduct`. */
function withImages(draft: unknown, { placeholder = "", vendorLogo }: ImageDefaults): unknown {
  if (typeof draft !== "object" || draft === null) return draft;
  const { featured_image: image, product_vendor: vendor } = draft as Partial<FileProduct>;
  return {
    ...draft,
    ...(image === "" && { featured_image: placeholder }),
    ...(vendor?.logo === "" && {
      product_vendor: { ...vendor, logo: vendorLogo ?? VENDOR_LOGO },
    }),
  };
}

/** The product if it is valid; else its problems are added to `problems`, where `locate` finds them. */
export function checkProduct(
  draft: unknown,
  images: ImageDefaults,
  problems: Problem[],
  locate: (field: string) => Pick<Problem, "row" | "field">,
): FileProduct | null {
  try {
    return validate(FileProduct(), withImages(draft, images));
  } catch (error) {
    if (!(error instanceof ApiError) || !error.fields) throw error;
    const seen = new Set<string>();
    for (const { field, message } of error.fields) {
      const problem = { ...locate(field), reason: message };
      const key = JSON.stringify(problem);
      if (!seen.has(key)) problems.push(problem);
      seen.add(key);
    }
    return null;
  }
}

/**
 * Minor units of a price as shops write it ("25", "19.9", "19,90", "12.5000"), or `undefined`: also for three digits
 * behind a point, which are decimals to some and thousands to others.
 */
export function parsePrice(text: string): number | undefined {
  return parseAmount(text.replace(/^(\d+),(\d{1,2})$/, "$1.$2").replace(/(\.\d\d)00+$/, "$1"));
}

/**
 * The id of an attribute, of which shops only know the name: 31 bits that follow from it, so that "Size" is
 * the same attribute on every product and in every later file.
 */
export function attributeId(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name.trim().toLowerCase())) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 1) + 1;
}

/** A vendor of whom only the name is known. */
export function vendorNamed(name: string) {
  return { name, bio: "", logo: "", shipping_info: null, returns_info: null };
}

/** A number in another unit as text with at most four decimals; empty where there is none, or no such unit. */
export function convert(text: string, factor: number | undefined): string {
  const value = Number(text.replace(",", "."));
  if (text === "" || factor === undefined) return "";
  if (!Number.isFinite(value)) return text;
  return String(Math.round(value * factor * 10_000) / 10_000);
}

/** `variations[3].price` → `{ index: 3, name: "price" }`; no index for the product's own fields. */
export function splitField(field: string): { index: number | undefined; name: string } {
  const [, index, rest] = /^variations\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const name = (rest ?? field).replace(/[[.].*$/, "");
  return { index: index === undefined ? undefined : Number(index), name };
}

/** The problems with the names of their products, in the order of their rows. */
export function named(
  problems: readonly Problem[],
  nameOf: (row: number) => string | undefined,
): Problem[] {
  return problems
    .map((problem) => {
      const product = nameOf(problem.row);
      return product ? { ...problem, product } : problem;
    })
    .sort((a, b) => a.row - b.row);
}

/** An image's address with spaces and letters of other scripts encoded; what is no URL stays as it is. */
export const imageOf = (address: string) => URL.parse(address)?.href ?? address;

/** Says of every key which row had it first, and reports the rows that repeat one. */
export function uniqueness(problems: Problem[], field: string) {
  const first = new Map<string, number>();
  return (key: string, row: number): boolean => {
    const earlier = first.get(key);
    if (key === "" || earlier === undefined) {
      first.set(key, row);
      return true;
    }
    problems.push({ row, field, reason: `must not repeat that of row ${String(earlier)}` });
    return false;
  };
}
