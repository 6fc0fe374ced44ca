// Products and their stock. Publishing changes a product. Orders and publishing change its stock.

import type { Currency } from "../../core/values/iso.ts";

export interface Product {
  id: number;
  sku: string;
  name: string;
  /** Untrusted HTML of the catalogue file, as are the vendor's texts. */
  description: string;
  shortDescription: string;
  type: "simple" | "variable";
  delivery: "physical" | "digital";
  /** Null for a physical product. */
  digital: DigitalDelivery | null;
  /** ISO 4217. All variations have the currency of their product. */
  currency: Currency;
  /** Null for a variable product, whose variations have prices. */
  priceMinor: number | null;
  /** The cost of shipping one piece. */
  shippingMinor: number;
  /** ISO 3166-1 alpha-2. If empty, the product is available everywhere. */
  locations: string[];
  /** Names, or paths such as `Home > Candles`. */
  categories: string[];
  /** A URL, or a path on this service. */
  featuredImage: string;
  additionalImages: string[];
  vendor: Vendor;
  parcel: ParcelSize;
  /** What customs declarations need. Only publications and operators have it. */
  customs?: Customs | undefined;
  attributes: Attribute[];
  variations: Variation[];
  /** For programs of accounting. Only publications and operators have it. */
  taxCode?: string | undefined;
  /** Within how many days after its acceptance it usually arrives. Undefined if unknown. */
  deliveryDays?: number | undefined;
  /** Untrusted HTML, which the recipient's page shows instead of the vendor's texts for buyers. Undefined for none. */
  recipientInfo?: string | undefined;
  /** The texts in other languages, by BCP 47 tag. Only publications and the recipient's pages have them. */
  translations?: Translations | undefined;
}

export interface DigitalDelivery {
  /** `code`: a gift gets a code of the stock as soon as it is owed. `manual`: an operator gives its text. */
  delivery: "code" | "manual";
  /** For how many more days a code must be valid when it is given out. */
  codeDays: number;
  /** How the recipient uses it: untrusted HTML. Empty if unknown. */
  instructions: string;
  /** What the gift page shows for scanners. Null for nothing. */
  barcode: "qr" | "code128" | null;
}

export type Translations = Record<string, Translation>;

/** Texts that are missing or empty are not translated. `options` has the names and options of all attributes. */
export type Translation = Partial<
  Pick<Product, "name" | "description" | "shortDescription" | "categories"> &
    Record<"bio" | "shippingInfo" | "returnsInfo" | "instructions" | "recipientInfo", string> & {
      options: Record<string, string>;
    }
>;

export interface Vendor {
  name: string;
  bio: string;
  logo: string;
  shippingInfo: string | null;
  returnsInfo: string | null;
}

/** The weight in kg and the sizes in cm, as text. Empty if unknown. */
export interface ParcelSize {
  weight: string;
  length: string;
  width: string;
  height: string;
}

/** As in the file of products: the value is that of one piece, in the currency of the product. */
export type Customs = Partial<
  Record<"hs_code" | "origin_country" | "customs_value", string | undefined>
>;

export interface Attribute {
  id: number;
  name: string;
  options: string[];
}

export interface Variation {
  id: number;
  sku: string;
  priceMinor: number;
  options: { id: number; name: string; option: string }[];
}

/** The stock of a variation, or of a simple product (variation 0). */
export interface StockLevel {
  variationId: number;
  /** Null if stock is not tracked. */
  quantity: number | null;
  /** If false, it cannot be ordered, whether or not the quantity is above 0. */
  sellable: boolean;
  /** The `codeDays` of a product that is delivered as codes. Only publications and operators have it. */
  codeDays?: number | null;
}

export interface ProductWithStock {
  product: Product;
  /** One level for each variation; for a simple product, one level. */
  stock: StockLevel[];
}

export function inStock(level: StockLevel): boolean {
  return level.sellable && (level.quantity === null || level.quantity > 0);
}

export const hasCodes = ({ digital }: Product) => digital?.delivery === "code";

export const isTracked = ({ quantity }: Pick<StockLevel, "quantity">) => quantity !== null;

/** The total quantity. Null if no level is tracked, or if a sellable level is not tracked. */
export function totalQuantity(levels: readonly StockLevel[]): number | null {
  if (!levels.some(isTracked) || levels.some((level) => level.sellable && !isTracked(level))) {
    return null;
  }
  return levels.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** The price of a simple product, or of the cheapest variation. */
export const lowestPrice = ({ priceMinor, variations }: Product) =>
  priceMinor ?? Math.min(...variations.map((variation) => variation.priceMinor));

/** Whether the product is available in the country (ISO 3166-1 alpha-2). */
export function isAvailableIn({ locations }: Pick<Product, "locations">, country: string): boolean {
  return locations.length === 0 || locations.includes(country);
}
