// What a product is. Its stock is not part of it: that changes with every order, the product only when it is
// published anew.

export interface Product {
  id: number;
  sku: string;
  name: string;
  /** Description and vendor texts may hold HTML from the catalogue's source: never trusted. */
  description: string;
  shortDescription: string;
  type: "simple" | "variable";
  delivery: "physical" | "digital";
  /** ISO 4217, one for the product and all its variations. */
  currency: string;
  /** Null for variable products: each variation has its own. */
  priceMinor: number | null;
  /** For each piece. */
  shippingMinor: number;
  /** ISO 3166-1 alpha-2; empty means everywhere. */
  locations: string[];
  /** Full URLs, or paths on this service. */
  featuredImage: string;
  additionalImages: string[];
  vendor: Vendor;
  parcel: Parcel;
  attributes: Attribute[];
  variations: Variation[];
}

export interface Vendor {
  name: string;
  bio: string;
  logo: string;
  shippingInfo: string | null;
  returnsInfo: string | null;
}

/** Weight in kg, the sides in cm, as text; empty where unknown. */
export interface Parcel {
  weight: string;
  length: string;
  width: string;
  height: string;
}

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

/** What is left of a simple product (variation 0) or of a variation. */
export interface StockLevel {
  variationId: number;
  /** Null when it is not tracked. */
  quantity: number | null;
  /** False when the catalogue says it is out of stock whatever the quantity. */
  sellable: boolean;
}

export function inStock(level: StockLevel): boolean {
  return level.sellable && (level.quantity === null || level.quantity > 0);
}

export const isCounted = ({ quantity }: StockLevel) => quantity !== null;

/** All pieces left; null when there is no such number, because what is sold is not counted. */
export function totalQuantity(levels: readonly StockLevel[]): number | null {
  if (!levels.some(isCounted) || levels.some((level) => level.sellable && !isCounted(level))) {
    return null;
  }
  return levels.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** Whether the product goes to this country (ISO 3166-1 alpha-2). */
export function isAvailableIn({ locations }: Pick<Product, "locations">, country: string): boolean {
  return locations.length === 0 || locations.includes(country);
}
