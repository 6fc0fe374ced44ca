// Offers: the product data that a new order is checked against. They are cached in the isolate for some seconds. The
// INSERT of an order inserts no row if the offer's revision is not the current one.
import type { Currency } from "../../core/values/iso.ts";
import type { Product, Variation } from "../catalogue/product.ts";
import { type MemoryCache, memoryCache } from "../../platform/cache/memory.ts";
import { SECOND_MS } from "../../core/values/time.ts";

export interface Offer {
  revision: string;
  delivery: Product["delivery"];
  currency: Currency;
  priceMinor: number | null;
  shippingMinor: number;
  locations: string[];
  variations: Variation[];
}

export const OFFER_MEMORY_MS = 10 * SECOND_MS;

export type OfferCache = MemoryCache<Offer>;

export const offerCache = (): OfferCache => memoryCache(2_000);

export function offerKey({
  catalogueId,
  productId,
}: {
  catalogueId: number;
  productId: number;
}): string {
  return `${String(catalogueId)}:${String(productId)}`;
}
