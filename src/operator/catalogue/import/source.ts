// The content of a catalogue file of any format, before ids are assigned.
import type { Currency } from "../../../core/values/iso.ts";
import type { CatalogueSettings } from "../../../platform/db/schema.ts";
import type { FileProduct } from "../../../features/catalogue/file-product.ts";
import type { Inventory } from "./shopify/inventory.ts";

/** A problem in a catalogue file, and its place. */
export interface FileProblem {
  /** The row in a spreadsheet, where the header is row 1. In Regalo's format, the number of the product, from 1. */
  row: number;
  /** The name of the product, if it is known. */
  product?: string;
  /** The column, or the path of a field. */
  field: string;
  /** Follows the field's name: "must not be empty". */
  reason: string;
}

export interface SourceProduct {
  /**
   * The keys that identify the product in its shop, the most reliable first. The ids in `product` are then
   * placeholders. Empty in Regalo's format, whose ids are used.
   */
  keys: string[];
  /** The keys of each variation, in the order of the variations. */
  variationKeys: string[][];
  product: FileProduct;
}

export interface CatalogueSource {
  format: "regalo" | "woocommerce" | "shopify";
  products: SourceProduct[];
  /** If it has `maxProblems` elements, reading has stopped there. */
  problems: FileProblem[];
  /** The number of control characters that were removed, because their meaning is not known. */
  dropped: number;
  /** The names of products that the shop does not show: drafts, private, archived and hidden products. */
  unpublished: string[];
  /** How the file was read, where it could be read in another way. */
  notes: string[];
  /** Whether the file has quantities. "missing" if the shop tracks stock, but the file has no quantities. */
  quantities: "file" | "missing";
}

/** What applies to files of all formats. */
export interface ReadOptions extends Pick<
  CatalogueSettings,
  "placeholder" | "vendorLogo" | "codes"
> {
  /** 100 by default. */
  maxProblems?: number | undefined;
  /** The SKUs and names of products and variations that may have a price of zero. */
  free?: readonly string[] | undefined;
}

/** The values that a shop's file does not contain. */
export interface SourceDefaults extends ReadOptions, CatalogueSettings {
  /**
   * An inventory file, or "untracked" to ignore the quantities of a Shopify export. By default, the shop's file has the
   * quantities.
   */
  stock?: Inventory | "untracked" | undefined;
  /** Of a shop's file. By default, the number of rows that a spreadsheet can have. */
  maxRows?: number | undefined;
}

/** The values for a shop's file, whose currency must be known. */
export type ShopDefaults = SourceDefaults & { currency: Currency };
