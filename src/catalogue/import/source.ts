// The products of a catalogue file in any format, before they have ids.
import type { FileProduct } from "./file-product.ts";
import type { Inventory } from "./shopify/inventory.ts";

export type CatalogueFormat = "regalo" | "woocommerce" | "shopify";

/** A problem in a catalogue file, and its place. */
export interface FileProblem {
  /** As in a spreadsheet, where the header is row 1. In a file in Regalo's format, the number of the product. */
  row: number;
  /** The name of the product, if the row has one. */
  product?: string;
  /** The column, or the path of a field. */
  field: string;
  /** Follows the field's name: "must not be empty". */
  reason: string;
}

export interface SourceProduct {
  /**
   * The keys of the product in its shop, the strongest first. With keys, the ids in `product` are placeholders. Empty
   * for a file in Regalo's format, whose ids are kept.
   */
  keys: string[];
  /** The keys of each variation, in the order of the variations. */
  variationKeys: string[][];
  product: FileProduct;
}

export interface CatalogueSource {
  format: CatalogueFormat;
  products: SourceProduct[];
  problems: FileProblem[];
  /** The number of products that the shop does not show: drafts, private, archived and hidden products. */
  unpublished: number;
  /** "missing" if the shop tracks stock, but the file has no quantities. */
  quantities: "file" | "missing";
}

/** The images of products and vendors that have none. */
export interface ImageDefaults {
  placeholder?: string | undefined;
  vendorLogo?: string | undefined;
}

/** The values that a shop's file does not contain. */
export interface SourceDefaults extends ImageDefaults {
  currency: string | undefined;
  locations: string[];
  /** The cost of shipping one piece of a physical product, in minor units. */
  shippingMinor: number;
  vendor: string;
  /** An inventory file, or "untracked" to ignore quantities. By default, the shop's file has the quantities. */
  stock?: Inventory | "untracked" | undefined;
  /** The time at which sale prices must be valid. */
  nowMs: number;
}
